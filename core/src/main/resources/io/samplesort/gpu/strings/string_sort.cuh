// What all kernels for strings share. `config.cuh` is generated and has the constants that the host needs as well.
#pragma once
#include "config.cuh"

#include "parts/basics.cuh"
#include "parts/struct_keys.cuh"
#include "parts/user_indexes.cuh"
#include "strings/parts/text.cuh"
#include "strings/parts/common_bytes.cuh"
#include "strings/parts/ties.cuh"
#include "strings/parts/alphabet.cuh"
#include "strings/parts/first_words.cuh"
#include "strings/parts/tied_rests.cuh"
#include "strings/parts/string_target.cuh"
