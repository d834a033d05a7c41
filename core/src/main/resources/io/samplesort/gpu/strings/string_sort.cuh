// What all kernels for strings share. `config.cuh` is generated and has the constants that the host needs as well.
#pragma once
#include "config.cuh"

#include "parts/basics.cuh"
#include "parts/struct_keys.cuh"
#include "strings/parts/text.cuh"
#include "strings/parts/common_bytes.cuh"
#include "strings/parts/ties.cuh"
