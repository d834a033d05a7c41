// Counts the low bytes in each segment that the pass by the high bytes has left.
#pragma once
#include "parts/byte_counts.cuh"
#include "parts/segments.cuh"

// Counts four bytes.
__device__ __forceinline__ void count_four(const ByteCounts& counts, u32 bytes) {
#pragma unroll
    for (u32 i = 0; i < sizeof(u32); ++i) {
        counts.add(bytes >> 8 * i & (kByteValues - 1));
    }
}

// `bytes` are those of the elements, and `totals` are the counts for each segment and byte, which must be 0 before.
extern "C" __global__ void __launch_bounds__(kDistributionThreads)
    count_low_bytes(const u8* bytes, Pass pass, u64* totals) {
    allow_next_kernel();
    const ByteCounts counts{};
    counts.clear();
    TileSlots slots(pass, blockIdx.x, gridDim.x);
    Tile tile;
    bool has_tile = slots.next(tile);
    while (has_tile) {
        // A tile may begin at any byte, and is counted a word at a time.
        const u8* first = bytes + tile.begin;
        const u32 head = min_of((u32)(sizeof(uint4) - (u64)first % sizeof(uint4)) % (u32)sizeof(uint4), tile.count);
        const u32 words = (tile.count - head) / (u32)sizeof(uint4);
        for (u32 index = threadIdx.x; index < words; index += kDistributionThreads) {
            const uint4 word = ((const uint4*)(first + head))[index];
            count_four(counts, word.x);
            count_four(counts, word.y);
            count_four(counts, word.z);
            count_four(counts, word.w);
        }
        const u32 others = tile.count - words * (u32)sizeof(uint4);
        for (u32 index = threadIdx.x; index < others; index += kDistributionThreads) {
            counts.add(first[index < head ? index : index + words * (u32)sizeof(uint4)]);
        }
        Tile next;
        has_tile = slots.next(next);
        if (!has_tile || next.segment != tile.segment) {
            counts.publish(totals + (u64)tile.segment * kByteValues);
            __syncthreads();
            counts.clear();
        }
        tile = next;
    }
}
