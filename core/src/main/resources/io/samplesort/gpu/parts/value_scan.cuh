// Turns the counts of values into where the keys of each value begin in the result. There are few counts, so each block
// adds up those before its own by itself instead of waiting for another block.
#pragma once
#include "parts/key_words.cuh"

constexpr u32 kValueScanBytes = kWarpSize * sizeof(u64);

// Calls `use(rank, place)` for each value, by its rank in the order of the sort, and in the end with kValueCount and the
// number of all keys.
template <typename Use>
__device__ __forceinline__ void scan_totals(const ValueTotals& totals, const Use& use) {
    u64* warp_totals = (u64*)shared_memory;
    const u32 first = blockIdx.x * kValueScanThreads;
    u64 before_block = 0;
    for (u32 rank = threadIdx.x; rank < first; rank += kValueScanThreads) {
        before_block += totals.of(value_of_rank(rank));
    }
    u64 all_before;
    block_exclusive_scan(before_block, warp_totals, all_before);
    __syncthreads();
    const u32 rank = first + threadIdx.x;
    u64 total;
    const u64 before = block_exclusive_scan(totals.of(value_of_rank(rank)), warp_totals, total);
    use(rank, all_before + before);
    if (rank == kValueCount - 1) {
        use(kValueCount, all_before + total);
    }
}
