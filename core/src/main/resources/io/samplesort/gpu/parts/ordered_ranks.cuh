// Ranks a tile's elements within their buckets, in the order in which the elements lie. Each warp ranks a part of the
// tile of its own, one row of 32 neighbours after another, with counters of its own. The counts of other warps' parts
// are added once all warps have counted.
#pragma once
#include "parts/bucket_order.cuh"

constexpr u32 kDistributionWarps = kDistributionThreads / kWarpSize;

// For each bucket, and for the positions past the end of the tile, a warp has a counter, and one bit for each lane that
// has an element of the bucket in the current row.
constexpr u32 kWarpCounters = align_16((kMaxBucketCount + 1) * sizeof(u16)) / sizeof(u16);
constexpr u32 kWarpLanes = align_16((kMaxBucketCount + 1) * sizeof(u32)) / sizeof(u32);
constexpr u32 kOrderedCounterBytes = kDistributionWarps * kWarpCounters * sizeof(u16);
constexpr u32 kOrderedLaneBytes = kDistributionWarps * kWarpLanes * sizeof(u32);
static_assert(kTileSize <= 1 << 16, "positions fit the counters");

// Clears `bytes` of shared memory, a multiple of 16.
__device__ __forceinline__ void clear_by_warp(void* memory, u32 bytes) {
#pragma unroll 1
    for (u32 i = thread_again() % kWarpSize; i * sizeof(uint4) < bytes; i += kWarpSize) {
        ((uint4*)memory)[i] = uint4{0, 0, 0, 0};
    }
}

// The counters and bits with which one warp ranks.
struct WarpRanks {
    u16* counters;
    u32* lanes;

    // Takes those of the calling warp and clears them.
    __device__ __forceinline__ WarpRanks(u16* counters_of_all, u32* lanes_of_all, u32 bucket_count) {
        const u32 warp = thread_again() / kWarpSize;
        counters = counters_of_all + warp * kWarpCounters;
        lanes = lanes_of_all + warp * kWarpLanes;
        clear_by_warp(counters, align_16((bucket_count + 1) * sizeof(u16)));
        clear_by_warp(lanes, align_16((bucket_count + 1) * sizeof(u32)));
        __syncwarp();
    }
};

// Puts the element's rank among those of its bucket in this warp's part of the tile into the bits above the bucket, and
// leaves the counts in the warp's counters.
//
// Lanes with the same bucket find each other by bits that each sets in shared memory. __match_any_sync took three times
// as long, and votes on each bit of the bucket nearly as long as that.
__device__ __forceinline__ void rank_in_order(const WarpRanks& warp, u32 (&buckets)[kDistributionItems]) {
    const u32 lane = threadIdx.x % kWarpSize;
    const u32 lanes_below = (1u << lane) - 1;
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        atomicOr(&warp.lanes[buckets[i]], 1u << lane);
        __syncwarp();
        const u32 lanes = warp.lanes[buckets[i]];
        const u32 rank = warp.counters[buckets[i]] + __popc(lanes & lanes_below);
        __syncwarp();
        // The last of these lanes counts for all of them.
        if (lanes >> lane == 1) {
            warp.counters[buckets[i]] = (u16)(rank + 1);
            warp.lanes[buckets[i]] = 0;
        }
        __syncwarp();
        buckets[i] |= rank << kRankShift;
        // Otherwise the compiler would separate rank and bucket again, and keep each in a register of its own.
        forget(buckets[i]);
    }
}

// Returns how many elements of a bucket all warps have counted.
__device__ __forceinline__ u32 sum_of_warps(const u16* counters, u32 bucket) {
    u32 sum = 0;
#pragma unroll
    for (u32 warp = 0; warp < kDistributionWarps; ++warp) {
        sum += counters[warp * kWarpCounters + bucket];
    }
    return sum;
}

// Turns the counts of a bucket into the positions in the tile where each warp's elements of the bucket begin.
__device__ __forceinline__ void begin_warps(u16* counters, u32 bucket, u32 start) {
#pragma unroll
    for (u32 warp = 0; warp < kDistributionWarps; ++warp) {
        u16& counter = counters[warp * kWarpCounters + bucket];
        const u32 count = counter;
        counter = (u16)start;
        start += count;
    }
}
