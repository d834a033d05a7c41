// The common part of scatters that do not keep the order of equal keys: atomics decide the rank of an item in its
// bucket, and the places of a tile there.
#pragma once
#include "parts/bucket_order.cuh"

// Returns the lanes of the warp whose bucket is that of lane `leader`.
__device__ __forceinline__ u32 lanes_with(u32 leader, u32 bucket) {
    return __ballot_sync(kAllLanes, bucket == __shfl_sync(kAllLanes, bucket, (int)leader));
}

// Returns the ranks of a warp's elements in the one bucket to which all of them go.
__device__ __forceinline__ u32 count_warp(u32* counts, u32 bucket) {
    const u32 lane = threadIdx.x % kWarpSize;
    const u32 before = lane == 0 ? atomicAdd(&counts[bucket], kWarpSize) : 0;
    return __shfl_sync(kAllLanes, before, 0) + lane;
}

// Returns the rank of each lane's element in its bucket, for warps whose lanes often all go to one bucket: one lane
// then counts for all.
__device__ __forceinline__ u32 count_together(u32* counts, u32 bucket) {
    return lanes_with(0, bucket) == kAllLanes ? count_warp(counts, bucket) : atomicAdd(&counts[bucket], 1u);
}

// Does the same for warps most of whose lanes go to one or two buckets: the lanes of the first lane's bucket count
// together, so do those of the first other bucket, and each of the rest counts alone. All count at once; one group
// after the other would wait for shared memory several times.
__device__ __forceinline__ u32 count_in_groups(u32* counts, u32 bucket) {
    const u32 first = lanes_with(0, bucket);
    if (first == kAllLanes) {
        return count_warp(counts, bucket);
    }
    const u32 second = lanes_with((u32)__ffs((int)~first) - 1, bucket);
    const u32 lane = threadIdx.x % kWarpSize;
    const u32 group = (first >> lane & 1) != 0 ? first : (second >> lane & 1) != 0 ? second : 1u << lane;
    const u32 leader = (u32)__ffs((int)group) - 1;
    const u32 before = lane == leader ? atomicAdd(&counts[bucket], (u32)__popc(group)) : 0;
    return __shfl_sync(kAllLanes, before, (int)leader) + __popc(group & ((1u << lane) - 1));
}

// Does the same for warps many of whose lanes go to one known bucket: these count together, and each other lane counts
// alone.
__device__ __forceinline__ u32 count_with_frequent(u32* counts, u32 bucket, u32 frequent) {
    const u32 lane = threadIdx.x % kWarpSize;
    const bool is_frequent = bucket == frequent;
    const u32 lanes = __ballot_sync(kAllLanes, is_frequent);
    const u32 lanes_before = lanes & ((1u << lane) - 1);
    u32 rank = 0;
    if (!is_frequent || lanes_before == 0) {
        rank = atomicAdd(&counts[bucket], is_frequent ? (u32)__popc(lanes) : 1u);
    }
    const u32 begin = __shfl_sync(kAllLanes, rank, __ffs((int)lanes) - 1);
    return is_frequent ? begin + __popc(lanes_before) : rank;
}

// If this many lanes count in one bucket, waiting for each other takes longer than counting in groups.
constexpr u32 kManyLanes = 12;

// Returns whether many lanes go to the bucket of the first lane or of the last, as they do if neighbouring keys are
// close.
__device__ __forceinline__ bool many_lanes_together(u32 bucket) {
    return max_of<u32>(__popc(lanes_with(0, bucket)), __popc(lanes_with(kWarpSize - 1, bucket))) >= kManyLanes;
}

// Ranks the items of a tile: the bits of each word from kShift on become the rank of its item in its bucket.
// `bucket_of` returns the bucket of a word. Lanes that count in one bucket wait for each other, so the first item
// decides how all are counted, unless a bucket is known to be `frequent`.
template <u32 kShift, typename BucketOf>
__device__ __forceinline__ void rank_by_counting(
    u32* counts, const Tile& tile, u32 (&words)[kDistributionItems], const BucketOf& bucket_of,
    u32 frequent = kNoBucket) {
    if (many_lanes_together(bucket_of(words[0]))) {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            words[i] |= count_in_groups(counts, bucket_of(words[i])) << kShift;
        }
    } else if (frequent != kNoBucket) {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            words[i] |= count_with_frequent(counts, bucket_of(words[i]), frequent) << kShift;
        }
    } else if (tile.count != kTileSize) {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            words[i] |= count_together(counts, bucket_of(words[i])) << kShift;
        }
    } else {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            words[i] |= atomicAdd(&counts[bucket_of(words[i])], 1u) << kShift;
        }
    }
}

// Turns the counts of the tile's buckets into first positions, and reserves that many places in each bucket. The places
// are returned and not yet put into shared memory, so that no thread waits for the atomics before the elements are in
// bucket order.
template <typename Shared, u32 kShare>
__device__ __forceinline__ void reserve_places(
    const Shared& shared, const Pass& pass, const Tile& tile, u64 (&places)[kShare]) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    u64* write_positions = pass.write_positions + ((u64)tile.segment << pass.log_bucket_count);
    const u32 share = (bucket_count + kDistributionThreads - 1) / kDistributionThreads;
    const u32 first = threadIdx.x * share;
    u32 counts[kShare];
    u32 sum = 0;
#pragma unroll
    for (u32 i = 0; i < kShare; ++i) {
        counts[i] = i < share && first + i < bucket_count ? shared.starts[first + i] : 0;
        if (counts[i] != 0) {
            sum += count_with_number(counts[i]);
            places[i] = atomicAdd(&write_positions[first + i], (u64)counts[i]);
        }
    }
    find_starts(shared, tile, bucket_count, share, first, counts, sum);
}
