// Turns the counts of the values into the begins of their keys in the result, in the order of the sort. There are few
// counts, so each block itself adds up those before its own instead of waiting for another block.
#pragma once
#include "parts/key_words.cuh"

constexpr u32 kValueScanBytes = kWarpSize * sizeof(u64);

// `offsets` gets an entry for each value, by its rank, and the number of all keys at the end.
extern "C" __global__ void __launch_bounds__(kValueScanThreads)
    scan_values(u64* total_words, u64 totals_are_shared, u64* offsets) {
    follow_previous_kernel();
    const ValueTotals totals{total_words, totals_are_shared != 0};
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
    offsets[rank] = all_before + before;
    if (rank == kValueCount - 1) {
        offsets[kValueCount] = all_before + total;
    }
}
