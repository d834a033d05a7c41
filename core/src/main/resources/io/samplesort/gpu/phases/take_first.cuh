// Copies the first or the last elements of each segment of an array whose segments are sorted. The results of a segment
// lie behind those of the one before, so how many there are is counted first, and then the offsets of the results are
// written.
#pragma once
#include "parts/given_segments.cuh"
#include "parts/primitives.cuh"

// The shared memory of a block: sums and the results of all ranges before its own, or where a tile begins and ends.
constexpr u32 kFirstSharedBytes = (kWarpSize + 1) * sizeof(u64);

// Counts the results of each range of segments, of which each has at most `most`. Launched with kListBlocks blocks.
extern "C" __global__ void __launch_bounds__(kListThreads) count_first(UserSegments segments, u64 most, u64* counts) {
    follow_previous_kernel();
    u64 sum = 0;
    for_segments_of_range(segments, blockIdx.x, [&](u64, u64, u64 size) { sum += min_of(size, most); });
    u64 total;
    block_exclusive_scan(sum, (u64*)shared_memory, total);
    if (threadIdx.x == 0) {
        counts[blockIdx.x] = total;
    }
}

static_assert(kListBlocks <= kListThreads, "a thread adds the count of a range");

// Writes the offsets of the results, given those counts. Launched with kListBlocks blocks.
extern "C" __global__ void __launch_bounds__(kListThreads)
    place_first(UserSegments segments, UserSegments results, u64 most, const u64* counts) {
    follow_previous_kernel();
    u64* warp_totals = (u64*)shared_memory;
    u64* own = warp_totals + kWarpSize;
    u64 all;
    const u64 counted_before =
        block_exclusive_scan(threadIdx.x < kListBlocks ? counts[threadIdx.x] : 0, warp_totals, all);
    if (threadIdx.x == blockIdx.x) {
        *own = counted_before;
    }
    __syncthreads();
    u64 place = *own;
    for_segments_of_range(segments, blockIdx.x, [&](u64 segment, u64, u64 size) {
        u64 total;
        const u64 before = block_exclusive_scan(min_of(size, most), warp_totals, total);
        // Threads beyond the end of the range would write what the next block writes.
        if (segment < range_end(segments, blockIdx.x)) {
            results.set_offset(segment, place + before);
        }
        place += total;
        __syncthreads();
    });
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        results.set_offset(segments.segment_count, all);
    }
}

// The results that a thread copies at once.
constexpr u32 kTakenItems = 4;

// Returns the segment that result `place` belongs to, one of low..high - 1: the last one whose results begin there or
// before. Others that begin at the same place have no results.
__device__ __forceinline__ u32 segment_of_result(const UserSegments& results, u64 place, u32 low, u32 high) {
    while (high - low > 1) {
        const u32 middle = low + (high - low) / 2;
        if (results.offset(middle) <= place) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Copies the keys. A block takes neighbouring results, so that only two threads search all segments.
extern "C" __global__ void __launch_bounds__(kListThreads)
    take_first(UserSegments segments, UserSegments results, const Key* sorted, Key* target, u64 is_last) {
    u32* bounds = (u32*)shared_memory;
    follow_previous_kernel();
    constexpr u64 kTile = kTakenItems * kListThreads;
    const u64 count = results.element_count;
    for (u64 begin = blockIdx.x * kTile; begin < count; begin += gridDim.x * kTile) {
        if (threadIdx.x < 2) {
            const u64 place = threadIdx.x == 0 ? begin : min_of(begin + kTile, count) - 1;
            bounds[threadIdx.x] = segment_of_result(results, place, 0, (u32)results.segment_count);
        }
        __syncthreads();
        u64 sources[kTakenItems];
#pragma unroll
        for (u32 i = 0; i < kTakenItems; ++i) {
            const u64 place = begin + i * kListThreads + threadIdx.x;
            if (place < count) {
                const u32 segment = segment_of_result(results, place, bounds[0], bounds[1] + 1);
                sources[i] = is_last != 0 ? segments.offset(segment + 1) - (results.offset(segment + 1) - place)
                                          : segments.offset(segment) + (place - results.offset(segment));
            }
        }
#pragma unroll
        for (u32 i = 0; i < kTakenItems; ++i) {
            const u64 place = begin + i * kListThreads + threadIdx.x;
            if (place < count) {
                target[place] = sorted[sources[i]];
            }
        }
        __syncthreads();
    }
}
