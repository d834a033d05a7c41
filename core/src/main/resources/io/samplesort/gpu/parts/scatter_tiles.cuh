// How elements move to their buckets if equal keys need not keep their order. A tile is first put in bucket order in
// shared memory, so that neighbouring threads write neighbouring addresses. It reserves its places in each bucket with
// one global atomic.
#pragma once
#include "parts/bucket_order.cuh"
#include "parts/counted_ranks.cuh"

// Scatters the tile whose elements are in registers. load_next() replaces them by the elements of the next tile, as
// soon as they are in shared memory.
//
// Items past the end of a tile go to a bucket after all others, which is never written. So no step asks whether there
// is an element, and the steps of all items of a thread are in flight at once. With a branch around each step, the
// items would wait for shared memory one after another.
template <typename Source, typename Target, typename LoadNext>
__device__ __forceinline__ void scatter_tile(
    const ScatterShared& shared, const Source& in, const Target& out, const Pass& pass, const Tile& tile,
    bool with_equality_buckets, Element (&elements)[kDistributionItems], const LoadNext& load_next) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    u32 buckets[kDistributionItems];
    for (u32 bucket = threadIdx.x; bucket <= bucket_count; bucket += kDistributionThreads) {
        shared.starts[bucket] = 0;
    }
    find_tile_buckets(shared, pass, with_equality_buckets, elements, buckets);
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
    // position.
    const auto counter_of = [](u32 bucket) { return bucket; };
    rank_by_counting<kRankShift>(shared.starts, tile, buckets, counter_of, *shared.frequent);
    __syncthreads();
    u64 places[kBucketShare];
    reserve_places(shared, pass, tile, places);
    __syncthreads();
    const auto outlook = out.template look_ahead<kBucketShare>(pass);
    // All loads come before the first store, as the compiler cannot know that they read different memory.
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        buckets[i] += shared.starts[buckets[i] % (1u << kRankShift)] << kRankShift;
    }
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        shared.elements[buckets[i] >> kRankShift] = elements[i];
    }
    load_next();
    const auto begun = out.publish(shared, pass, places, outlook);
    const u32 loaded_before = in.count_loaded(tile);
    out.write(shared, begun);
    in.release(tile, loaded_before);
}

// Moves all elements of the tiles that `slots` finds for this block.
template <typename Source, typename Target, typename Slots>
__device__ __forceinline__ void scatter_tiles(const Source& in, const Target& out, const Pass& pass, Slots& slots) {
    const ScatterShared shared;
    Tile tile;
    Element elements[kDistributionItems];
    u32 segment = ~0u;
    u8 kind = kCopy;
    bool has_tile = slots.next(tile);
    if (has_tile) {
        in.load(pass, tile, in.begin(tile), elements);
    }
    while (has_tile) {
        if (tile.segment != segment) {
            segment = tile.segment;
            kind = load_segment<Target::kHasRooms>(shared, pass, segment);
            __syncthreads();
        }
        in.order(pass, elements);
        Tile next;
        const bool has_next = slots.next(next);
        const u64 next_begin = has_next ? in.begin(next) : 0;
        const auto load_next = [&]() {
            if (has_next) {
                in.load(pass, next, next_begin, elements);
            }
        };
        if (kind >= kCopy) {
            out.copy(pass, tile, kind, elements);
            load_next();
        } else {
            scatter_tile(shared, in, out, pass, tile, kind == kDistributeWithEqualityBuckets, elements, load_next);
        }
        tile = next;
        has_tile = has_next;
    }
}
