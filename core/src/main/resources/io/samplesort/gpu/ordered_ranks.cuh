// The ranks of a tile's elements within their buckets in the order in which the elements lie. Each warp ranks a part of the
// tile of its own, a row of 32 neighbours after another, and counts in counters of its own; what is in other warps' parts is
// added once all have counted.
#pragma once

constexpr u32 kDistributionWarps = kDistributionThreads / kWarpSize;

// Of each warp a counter for each bucket, and one for what is past the end of the tile.
constexpr u32 kWarpCounters = align_16((kMaxBucketCount + 1) * sizeof(u16)) / sizeof(u16);
constexpr u32 kOrderedCounterBytes = kDistributionWarps * kWarpCounters * sizeof(u16);
static_assert(kTileSize <= 1 << 16, "positions fit the counters");

// The lanes whose bucket is that of the calling one. All lanes of the warp call this.
__device__ __forceinline__ u32 lanes_with(u32 bucket) {
    return __match_any_sync(kAllLanes, bucket);
}

// The calling warp's counters, which are 0 then. They are cleared before the buckets take up registers.
__device__ __forceinline__ u16* clear_counters(u16* of_all_warps, u32 bucket_count) {
    const u32 thread = thread_again();
    u16* counters = of_all_warps + thread / kWarpSize * kWarpCounters;
    constexpr u32 kAtOnce = sizeof(uint4) / sizeof(u16);
#pragma unroll 1
    for (u32 i = thread % kWarpSize; i * kAtOnce <= bucket_count; i += kWarpSize) {
        ((uint4*)counters)[i] = uint4{0, 0, 0, 0};
    }
    __syncwarp();
    return counters;
}

// Puts above each bucket the element's rank among those of the bucket in this warp's part of the tile, and leaves their
// number in the warp's counters.
__device__ __forceinline__ void rank_in_order(u16* counters, u32 (&buckets)[kDistributionItems]) {
    const u32 lane = threadIdx.x % kWarpSize;
    const u32 lanes_below = (1u << lane) - 1;
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        const u32 lanes = lanes_with(buckets[i]);
        const u32 rank = counters[buckets[i]] + __popc(lanes & lanes_below);
        __syncwarp();
        // The last of them counts for all.
        if (lanes >> lane == 1) {
            counters[buckets[i]] = (u16)(rank + 1);
        }
        __syncwarp();
        buckets[i] |= rank << kRankShift;
        // The compiler knows how to tell rank and bucket apart, and would keep them in a register each.
        forget(buckets[i]);
    }
}

// How many elements of a bucket all warps have counted.
__device__ __forceinline__ u32 sum_of_warps(const u16* counters, u32 bucket) {
    u32 sum = 0;
#pragma unroll
    for (u32 warp = 0; warp < kDistributionWarps; ++warp) {
        sum += counters[warp * kWarpCounters + bucket];
    }
    return sum;
}

// Turns the counts of a bucket into the position in the tile where each warp's elements of it begin.
__device__ __forceinline__ void begin_warps(u16* counters, u32 bucket, u32 start) {
#pragma unroll
    for (u32 warp = 0; warp < kDistributionWarps; ++warp) {
        u16& counter = counters[warp * kWarpCounters + bucket];
        const u32 count = counter;
        counter = (u16)start;
        start += count;
    }
}
