// Measures strings in another order.
#pragma once
#include "parts/user_indexes.cuh"
#include "strings/parts/string_target.cuh"
#include "strings/parts/text.cuh"

constexpr u32 kMeasureSharedBytes = kTieThreads / kWarpSize * sizeof(u64);

// Finds for each string of the permutation where it begins in the source, and how many bytes of its tile lie before it.
// There is one block for each tile.
extern "C" __global__ void measure_strings(
    const Text from, const u8* permutation, u64 index_bytes, const StringTarget to) {
    u64* totals = (u64*)shared_memory;
    const Permutation string_at{permutation, index_bytes};
    const u64 begin = (u64)blockIdx.x * kTieTile;
    constexpr u32 kRows = kTieTile / kTieThreads;
    u64 lengths[kRows];
    // Reads at random places wait for memory, so all of them wait together.
#pragma unroll
    for (u32 row = 0; row < kRows; ++row) {
        const u64 i = begin + row * kTieThreads + threadIdx.x;
        lengths[row] = 0;
        if (i < from.count) {
            const u64 string = string_at(i);
            const u64 source = from.offset(string);
            lengths[row] = from.offset(string + 1) - source;
            to.sources[i] = source;
        }
    }
    u64 before = 0;
#pragma unroll
    for (u32 row = 0; row < kRows; ++row) {
        const u64 i = begin + row * kTieThreads + threadIdx.x;
        u64 total;
        const u64 length_before = block_exclusive_scan(lengths[row], totals, total);
        if (i < from.count) {
            to.set_offset(i, before + length_before);
        }
        before += total;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        to.tiles[blockIdx.x] = before;
    }
}
