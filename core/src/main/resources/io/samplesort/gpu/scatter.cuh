// Phase 4 of a distribution pass (paper, Section 4): elements move to their buckets. Buckets are looked up again rather
// than stored by count_buckets, as in the paper. Unlike there, a tile is first put in bucket order in shared memory, so
// that neighbouring threads write neighbouring addresses, and reserves its place in each bucket with one global atomic:
// the order of equal keys is therefore not kept.
#pragma once

// What says in which bucket the positions of a warp are, once a tile is in bucket order. Buckets that have elements in the
// tile are numbered there, so that counting the places where one starts gives its number: an eighth of the memory that the
// number itself would take for each position, and one address for a warp.
struct alignas(8) Row {
    u32 starts;         // a bit for each position where a bucket starts
    u32 starts_before;  // in the rows before

    __device__ __forceinline__ u32 bucket(u32 lane) const {
        return starts_before + __popc(starts & (kAllLanes >> (kWarpSize - 1 - lane))) - 1;
    }
};

constexpr u32 kRows = kTileSize / kWarpSize;

struct ScatterShared {
    Element* elements;
    Row* rows;
    u32* warp_totals;
    u64* destinations;  // of a bucket with elements: where position 0 of the tile would go
    u32* starts;        // first the bucket's count in the tile, then its first position
    u64* ends;          // of a bucket of the segment: where its room ends
    OrderedKey* tree;

    // At addresses known to the compiler, however many buckets the pass has.
    __device__ ScatterShared() {
        constexpr u32 kFirstRow = align_16(kTileSize * sizeof(Element));
        constexpr u32 kWarpTotals = kFirstRow + align_16(kRows * sizeof(Row));
        constexpr u32 kDestinations = kWarpTotals + kWarpSize * sizeof(u32);
        constexpr u32 kStarts = kDestinations + align_16((kMaxBucketCount + 1) * sizeof(u64));
        constexpr u32 kEnds = kStarts + align_16((kMaxBucketCount + 1) * sizeof(u32));
        constexpr u32 kTree = kEnds + align_16(kMaxBucketCount * sizeof(u64));
        elements = (Element*)shared_memory;
        rows = (Row*)(shared_memory + kFirstRow);
        warp_totals = (u32*)(shared_memory + kWarpTotals);
        destinations = (u64*)(shared_memory + kDestinations);
        starts = (u32*)(shared_memory + kStarts);
        ends = (u64*)(shared_memory + kEnds);
        tree = (OrderedKey*)(shared_memory + kTree);
    }
};

// Buckets for each thread of the block, at most.
constexpr u32 kBucketShare = (kMaxBucketCount + kDistributionThreads - 1) / kDistributionThreads;

// Where a bucket has no room left: its elements of this tile are not written.
constexpr u64 kNowhere = 1ull << 63;

// No position of a tile is 2^63 elements from there, so half of the bits tell.
__device__ __forceinline__ bool is_nowhere(u64 destination) {
    return (u32)(destination >> 32) == (u32)(kNowhere >> 32);
}

// Marks where a bucket of `count` > 0 elements, which is number `number` of the tile, starts.
__device__ __forceinline__ void mark_start(const ScatterShared& shared, u32 start, u32 count, u32 number) {
    const u32 row = start / kWarpSize;
    atomicOr(&shared.rows[row].starts, 1u << start % kWarpSize);
    const u32 last = min_of((start + count) / kWarpSize, kRows - 1);
    for (u32 later = row + 1; later <= last; ++later) {
        shared.rows[later].starts_before = number + 1;
    }
}

// Turns the counts of the tile's buckets into first positions, and reserves that many places in each bucket. The places are
// returned, not yet in shared memory, so that nobody waits for the atomics before the elements are in bucket order.
__device__ __forceinline__ void reserve_places(
    const ScatterShared& shared, const Pass& pass, const Tile& tile, u64 (&places)[kBucketShare]) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    u64* write_positions = pass.write_positions + ((u64)tile.segment << pass.log_bucket_count);
    const u32 share = (bucket_count + kDistributionThreads - 1) / kDistributionThreads;
    const u32 first = threadIdx.x * share;
    // Elements and buckets that have some, counted in one word.
    constexpr u32 kNumberShift = 17;
    static_assert(kTileSize < 1u << kNumberShift && kMaxBucketCount < 1u << (32 - kNumberShift), "both counts share a word");
    u32 counts[kBucketShare];
    u32 sum = 0;
#pragma unroll
    for (u32 i = 0; i < kBucketShare; ++i) {
        counts[i] = i < share && first + i < bucket_count ? shared.starts[first + i] : 0;
        if (counts[i] != 0) {
            sum += counts[i] + (1u << kNumberShift);
            places[i] = atomicAdd(&write_positions[first + i], (u64)counts[i]);
        }
    }
    u32 total;
    u32 before = block_exclusive_scan(sum, shared.warp_totals, total);
#pragma unroll
    for (u32 i = 0; i < kBucketShare; ++i) {
        const u32 start = before % (1u << kNumberShift);
        if (i < share && first + i < bucket_count) {
            shared.starts[first + i] = start;
        }
        if (counts[i] != 0) {
            mark_start(shared, start, counts[i], before >> kNumberShift);
            before += counts[i] + (1u << kNumberShift);
        }
    }
    if (threadIdx.x == 0) {
        shared.rows[0].starts_before = 0;
        shared.starts[bucket_count] = tile.count;
        if (tile.count != kTileSize) {
            mark_start(shared, tile.count, kTileSize - tile.count, total >> kNumberShift);
            shared.destinations[total >> kNumberShift] = kNowhere;
        }
    }
}

// Puts where the tile's buckets go into shared memory, once the places are known.
__device__ __forceinline__ void publish_places(
    const ScatterShared& shared, const Pass& pass, const u64 (&places)[kBucketShare]) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    const u32 share = (bucket_count + kDistributionThreads - 1) / kDistributionThreads;
    const u32 first = threadIdx.x * share;
#pragma unroll
    for (u32 i = 0; i < kBucketShare; ++i) {
        if (i < share && first + i < bucket_count) {
            const u32 start = shared.starts[first + i];
            const u32 size = shared.starts[first + i + 1] - start;
            if (size != 0) {
                const bool fits = places[i] + size <= shared.ends[first + i];
                shared.destinations[shared.rows[start / kWarpSize].bucket(start % kWarpSize)] =
                    fits ? places[i] - start : kNowhere;
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
            // Past the end the last element stands in: it is looked up, and goes nowhere.
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
//
// What stands in for elements past the end of a tile goes to a bucket behind all others, which is nowhere. So no step asks
// whether there is an element, and the steps of all items of a thread are under way at once: with a branch around each, the
// items waited for shared memory one after the other.
template <typename LoadNext>
__device__ __forceinline__ void scatter_tile(
    const ScatterShared& shared, const ElementArray& out, const Pass& pass, const Tile& tile, bool with_equality_buckets,
    Element (&elements)[kDistributionItems], const LoadNext& load_next) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    u32 buckets[kDistributionItems];
    for (u32 bucket = threadIdx.x; bucket <= bucket_count; bucket += kDistributionThreads) {
        shared.starts[bucket] = 0;
    }
    find_buckets(shared.tree, (u32)pass.log_bucket_count, with_equality_buckets, elements, buckets);
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
    // From here on each entry holds the bucket, and above it first the rank within the bucket, then the position.
    constexpr u32 kRankShift = 13;
    static_assert(kMaxBucketCount < 1u << kRankShift && kTileSize <= 1u << (32 - kRankShift), "rank and bucket share a word");
    if (tile.count != kTileSize || lanes_agree(buckets[0])) {
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
    // All loads before the first store: the compiler cannot know that they are of other memory.
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
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        const u32 position = threadIdx.x + i * kDistributionThreads;
        const Row row = shared.rows[position / kWarpSize];
        const u64 destination = shared.destinations[row.bucket(threadIdx.x % kWarpSize)];
        if (!is_nowhere(destination)) {
            out.store_ordered(destination + position, shared.elements[position]);
        }
    }
}

extern "C" __global__ void __launch_bounds__(kDistributionThreads, kDistributionBlocks) scatter(
    ElementArray in, ElementArray out, Pass pass) {
    const ScatterShared shared;
    allow_next_kernel();
    if (overflowed(pass.overflows, pass.index)) {
        return;
    }
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
            kind = pass.segment_kinds[segment];
            if (kind != kCopy) {
                load_tree(shared.tree, pass, segment);
                const u64* bucket_begins = pass.bucket_begins + ((u64)segment << pass.log_bucket_count);
                for (u32 bucket = threadIdx.x; bucket < 1u << pass.log_bucket_count; bucket += kDistributionThreads) {
                    shared.ends[bucket] = bucket_begins[bucket + 1];
                }
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
            const u64 moved = pass.bucket_begins[(u64)segment << pass.log_bucket_count] - pass.segment_begins[segment];
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
