// What all kernels for key columns share. `config.cuh` is generated and has the constants that the host needs as well.
#pragma once
#include "config.cuh"

#include "parts/basics.cuh"
#include "parts/struct_keys.cuh"
#include "parts/user_indexes.cuh"
#include "strings/parts/text.cuh"
#include "columns/parts/key_columns.cuh"
#include "columns/parts/row_bits.cuh"
