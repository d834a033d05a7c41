// Phase 4 of a distribution pass (paper, Section 4): elements move to their buckets. Buckets are looked up again rather
// than stored by count_buckets, as in the paper. Unlike there, a tile is first put in bucket order in shared memory, so
// that neighbouring threads write neighbouring addresses, and reserves its place in each bucket with one global atomic:
// the order of equal keys is therefore not kept.
#pragma once

struct ScatterShared {
    OrderedKey* tree;
    u64* destinations;  // of a bucket: where position 0 of the tile would go
    u32* starts;        // first the bucket's count in the tile, then its first position
    u32* warp_totals;
    u16* position_buckets;
    Element* elements;

    // What does not depend on the bucket count comes first, at addresses known to the compiler.
    __device__ explicit ScatterShared(u32 bucket_count) {
        constexpr u32 kPositionBuckets = align_16(kTileSize * sizeof(Element));
        constexpr u32 kWarpTotals = kPositionBuckets + align_16(kTileSize * sizeof(u16));
        constexpr u32 kTree = kWarpTotals + kWarpSize * sizeof(u32);
        elements = (Element*)shared_memory;
        position_buckets = (u16*)(shared_memory + kPositionBuckets);
        warp_totals = (u32*)(shared_memory + kWarpTotals);
        tree = (OrderedKey*)(shared_memory + kTree);
        destinations = (u64*)(shared_memory + kTree + align_16(bucket_count * sizeof(OrderedKey)));
        starts = (u32*)(destinations + bucket_count);
    }
};

// Buckets for each thread of the block, at most.
constexpr u32 kBucketShare = (kMaxBucketCount + kDistributionThreads - 1) / kDistributionThreads;

// Where a bucket has no room left: its elements of this tile are not written.
constexpr u64 kNowhere = 1ull << 63;

// Turns the counts of the tile's buckets into first positions, and reserves that many places in each bucket. The places, and
// where the room of the bucket ends, are returned, not yet in shared memory, so that nobody waits for the atomics before the elements are in bucket order.
__device__ __forceinline__ void reserve_places(
    const ScatterShared& shared, const Pass& pass, u64 segment, u64 (&places)[kBucketShare], u64 (&ends)[kBucketShare]) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    u64* write_positions = pass.write_positions + (segment << pass.log_bucket_count);
    const u64* bucket_begins = pass.bucket_begins + (segment << pass.log_bucket_count);
    const u32 share = (bucket_count + kDistributionThreads - 1) / kDistributionThreads;
    const u32 first = threadIdx.x * share;
    u32 counts[kBucketShare];
    u32 sum = 0;
#pragma unroll
    for (u32 i = 0; i < kBucketShare; ++i) {
        counts[i] = i < share && first + i < bucket_count ? shared.starts[first + i] : 0;
        sum += counts[i];
        if (counts[i] != 0) {
            places[i] = atomicAdd(&write_positions[first + i], (u64)counts[i]);
            ends[i] = bucket_begins[first + i + 1];
        }
    }
    u32 total;
    u32 start = block_exclusive_scan(sum, shared.warp_totals, total);
#pragma unroll
    for (u32 i = 0; i < kBucketShare; ++i) {
        if (i < share && first + i < bucket_count) {
            shared.starts[first + i] = start;
            start += counts[i];
        }
    }
}

__device__ __forceinline__ void publish_places(
    const ScatterShared& shared, const Pass& pass, const u64 (&places)[kBucketShare], const u64 (&ends)[kBucketShare],
    u32 tile_count) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    const u32 share = (bucket_count + kDistributionThreads - 1) / kDistributionThreads;
    const u32 first = threadIdx.x * share;
#pragma unroll
    for (u32 i = 0; i < kBucketShare; ++i) {
        if (i < share && first + i < bucket_count) {
            const u32 start = shared.starts[first + i];
            const u32 end = first + i + 1 < bucket_count ? shared.starts[first + i + 1] : tile_count;
            if (end > start) {
                const bool fits = places[i] + (end - start) <= ends[i];
                shared.destinations[first + i] = fits ? places[i] - start : kNowhere;
                if (!fits) {
                    atomicMax(&pass.overflows[pass.index], 1u);
                }
            }
        }
    }
}

// Loads the elements of a tile, element base + offset of the pass as load(base, offset).
template <typename Load>
__device__ __forceinline__ void load_tile(
    const Tile& tile, Element (&elements)[kDistributionItems], const Load& load) {
    if (tile.count == kTileSize) {
        const u64 base = tile.begin + threadIdx.x;
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            elements[i] = load(base, i * kDistributionThreads);
        }
    } else {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            // Past the end the last element stands in: it is looked up and not counted.
            elements[i] = load(tile.begin, min_of(threadIdx.x + i * kDistributionThreads, tile.count - 1));
        }
    }
}

__device__ __forceinline__ void load_tile(
    const ElementArray& in, const Pass& pass, const Tile& tile, Element (&elements)[kDistributionItems]) {
    if (pass.index != 0) {
        load_tile(tile, elements, [&](u64 base, u32 offset) { return in.from(base).load_ordered(offset); });
    } else if constexpr (SORTS_INDEXES) {
        load_tile(tile, elements, [&](u64 base, u32 offset) { return in.load(base + offset); });
    } else {
        load_tile(tile, elements, [&](u64 base, u32 offset) { return in.from(base).load(offset); });
    }
}

__device__ __forceinline__ bool lanes_agree(u32 bucket) {
    return __all_sync(kAllLanes, bucket == __shfl_sync(kAllLanes, bucket, 0));
}

// The rank of each lane's element in its bucket. Lanes that count in one bucket wait for each other, so where all do, as
// in presorted inputs, one counts for all. All lanes of the warp call this.
__device__ __forceinline__ u32 count_together(u32* counts, u32 bucket) {
    if (!lanes_agree(bucket)) {
        return atomicAdd(&counts[bucket], 1u);
    }
    const u32 lane = threadIdx.x % kWarpSize;
    const u32 before = lane == 0 ? atomicAdd(&counts[bucket], kWarpSize) : 0;
    return __shfl_sync(kAllLanes, before, 0) + lane;
}

// Scatters the tile whose elements are in registers; load_next() loads the next one's in their place, as soon as these are
// in shared memory.
template <typename LoadNext>
__device__ __forceinline__ void scatter_tile(
    const ScatterShared& shared, const ElementArray& out, const Pass& pass, const Tile& tile, bool with_equality_buckets,
    Element (&elements)[kDistributionItems], const LoadNext& load_next) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    u32 buckets[kDistributionItems];
    for (u32 bucket = threadIdx.x; bucket < bucket_count; bucket += kDistributionThreads) {
        shared.starts[bucket] = 0;
    }
    find_buckets(shared.tree, (u32)pass.log_bucket_count, with_equality_buckets, elements, buckets);
    __syncthreads();
    // From here on each entry holds the rank within the bucket as well: one register for both.
    constexpr u32 kRankShift = 12;
    static_assert(kMaxBucketCount <= 1u << kRankShift && kTileSize <= 1u << (32 - kRankShift), "rank and bucket share a word");
    if (tile.count == kTileSize && lanes_agree(buckets[0])) {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            buckets[i] |= count_together(shared.starts, buckets[i]) << kRankShift;
        }
    } else {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            if (threadIdx.x + i * kDistributionThreads < tile.count) {
                buckets[i] |= atomicAdd(&shared.starts[buckets[i]], 1u) << kRankShift;
            }
        }
    }
    __syncthreads();
    u64 places[kBucketShare];
    u64 ends[kBucketShare];
    reserve_places(shared, pass, tile.segment, places, ends);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        if (threadIdx.x + i * kDistributionThreads < tile.count) {
            const u32 bucket = buckets[i] & ((1u << kRankShift) - 1);
            const u32 position = shared.starts[bucket] + (buckets[i] >> kRankShift);
            shared.elements[position] = elements[i];
            shared.position_buckets[position] = (u16)bucket;
        }
    }
    load_next();
    publish_places(shared, pass, places, ends, tile.count);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        const u32 position = threadIdx.x + i * kDistributionThreads;
        if (position < tile.count) {
            const u64 destination = shared.destinations[shared.position_buckets[position]];
            if (destination != kNowhere) {
                out.store_ordered(destination + position, shared.elements[position]);
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(kDistributionThreads, kDistributionBlocks) scatter(
    ElementArray in, ElementArray out, Pass pass) {
    const ScatterShared shared(1u << pass.log_bucket_count);
    allow_next_kernel();
    if (overflowed(pass.overflows, pass.index)) {
        return;
    }
    TileSlots slots(pass, blockIdx.x, gridDim.x);
    Tile tile;
    Element elements[kDistributionItems];
    u64 segment = ~0ull;
    u8 kind = kCopy;
    bool has_tile = slots.next(tile);
    if (has_tile) {
        load_tile(in, pass, tile, elements);
    }
    while (has_tile) {
        if (tile.segment != segment) {
            segment = tile.segment;
            kind = pass.segment_kinds[segment];
            if (kind != kCopy) {
                load_tree(shared.tree, pass, segment);
            }
            __syncthreads();
        }
        Tile next;
        const bool has_next = slots.next(next);
        const auto load_next = [&]() {
            if (has_next) {
                load_tile(in, pass, next, elements);
            }
        };
        if (kind == kCopy) {
            // In both layouts the segment is bucket 0 of itself, in the same order.
            const u64 moved = pass.bucket_begins[segment << pass.log_bucket_count] - pass.segment_begins[segment];
#pragma unroll
            for (int i = 0; i < kDistributionItems; ++i) {
                const u32 index = threadIdx.x + i * kDistributionThreads;
                if (index < tile.count) {
                    out.store_ordered(tile.begin + moved + index, elements[i]);
                }
            }
            load_next();
        } else {
            scatter_tile(
                shared, out, pass, tile, kind == kDistributeWithEqualityBuckets, elements, load_next);
        }
        tile = next;
        has_tile = has_next;
    }
}
