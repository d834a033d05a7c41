// Counts the bytes by which the first pass divides: the keys' ranks, or the high bytes of ranks of 16 bits.
#pragma once
#include "parts/byte_counts.cuh"
#include "parts/key_words.cuh"
#include "parts/segments.cuh"

__device__ __forceinline__ u32 first_byte(u32 value) { return value_of_rank(value) / (kValueCount / kByteValues); }

// `totals` must be 0 before, and stay 0 if `mark` says that the input already lies where it belongs: later phases then
// see an input without elements.
extern "C" __global__ void __launch_bounds__(kCountThreads, 2)
    count_bytes(Key* array, u64 count, u64* totals, const u8* mark) {
    allow_next_kernel();
    if (*mark == kIsPlaced) {
        return;
    }
    const ByteCounts counts{};
    counts.clear();
    const KeyWords keys(array, count);
    const u64 thread = blockIdx.x * (u64)kCountThreads + threadIdx.x;
    for_each_word(keys, thread, gridDim.x * (u64)kCountThreads, [&](const uint4& word) {
#pragma unroll
        for (u32 i = 0; i < kKeysAWord; ++i) {
            counts.add(first_byte(key_of_word(word, i)));
        }
    });
    if (thread < kWarpSize) {
        keys.for_each_other([&](u64 place) { counts.add(first_byte((u32)array[place] & (kValueCount - 1))); });
    }
    counts.publish(totals);
}
