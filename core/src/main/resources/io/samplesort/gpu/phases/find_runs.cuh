// Finds out whether the input is a concatenation of a few sorted runs, and copies it meanwhile. merge_runs then merges
// the runs from the copy to where they belong. Later phases then see an input without elements (kIsPlaced).
//
// Each warp first compares a few pairs of neighbours from all over the input. If the input is in no order, about half
// of these are in the wrong order, and nothing more is done. Otherwise the warp checks whether keys from all over the
// input fall so often from one to the next that there are too many runs: if a key is less than one to its left, another
// run has begun.
#pragma once
#include "parts/order_search.cuh"
#include "parts/order_spans.cuh"
#include "parts/run_search.cuh"
#include "parts/sample.cuh"
#include "parts/segments.cuh"

// How many keys from all over the input a lane examines.
constexpr u32 kGuessKeys = 4;

// Returns whether a few neighbours are in order, and keys from all over the input may belong to at most this many runs.
// All threads of all blocks get the same answer.
__device__ __forceinline__ bool guess_runs(const ElementArray& in, u64 count, u32 most_runs) {
    const u32 lane = threadIdx.x % kWarpSize;
    const u64 place = Strata(count - 1, kWarpSize).random_place(lane, kWarpSize + lane);
    if (!__all_sync(kAllLanes, !less(in.key(place + 1, false), in.key(place, false)))) {
        return false;
    }
    const Strata strata(count, kGuessKeys * kWarpSize);
    OrderedKey keys[kGuessKeys];
#pragma unroll
    for (u32 i = 0; i < kGuessKeys; ++i) {
        const u32 stratum = lane * kGuessKeys + i;
        keys[i] = in.key(strata.random_place(stratum, 2 * kWarpSize + stratum), false);
    }
    const OrderedKey before = shuffle(keys[kGuessKeys - 1], lane - 1);
    u32 falls = lane != 0 && less(keys[0], before) ? 1 : 0;
#pragma unroll
    for (u32 i = 1; i < kGuessKeys; ++i) {
        falls += less(keys[i], keys[i - 1]) ? 1 : 0;
    }
    return warp_sum(falls) < most_runs;
}

// Notes that a run begins at a place. Returns false if there are too many runs. In that case counting stops, since
// thousands of warps would wait for the same counter in an input with little order.
__device__ __forceinline__ bool note_run(RunSearch* search, u64 place, u32 most_runs) {
    if (*(const volatile u32*)&search->falls + 1 >= most_runs) {
        return false;
    }
    const u32 number = atomicAdd(&search->falls, 1u);
    if (number + 1 >= most_runs) {
        return false;
    }
    *(volatile u64*)&search->found[number] = place;
    return true;
}

// Puts the begins of runs in order, once all have been found. One warp calls this.
__device__ __forceinline__ void order_runs(RunSearch* search, u64 count) {
    const volatile u64* found = search->found;
    const u32 falls = *(const volatile u32*)&search->falls;
    for (u32 number = threadIdx.x; number < falls; number += kWarpSize) {
        const u64 begin = found[number];
        u32 place = 1;
        for (u32 other = 0; other < falls; ++other) {
            place += found[other] < begin;
        }
        search->begins[place] = begin;
    }
    if (threadIdx.x == 0) {
        search->begins[0] = 0;
        search->begins[falls + 1] = count;
        search->run_count = falls + 1;
    }
}

// `mark` is the mark of the input for the first pass.
extern "C" __global__ void __launch_bounds__(kOrderThreads, kOrderBlocks) find_runs(
    ElementArray in, ElementArray copy, u64 count, RunSearch* search, u64 most_runs, const OrderSearch* order, u8* mark,
    u32* host_order) {
    // The input may already lie where it belongs.
    if (!follow_look(order) || *mark == kIsPlaced || !guess_runs(in, count, (u32)most_runs)) {
        return;
    }
    const auto look = [&](u64 place, const OrderedKey& left, const OrderedKey& right) {
        return !less(right, left) || note_run(search, place, (u32)most_runs);
    };
    const auto store = [&](u64 place, const Element& element) { copy.store_ordered(place, element); };
    const bool fits = all_spans(search, count, true, [&](u64 begin, u64 end) {
        return look_at_span<kOrderItems, true>(in, count, begin, end, look, store);
    });
    __threadfence();
    // A block that has stopped early is not counted.
    if (__syncthreads_and(fits) && threadIdx.x < kWarpSize) {
        const u32 before = threadIdx.x == 0 ? atomicAdd(&search->done, 1u) : 0;
        if (__shfl_sync(kAllLanes, before, 0) == gridDim.x - 1) {
            __threadfence();
            order_runs(search, count);
            if (threadIdx.x == 0) {
                *mark = kIsPlaced;
                tell_host(host_order, kIsInOrder);
            }
        }
    }
}
