// Merges the runs that the small sort has made of an input a little larger than one block sorts: each element's place
// in the result is the sum of the numbers of elements that come before it in each run. With few runs, searching all of
// them takes less time than drawing a sample and dividing the input.
//
// Neighbouring lanes have neighbouring elements of a run and search nearly the same places, so the loads of a warp
// usually touch few cache lines. The warps of a block share the runs.
//
// Equal keys come in the order of their runs, so the sort is stable.
#pragma once
#include "parts/primitives.cuh"

constexpr u32 kRankWarps = kRankThreads / kWarpSize;

// The counts of each warp for each lane's element.
constexpr u32 kRankSharedBytes = kRankThreads * sizeof(u32);

// `runs` has `all` elements in sorted runs of `length`, the last of which may be shorter. Block b places elements from
// b * kWarpSize on; `length` is a multiple of kWarpSize, so they belong to one run.
extern "C" __global__ void __launch_bounds__(kRankThreads)
    rank_runs(ElementArray runs, ElementArray out, u64 all, u64 length) {
    follow_previous_kernel();
    const u32 count = (u32)all;
    const u32 run_length = (u32)length;
    u32* counts = (u32*)shared_memory;
    const u32 lane = threadIdx.x % kWarpSize;
    const u32 own = blockIdx.x * kWarpSize / run_length;
    const u32 place = min_of(blockIdx.x * kWarpSize + lane, count - 1);
    const OrderedKey key = runs.key(place, true);
    const u32 run_count = (count + run_length - 1) / run_length;
    u32 before = 0;
    for (u32 run = threadIdx.x / kWarpSize; run < run_count; run += kRankWarps) {
        const u32 begin = run * run_length;
        u32 low = begin;
        u32 high = min_of(begin + run_length, count);
        if (run == own) {
            low = place;
            high = place;
        }
        while (low < high) {
            const u32 middle = (low + high) / 2;
            const OrderedKey other = runs.key(middle, true);
            const bool comes_before = run < own ? !less(key, other) : less(other, key);
            low = comes_before ? middle + 1 : low;
            high = comes_before ? high : middle;
        }
        before += low - begin;
    }
    counts[threadIdx.x] = before;
    __syncthreads();
    if (threadIdx.x < kWarpSize && blockIdx.x * kWarpSize + lane < count) {
        u32 rank = 0;
        for (u32 warp = 0; warp < kRankWarps; ++warp) {
            rank += counts[warp * kWarpSize + lane];
        }
        out.store(rank, runs.load_ordered(place));
    }
}
