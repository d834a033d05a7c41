// Puts a tile in bucket order in shared memory, so that neighbouring threads then write neighbouring addresses. Both
// scatters do this, whether or not they keep the order of equal keys.
#pragma once
#include "parts/frequent_bucket.cuh"
#include "parts/primitives.cuh"
#include "parts/splitter_grid.cuh"

// Says to which bucket each position of a warp belongs, once a tile is in bucket order. The buckets that have elements
// in the tile are numbered, so counting the positions where buckets start gives the number. This takes an eighth of the
// memory of a number for each position, and one address for a warp.
struct alignas(8) Row {
    u32 starts;         // one bit for each position where a bucket starts
    u32 starts_before;  // how many start in the rows before

    __device__ __forceinline__ u32 bucket(u32 lane) const {
        return starts_before + __popc(starts & (kAllLanes >> (kWarpSize - 1 - lane))) - 1;
    }
};

constexpr u32 kRows = kTileSize / kWarpSize;

struct ScatterShared {
    // Room is estimated, so a bucket may need more than it has.
    static constexpr bool kRoomIsGuessed = true;

    Element* elements;
    Row* rows;
    u32* warp_totals;
    u64* destinations;  // for each bucket with elements: where position 0 of the tile would go
    u32* starts;        // for each bucket: its first position in the tile; before that, in scatter.cuh, its count
    u64* ends;          // for each bucket of the segment: where its room ends
    OrderedKey* tree;
    EqualityBuckets equality;
    SplitterGrid grid;
    u32* segment;   // the segment at hand, for the rare case that a bucket has no room
    u32* tickets;   // two, for the first pass of a sort in place
    u32* frequent;  // the frequent bucket of the segment (frequent_bucket.cuh)

    // These addresses are constants, however many buckets the pass has.
    static constexpr u32 kFirstRow = align_16(kTileSize * sizeof(Element));
    static constexpr u32 kWarpTotals = kFirstRow + align_16(kRows * sizeof(Row));
    static constexpr u32 kDestinations = kWarpTotals + kWarpSize * sizeof(u32);
    static constexpr u32 kStarts = kDestinations + align_16((kMaxBucketCount + 1) * sizeof(u64));
    static constexpr u32 kEnds = kStarts + align_16((kMaxBucketCount + 1) * sizeof(u32));
    static constexpr u32 kTree = kEnds + align_16(kMaxBucketCount * sizeof(u64));
    static constexpr u32 kEquality = kTree + align_16(kMaxBucketCount * sizeof(OrderedKey));
    static constexpr u32 kSegment = kEquality + align_16(EqualityBuckets::word_count(kMaxBucketCount) * sizeof(u32));
    static constexpr u32 kGrid = kSegment + align_16(4 * sizeof(u32));
    static constexpr u32 kBytes = kGrid + SplitterGrid::kBytes;

    __device__ ScatterShared() {
        elements = (Element*)shared_memory;
        rows = (Row*)(shared_memory + kFirstRow);
        warp_totals = (u32*)(shared_memory + kWarpTotals);
        destinations = (u64*)(shared_memory + kDestinations);
        starts = (u32*)(shared_memory + kStarts);
        ends = (u64*)(shared_memory + kEnds);
        tree = (OrderedKey*)(shared_memory + kTree);
        equality.words = (u32*)(shared_memory + kEquality);
        segment = (u32*)(shared_memory + kSegment);
        tickets = segment + 1;
        frequent = segment + 3;
        grid.place(shared_memory + kGrid);
    }

    // Returns where the room of a bucket ends.
    __device__ __forceinline__ u64 room_end(const Pass&, u32 bucket) const { return ends[bucket]; }
};

// The most buckets for each thread of the block.
constexpr u32 kBucketShare = (kMaxBucketCount + kDistributionThreads - 1) / kDistributionThreads;

// The destination of a bucket that has no room left: its elements of this tile are not written.
constexpr u64 kNowhere = 1ull << 63;

// No position of a tile is 2^63 elements away from kNowhere, so the upper half of the bits is enough to tell.
__device__ __forceinline__ bool is_nowhere(u64 destination) {
    return (u32)(destination >> 32) == (u32)(kNowhere >> 32);
}

// Marks where a bucket of `count` > 0 elements, which has number `number` in the tile, starts.
__device__ __forceinline__ void mark_start(Row* rows, u32 start, u32 count, u32 number) {
    const u32 row = start / kWarpSize;
    atomicOr(&rows[row].starts, 1u << start % kWarpSize);
    const u32 last = min_of((start + count) / kWarpSize, kRows - 1);
    for (u32 later = row + 1; later <= last; ++later) {
        rows[later].starts_before = number + 1;
    }
}

constexpr u32 kRankShift = 13;
static_assert(
    kMaxBucketCount < 1u << kRankShift && kTileSize <= 1u << (32 - kRankShift), "rank and bucket share a word");

// Makes the compiler forget where a value comes from.
__device__ __forceinline__ void forget(u32& value) {
#ifdef __CUDA_ARCH__
    asm volatile("" : "+r"(value));
#endif
}

// Returns threadIdx.x. What depends on it is then computed where it is needed. Otherwise the compiler would compute it
// before the first tile and keep it in registers through all of them.
__device__ __forceinline__ u32 thread_again() {
    u32 thread = threadIdx.x;
    forget(thread);
    return thread;
}

// The positions of a tile that a thread loads: item i is i steps after the first position. Neighbouring threads load
// neighbouring elements in any case. If elements keep their order, each warp has its own part of the tile.
constexpr int kPositionStep = KEEPS_ORDER ? (int)kWarpSize : kDistributionThreads;

__device__ __forceinline__ u32 first_position() {
    if constexpr (KEEPS_ORDER) {
        const u32 thread = thread_again();
        return thread / kWarpSize * (kWarpSize * kDistributionItems) + thread % kWarpSize;
    } else {
        return threadIdx.x;
    }
}

// One word counts elements and, from this bit on, the buckets that have some.
constexpr u32 kNumberShift = 17;
static_assert(
    kTileSize < 1u << kNumberShift && kMaxBucketCount < 1u << (32 - kNumberShift), "both counts share a word");

__device__ __forceinline__ u32 count_with_number(u32 count) { return count + (1u << kNumberShift); }

// Turns the counts of the tile's buckets into first positions; each thread has a share of the buckets. `sum` adds up
// count_with_number() over the counts that are not 0.
template <typename Shared, u32 kShare>
__device__ __forceinline__ void find_starts(
    const Shared& shared, const Tile& tile, u32 bucket_count, u32 share, u32 first, const u32 (&counts)[kShare],
    u32 sum) {
    u32 total;
    u32 before = block_exclusive_scan(sum, shared.warp_totals, total);
#pragma unroll
    for (u32 i = 0; i < kShare; ++i) {
        const u32 start = before % (1u << kNumberShift);
        if (i < share && first + i < bucket_count) {
            shared.starts[first + i] = start;
        }
        if (counts[i] != 0) {
            mark_start(shared.rows, start, counts[i], before >> kNumberShift);
            before += count_with_number(counts[i]);
        }
    }
    if (threadIdx.x == 0) {
        shared.rows[0].starts_before = 0;
        shared.starts[bucket_count] = tile.count;
        if (tile.count != kTileSize) {
            mark_start(shared.rows, tile.count, kTileSize - tile.count, total >> kNumberShift);
            shared.destinations[total >> kNumberShift] = kNowhere;
        }
    }
}

// Puts the destinations of the tile's buckets into shared memory, once the places are known.
template <typename Shared, u32 kShare>
__device__ __forceinline__ void publish_places(const Shared& shared, const Pass& pass, const u64 (&places)[kShare]) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    const u32 share = (bucket_count + kDistributionThreads - 1) / kDistributionThreads;
    const u32 first = threadIdx.x * share;
#pragma unroll
    for (u32 i = 0; i < kShare; ++i) {
        if (i < share && first + i < bucket_count) {
            const u32 start = shared.starts[first + i];
            const u32 size = shared.starts[first + i + 1] - start;
            if (size != 0) {
                const bool fits = places[i] + size <= shared.room_end(pass, first + i);
                shared.destinations[shared.rows[start / kWarpSize].bucket(start % kWarpSize)] =
                    fits ? places[i] - start : kNowhere;
                if constexpr (Shared::kRoomIsGuessed) {
                    if (!fits) {
                        atomicMax(&pass.overflows[*shared.segment], 1u);
                    }
                }
            }
        }
    }
}

// Loads the elements of a tile, element base + offset of the pass as load(base, offset).
template <typename Item, typename Load>
__device__ __forceinline__ void load_tile(const Tile& tile, Item (&elements)[kDistributionItems], const Load& load) {
    if (tile.count == kTileSize) {
        const u64 base = tile.begin + first_position();
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            elements[i] = load(base, i * kPositionStep);
        }
    } else {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            // Past the end, the last element is used: it is looked up and goes nowhere.
            elements[i] = load(tile.begin, min_of(first_position() + i * kPositionStep, tile.count - 1));
        }
    }
}

// Keys of the input that are mapped (float_order.cuh) are loaded unchanged, and order_tile() maps them later. A
// computation would wait for its load, and the loads of a tile should be in flight while the previous tile is written.
// Pairs gain nothing from this, and lose registers.
constexpr bool kOrdersLate = kKeysAreMapped && kIsKeyAlone && sizeof(OrderedKey) <= sizeof(u64);

__device__ __forceinline__ void load_tile(
    const ElementArray& in, const Pass& pass, const Tile& tile, Element (&elements)[kDistributionItems]) {
    if constexpr (kOrdersLate) {
        load_tile(tile, elements, [&](u64 base, u32 offset) { return in.from(base).load_ordered(offset); });
    } else if (pass.index != 0) {
        load_tile(tile, elements, [&](u64 base, u32 offset) { return in.from(base).load_ordered(offset); });
    } else if constexpr (SORTS_INDEXES) {
        load_tile(tile, elements, [&](u64 base, u32 offset) { return in.load(base + offset); });
    } else {
        load_tile(tile, elements, [&](u64 base, u32 offset) { return in.from(base).load(offset); });
    }
}

// Makes the keys of a tile that load_tile() has loaded ready to be compared.
__device__ __forceinline__ void order_tile(const Pass& pass, Element (&elements)[kDistributionItems]) {
    if (kOrdersLate && pass.index == 0) {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            elements[i].key = order_key(__builtin_bit_cast(Key, (OrderedKey)elements[i].key));
        }
    }
}

// Writes the elements of a segment that is not divided, unless it stays. In both layouts the segment is bucket 0 of
// itself, in the same order.
__device__ __forceinline__ void copy_tile(
    const ElementArray& out, const Pass& pass, const Tile& tile, u8 kind,
    const Element (&elements)[kDistributionItems]) {
    if (kind == kStay) {
        return;
    }
    const u64 moved =
        pass.bucket_begins[(u64)tile.segment << pass.log_bucket_count] - pass.segment_begins[tile.segment];
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        const u32 index = first_position() + i * kPositionStep;
        if (index < tile.count) {
            out.store_ordered(tile.begin + moved + index, elements[i]);
        }
    }
}

// Finds the buckets of a tile's elements.
__device__ __forceinline__ void find_tile_buckets(
    const ScatterShared& shared, const Pass& pass, bool with_equality_buckets,
    const Element (&elements)[kDistributionItems], u32 (&buckets)[kDistributionItems]) {
    if constexpr (kHasGrid) {
        if (shared.grid.exists()) {
            shared.grid.find_buckets(shared.tree, with_equality_buckets, elements, buckets);
            return;
        }
    }
    find_buckets(shared.tree, (u32)pass.log_bucket_count, shared.equality, with_equality_buckets, elements, buckets);
}

// Loads the data that the tiles of a segment share, and the ends of the buckets' rooms if they have any. The block sees
// these after its next barrier.
template <bool kHasRooms>
__device__ __forceinline__ u8 load_segment(const ScatterShared& shared, const Pass& pass, u32 segment) {
    const u8 kind = pass.segment_kinds[segment];
    if (threadIdx.x == 0) {
        *shared.segment = segment;
    }
    if (kind < kCopy) {
        load_tree(shared.tree, shared.equality, pass, segment, kind);
        if (!KEEPS_ORDER && threadIdx.x < kWarpSize) {
            const u32 bucket_count = 1u << pass.log_bucket_count;
            const u32 bucket = kind == kDistribute
                ? kNoBucket
                : find_frequent_bucket(pass.splitter_trees + ((u64)segment << pass.log_bucket_count), bucket_count);
            if (threadIdx.x == 0) {
                *shared.frequent = bucket;
            }
        }
        if constexpr (kHasRooms) {
            const u64* bucket_ends = pass.bucket_ends + ((u64)segment << pass.log_bucket_count);
            for (u32 bucket = threadIdx.x; bucket < 1u << pass.log_bucket_count; bucket += kDistributionThreads) {
                shared.ends[bucket] = bucket_ends[bucket];
            }
        }
        if constexpr (kHasGrid) {
            __syncthreads();
            shared.grid.build(
                shared.tree, 1u << pass.log_bucket_count, kind == kDistributeWithEqualityBuckets, shared.warp_totals);
        }
    }
    return kind;
}

// Writes a tile that is in bucket order to the places of its buckets.
__device__ __forceinline__ void write_tile(const ScatterShared& shared, const ElementArray& out) {
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

// The source of the elements of a pass: one array.
struct FromArray {
    const ElementArray& in;

    // Returns where the elements of a tile begin.
    __device__ __forceinline__ u64 begin(const Tile& tile) const { return tile.begin; }

    // Loads a tile whose elements begin at `begin`.
    __device__ __forceinline__ void load(
        const Pass& pass, const Tile& tile, u64, Element (&elements)[kDistributionItems]) const {
        load_tile(in, pass, tile, elements);
    }

    // Makes their keys ready to be compared.
    __device__ __forceinline__ void order(const Pass& pass, Element (&elements)[kDistributionItems]) const {
        order_tile(pass, elements);
    }

    // Nothing waits until the elements of a tile have been loaded.
    __device__ __forceinline__ u32 count_loaded(const Tile&) const { return 0; }
    __device__ __forceinline__ void release(const Tile&, u32) const {}
};

// The target of the elements of a pass: the rooms of their buckets in one array.
struct ToArray {
    static constexpr bool kHasRooms = true;

    const ElementArray& out;

    // What a thread requests before places are known: nothing.
    template <u32 kShare>
    struct Outlook {};

    // What is left to do for the buckets of a tile when it is written: nothing.
    struct Begun {};

    template <u32 kShare>
    __device__ __forceinline__ Outlook<kShare> look_ahead(const Pass&) const {
        return {};
    }

    // Says where the elements of a tile go in each bucket, once the places are known. After this the block sees these
    // destinations, and the tile in bucket order.
    template <typename Shared, u32 kShare>
    __device__ __forceinline__ Begun
    publish(const Shared& shared, const Pass& pass, const u64 (&places)[kShare], const Outlook<kShare>&) const {
        publish_places(shared, pass, places);
        __syncthreads();
        return {};
    }

    // Writes a tile that is in bucket order.
    __device__ __forceinline__ void write(const ScatterShared& shared, const Begun&) const { write_tile(shared, out); }

    // Writes a tile of a segment that is not divided.
    __device__ __forceinline__ void copy(
        const Pass& pass, const Tile& tile, u8 kind, const Element (&elements)[kDistributionItems]) const {
        copy_tile(out, pass, tile, kind, elements);
    }
};
