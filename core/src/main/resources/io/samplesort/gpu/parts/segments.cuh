// Segments are the buckets that one distribution pass divides further (the first pass has one, the whole input). They
// are cut into tiles.
#pragma once

enum SegmentKind : u8 {
    kDistribute = 0,
    kDistributeWithEqualityBuckets = 1,
    // There is nothing to divide: the segment is an equality bucket, or small enough for the small sort. Its tiles are
    // copied.
    kCopy = 2
};

// One distribution pass: what it reads of its segments, and what it writes of their buckets. Bucket b of segment s is
// bucket s * k + b of the pass, and segment s * k + b of the next one.
//
// Elements lie at `begins`, and in the end they belong at `offsets`. In the exact layout, where count_buckets runs
// first, the two are the same. In the fast layout nobody counts: a bucket has as much room as its part of the sample
// suggests, and some slack (select_splitters.cuh), so there are gaps between the buckets until the small sort closes
// them. If a bucket needs more room all the same, that is an overflow: the input is still as it was, and merge_sort
// sorts it.
//
// The host writes all fields as eight bytes each, by the same names (KernelStructs.Pass).
struct Pass {
    u64 element_count;
    u64 segment_count;
    u64 log_bucket_count;         // log2 of k, the buckets of one segment
    u64* segment_offsets;         // [segment_count + 1]
    const u64* segment_begins;    // [segment_count]
    const u8* segment_equality;   // [segment_count], 1 where all keys of the segment are equal
    u8* segment_kinds;            // [segment_count], a SegmentKind
    OrderedKey* splitter_trees;   // [segment_count * k], in heap order; entry 0 of each tree is unused
    u64* write_positions;         // [segment_count * k]: counts until scan_counts in the exact layout
    u64* bucket_offsets;          // [segment_count * k + 1]
    u64* bucket_begins;           // [segment_count * k + 1]; a bucket's room ends where the next one's begins
    u8* bucket_equality;          // [segment_count * k]
    u64 index;                    // of this pass
    u32* overflows;               // [index + 1]: for each pass, 1 where a bucket had too little room
    u64 room;                     // for each element of a segment, in units of 1 / kRoomUnit; 0 in the exact layout
};

// Returns whether one of the first `pass_count` passes had an overflow. The kernels of a later pass then do nothing.
__device__ __forceinline__ bool overflowed(const u32* overflows, u64 pass_count) {
    u32 any = 0;
    for (u64 pass = 0; pass < pass_count; ++pass) {
        any |= overflows[pass];
    }
    return any != 0;
}

// Returns where the room of the buckets of segment `segment` begins in the fast layout; for one segment more than there
// are, where all room ends.
__device__ __forceinline__ u64 room_begin(const Pass& pass, u64 segment) {
    // Each bucket's room is rounded up.
    return pass.segment_offsets[segment] / kRoomUnit * pass.room
        + pass.segment_offsets[segment] % kRoomUnit * pass.room / kRoomUnit + (segment << pass.log_bucket_count);
}

struct Tile {
    u32 segment;
    u64 begin;
    u32 count;
};

// Numbers the tiles of all segments without a prefix sum over them: segment s owns the slots from offset(s) / tileSize
// + s on. Slots never overlap, and at most one slot of each segment stays empty, its last. 32 bits number more slots
// than the memory of a GPU has room for, and save registers.
__device__ __forceinline__ u32 first_slot(const Pass& pass, u32 segment) {
    return (u32)(pass.segment_offsets[segment] / kTileSize) + segment;
}

// Returns the segment that owns a slot, which is `low` or a later one before `high`.
__device__ __forceinline__ u32 segment_of_slot(const Pass& pass, u32 slot, u32 low, u32 high) {
    while (high - low > 1) {
        const u32 middle = (low + high) / 2;
        if (first_slot(pass, middle) <= slot) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// A block takes consecutive slots, so it loads another splitter tree only where it crosses into the next segment.
class TileSlots {
  public:
    __device__ TileSlots(const Pass& pass, u32 block, u32 block_count)
        : pass_(pass) {
        const u64 slot_count = first_slot(pass, (u32)pass.segment_count);
        const u64 per_block = ceil_div(slot_count, block_count);
        slot_ = (u32)min_of(block * per_block, slot_count);
        end_ = (u32)min_of(slot_ + per_block, slot_count);
        segment_ = segment_of_slot(pass, slot_, 0, (u32)pass.segment_count);
    }

    // Finds the next tile that is not empty; returns false at the end of this block's share.
    __device__ bool next(Tile& tile) {
        for (; slot_ < end_; ++slot_) {
            while (slot_ >= first_slot(pass_, segment_ + 1)) {
                ++segment_;
            }
            const u64 size = pass_.segment_offsets[segment_ + 1] - pass_.segment_offsets[segment_];
            const u64 begin = (u64)(slot_ - first_slot(pass_, segment_)) * kTileSize;
            if (begin < size) {
                tile.segment = segment_;
                tile.begin = pass_.segment_begins[segment_] + begin;
                tile.count = (u32)min_of<u64>(kTileSize, size - begin);
                ++slot_;
                return true;
            }
        }
        return false;
    }

  private:
    const Pass& pass_;
    u32 slot_;
    u32 end_;
    u32 segment_;
};
