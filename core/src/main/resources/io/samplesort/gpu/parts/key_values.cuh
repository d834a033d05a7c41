// The values of keys of 8 or 16 bits. A value is the bits of a key.
#pragma once
#include "parts/basics.cuh"

static_assert(sizeof(Key) <= 2 && !SORTS_INDEXES && !kKeysAreMapped);

constexpr u32 kByteValues = 1u << 8;
constexpr u32 kValueCount = 1u << 8 * sizeof(Key);

// Returns the value of a rank, or the rank of a value. The first value of an order and the last have opposite bits, and
// counting up from the first inverts its bits just as counting from 0 sets bits. This holds for keys with and without a
// sign, and in both directions.
__device__ __forceinline__ u32 value_of_rank(u32 rank) { return rank ^ (~(u32)greatest_key() & (kValueCount - 1)); }
