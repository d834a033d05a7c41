// Marks strings that differ from the one before, in order.
#pragma once
#include "strings/parts/common_bytes.cuh"

constexpr u32 kMarkSharedBytes = kTieThreads / kWarpSize * sizeof(u64);

// There is one block for each tile. Bit i % 32 of heads[i / 32] says whether the i-th string in order differs from the
// one before it, and `tiles` gets the number of such strings in each tile. There is room for the heads of whole tiles.
extern "C" __global__ void mark_different(const Text strings, const u32* permutation, u32* heads, u64* tiles) {
    const TextReader text(strings);
    const u64 begin = (u64)blockIdx.x * kTieTile;
    u64 found = 0;
    for (u32 i = threadIdx.x; i < kTieTile; i += kTieThreads) {
        const u64 place = begin + i;
        const bool exists = place < strings.count;
        Rest left{};
        Rest right{};
        if (exists && place > 0) {
            const Span before = text.span(permutation[place - 1]);
            const Span span = text.span(permutation[place]);
            left = Rest{before.begin, before.length()};
            right = Rest{span.begin, span.length()};
        }
        // Strings of different lengths differ, so their bytes need not be compared.
        const bool is_compared = exists && place > 0 && left.length == right.length;
        const bool is_equal = compare_by_warp(text, left, right, is_compared) == 0 && is_compared;
        const u32 different = __ballot_sync(kAllLanes, exists && !is_equal);
        if (threadIdx.x % kWarpSize == 0) {
            heads[place / kWarpSize] = different;
            found += (u32)__popc(different);
        }
    }
    u64 total;
    block_exclusive_scan(found, (u64*)shared_memory, total);
    if (threadIdx.x == 0) {
        tiles[blockIdx.x] = total;
    }
}
