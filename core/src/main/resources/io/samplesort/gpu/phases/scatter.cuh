// The second phase of a distribution pass: elements move to their buckets (phase 4 of the paper, Section 4, without the
// phases that count before it). A tile is first put in bucket order in shared memory, so that neighbouring threads
// write neighbouring addresses, and it reserves its place in each bucket with one global atomic. The order of equal keys
// is therefore not kept.
#pragma once
#include "parts/bucket_order.cuh"

// Turns the counts of the tile's buckets into first positions, and reserves that many places in each bucket. The places
// are returned and not put into shared memory yet, so that nobody waits for the atomics before the elements are in
// bucket order.
__device__ __forceinline__ void reserve_places(
    const ScatterShared& shared, const Pass& pass, const Tile& tile, u64 (&places)[kBucketShare]) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    u64* write_positions = pass.write_positions + ((u64)tile.segment << pass.log_bucket_count);
    const u32 share = (bucket_count + kDistributionThreads - 1) / kDistributionThreads;
    const u32 first = threadIdx.x * share;
    u32 counts[kBucketShare];
    u32 sum = 0;
#pragma unroll
    for (u32 i = 0; i < kBucketShare; ++i) {
        counts[i] = i < share && first + i < bucket_count ? shared.starts[first + i] : 0;
        if (counts[i] != 0) {
            sum += count_with_number(counts[i]);
            places[i] = atomicAdd(&write_positions[first + i], (u64)counts[i]);
        }
    }
    find_starts(shared, tile, bucket_count, share, first, counts, sum);
}

// Returns the lanes of the warp whose bucket is that of lane `leader`.
__device__ __forceinline__ u32 lanes_with(u32 leader, u32 bucket) {
    return __ballot_sync(kAllLanes, bucket == __shfl_sync(kAllLanes, bucket, (int)leader));
}

// Returns the ranks of a warp's elements in the one bucket that all of them go to.
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

// The same where most lanes go to one or two buckets: the lanes of the first lane's bucket count together, those of the
// first other bucket do too, and each of the rest counts alone. All count at once; one after the other they would wait
// for shared memory several times.
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

// This many lanes in one bucket wait for each other longer than counting in groups takes.
constexpr u32 kManyLanes = 12;

// Returns whether many lanes go to the bucket of the first lane or of the last, as they do where neighbouring keys are
// close.
__device__ __forceinline__ bool many_lanes_together(u32 bucket) {
    return max_of<u32>(__popc(lanes_with(0, bucket)), __popc(lanes_with(kWarpSize - 1, bucket))) >= kManyLanes;
}

// Scatters the tile whose elements are in registers. load_next() loads the elements of the next tile in their place, as
// soon as these are in shared memory.
//
// What stands in for elements past the end of a tile goes to a bucket behind all others, which is nowhere. So no step
// asks whether there is an element, and the steps of all items of a thread are under way at once. With a branch around
// each step, the items waited for shared memory one after the other.
template <typename LoadNext>
__device__ __forceinline__ void scatter_tile(
    const ScatterShared& shared, const ElementArray& out, const Pass& pass, const Tile& tile, bool with_equality_buckets,
    Element (&elements)[kDistributionItems], const LoadNext& load_next) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    u32 buckets[kDistributionItems];
    for (u32 bucket = threadIdx.x; bucket <= bucket_count; bucket += kDistributionThreads) {
        shared.starts[bucket] = 0;
    }
    find_buckets(shared.tree, (u32)pass.log_bucket_count, shared.equality, with_equality_buckets, elements, buckets);
    if (tile.count != kTileSize) {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            buckets[i] = threadIdx.x + i * kDistributionThreads < tile.count ? buckets[i] : bucket_count;
        }
    }
    __syncthreads();
    for (u32 row = threadIdx.x; row < kRows; row += kDistributionThreads) {
        shared.rows[row].starts = 0;
    }
    // From here on each entry holds the bucket, and in the bits above it first the rank within the bucket, then the
    // position. Lanes that count in one bucket wait for each other. The first item stands for all.
    if (many_lanes_together(buckets[0])) {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            buckets[i] |= count_in_groups(shared.starts, buckets[i]) << kRankShift;
        }
    } else if (tile.count != kTileSize) {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            buckets[i] |= count_together(shared.starts, buckets[i]) << kRankShift;
        }
    } else {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            buckets[i] |= atomicAdd(&shared.starts[buckets[i]], 1u) << kRankShift;
        }
    }
    __syncthreads();
    u64 places[kBucketShare];
    reserve_places(shared, pass, tile, places);
    __syncthreads();
    // All loads come before the first store: the compiler cannot know that they read other memory.
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        buckets[i] += shared.starts[buckets[i] % (1u << kRankShift)] << kRankShift;
    }
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        shared.elements[buckets[i] >> kRankShift] = elements[i];
    }
    load_next();
    publish_places(shared, pass, places);
    __syncthreads();
    write_tile(shared, out);
}

extern "C" __global__ void __launch_bounds__(kDistributionThreads, kDistributionBlocks) scatter(
    ElementArray in, ElementArray out, Pass pass) {
    const ScatterShared shared;
    allow_next_kernel();
    TileSlots slots(pass, blockIdx.x, gridDim.x);
    Tile tile;
    Element elements[kDistributionItems];
    u32 segment = ~0u;
    u8 kind = kCopy;
    bool has_tile = slots.next(tile);
    if (has_tile) {
        load_tile(in, pass, tile, elements);
    }
    while (has_tile) {
        if (tile.segment != segment) {
            segment = tile.segment;
            kind = load_segment(shared, pass, segment);
            __syncthreads();
        }
        Tile next;
        const bool has_next = slots.next(next);
        const auto load_next = [&]() {
            if (has_next) {
                load_tile(in, pass, next, elements);
            }
        };
        if (kind >= kCopy) {
            copy_tile(out, pass, tile, kind, elements);
            load_next();
        } else {
            scatter_tile(
                shared, out, pass, tile, kind == kDistributeWithEqualityBuckets, elements, load_next);
        }
        tile = next;
        has_tile = has_next;
    }
}
