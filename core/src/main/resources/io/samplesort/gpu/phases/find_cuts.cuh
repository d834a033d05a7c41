// Finds where to cut sorted runs into buckets of a given size, however the elements are distributed: selection in
// several sorted sequences at once (Varman, Scheufler, Iyer, Ricard 1991). This is for elements that come to the device
// in parts and leave it in parts (HostSort).
#pragma once
#include "parts/primitives.cuh"

// The shared memory of a block: three numbers for each lane of a warp.
constexpr u32 kCutSharedBytes = 3 * kWarpSize * sizeof(u64);

// Returns `before` plus how many of the elements from `before` to `end` of a sorted run pass a test, which the first
// ones pass and the others do not. All lanes of a warp call this, and each tests an element of its own.
template <typename Passes>
__device__ __forceinline__ u64 count_passing(u64 before, u64 end, const Passes& passes) {
    while (before < end) {
        const u64 step = ceil_div(end - before, kWarpSize);
        const u64 probe = before + (threadIdx.x % kWarpSize + 1) * step - 1;
        const u32 count = __popc(__ballot_sync(kAllLanes, probe < end && passes(probe)));
        end = min_of(end, before + (count + 1) * step - 1);
        before += count * step;
    }
    return before;
}

// `runs` are elements in the user's form, sorted in runs of `run_length` (the last may be shorter), at most kMaxRuns of
// them. Block b finds how many elements of each run are among the first (b + 1) * run_length of all, with one warp for
// each run. Equal elements come in the order of their runs.
//
// Each round takes the middle of the widest interval in which a cut may lie, and halves at least that interval, so the
// search ends whatever `less` answers. If `less` contradicts itself, the cuts need not add up, and the host checks
// that.
extern "C" __global__ void __launch_bounds__(kMaxRuns* kWarpSize)
    find_cuts(ElementArray runs, u64 count, u64 run_length, u64* cuts) {
    // For each run: its cut lies between low and high, and this many elements are before the pivot.
    u64* low = (u64*)shared_memory;
    u64* high = low + kWarpSize;
    u64* before = high + kWarpSize;
    const u32 lane = threadIdx.x % kWarpSize;
    const u32 run = threadIdx.x / kWarpSize;
    const u32 run_count = blockDim.x / kWarpSize;
    const u64 rank = (blockIdx.x + 1) * run_length;
    if (threadIdx.x < kWarpSize) {
        low[lane] = 0;
        high[lane] = lane < run_count ? min_of(run_length, count - lane * run_length) : 0;
        before[lane] = 0;
    }
    __syncthreads();
    while (true) {
        u64 widest = high[lane] - low[lane];
        u32 owner = lane;
        for (u32 distance = kWarpSize / 2; distance > 0; distance /= 2) {
            const u64 other = __shfl_xor_sync(kAllLanes, widest, distance);
            const u32 other_owner = __shfl_xor_sync(kAllLanes, owner, distance);
            const bool take = other > widest || (other == widest && other_owner < owner);
            widest = take ? other : widest;
            owner = take ? other_owner : owner;
        }
        if (widest == 0) {
            break;
        }
        const u64 middle = low[owner] + widest / 2;
        const OrderedKey pivot = runs.key(owner * run_length + middle, false);
        const u64 begin = run * run_length;
        const u64 found = run == owner ? middle : count_passing(low[run], high[run], [&](u64 index) {
            const OrderedKey key = runs.key(begin + index, false);
            return run < owner ? !less(pivot, key) : less(key, pivot);
        });
        if (lane == 0) {
            before[run] = found;
        }
        __syncthreads();
        u64 pivot_rank = before[lane];
        for (u32 distance = kWarpSize / 2; distance > 0; distance /= 2) {
            pivot_rank += __shfl_xor_sync(kAllLanes, pivot_rank, distance);
        }
        if (lane == 0) {
            if (pivot_rank < rank) {
                low[run] = run == owner ? middle + 1 : found;
            } else {
                high[run] = found;
            }
        }
        __syncthreads();
    }
    if (lane == 0) {
        cuts[blockIdx.x * run_count + run] = low[run];
    }
}
