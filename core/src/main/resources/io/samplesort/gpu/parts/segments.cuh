// Segments are the buckets that one distribution pass divides further (the first pass has one, the whole input). They
// are cut into tiles.
#pragma once
#include "parts/basics.cuh"

enum SegmentKind : u8 {
    kDistribute = 0,
    kDistributeWithEqualityBuckets = 1,
    // There is nothing to divide: the segment is an equality bucket, or small enough for the small sort. Its tiles are
    // copied.
    kCopy = 2,
    // The segment stays where it lies, and is bucket 0 of itself.
    kStay = 3
};

// The mark of a segment or a bucket, in one byte. The bit kIsEquality says that all of its keys are equal. A segment
// that stays where it lies also names the array, as PassArrays numbers them. These are
// - equality buckets that are too large for the small sort: they need not move, and there is no room for that;
// - segments one of whose buckets had too little room.
constexpr u8 kIsEquality = 1;
constexpr u8 kStays = 2;

// The mark of an input that already lies where it belongs (find_order.cuh). The passes treat it as an input without
// elements.
constexpr u8 kIsPlaced = 4;

// The mark of a gap between the segments of a user's array (list_long_segments.cuh). It stays where it lies, in no
// array that any pass knows, and nothing is done to it.
constexpr u8 kGap = kStays | 63 << 2;

__device__ __forceinline__ u8 staying_in(u64 array) { return (u8)(kStays | array << 2); }

__device__ __forceinline__ u32 array_of_mark(u8 mark) { return mark >> 2; }

// This bit is set in the begin of a segment that stays in an array that later passes do not read.
constexpr u64 kStaysApart = 1ull << 63;

// One distribution pass: what it reads of its segments, and what it writes of their buckets. Bucket b of segment s is
// bucket s * k + b of the pass, and segment s * k + b of the next one.
//
// Elements lie at `begins`, and finally belong at `offsets`. Buckets are not counted before they are written: a bucket
// has as much room as its part of the sample suggests, and some slack (select_splitters.cuh), so there are gaps between
// the buckets until the small sort closes them. If a bucket needs more room all the same, that is an overflow: its
// segment is still intact and stays where it lies, and merge_sort sorts it.
//
// The segments of a pass may be divided in groups, one after another. A launch then sees only the segments of one
// group. The buckets of later passes get room in the memory that is free by then, and each bucket of the first pass has
// a part of it (place_rooms.cuh).
//
// The host writes all fields as eight bytes each, by the same names (KernelStructs.Pass).
struct Pass {
    u64 element_count;
    u64 segment_count;
    u64 log_bucket_count;        // log2 of k, the buckets of one segment
    u64* segment_offsets;        // [segment_count + 1]
    const u64* segment_begins;   // [segment_count]
    u64* segment_moved;          // [segment_count]: how many elements before it the pass moves, and some more
    const u8* segment_marks;     // [segment_count]
    u8* segment_kinds;           // [segment_count], a SegmentKind
    OrderedKey* splitter_trees;  // [segment_count * k], in heap order; entry 0 of each tree is unused
    u64* write_positions;        // [segment_count * k]: where the next element goes
    u64* bucket_offsets;         // [segment_count * k + 1]
    u64* bucket_begins;          // [segment_count * k]
    u64* bucket_ends;            // [segment_count * k]: where the room of a bucket ends
    u64* bucket_moved;           // [segment_count * k]: segment_moved of the next pass
    u8* bucket_marks;            // [segment_count * k]
    u64 index;                   // of this pass
    u32* overflows;              // [segment_count]: 1 if a bucket of the segment had too little room
    u64 room;                    // for each element of a segment, in units of 1 / kRoomUnit
    u64 slack;                   // room beyond a bucket's expected size, in standard deviations of it
    u64 capacity;                // where the room of all segments ends, unless it is handed out in parts
    u64* part_begins;            // where the part of each bucket of the first pass begins; null without parts
    u64* part_ends;
    u64 log_part_size;  // log2 of how many segments share a part
    u64 part_room;      // room of a part for each element that earlier passes, except the first, take
    u64 part_buckets;   // and in addition to that
    // Whether the input is the only segment of the first pass. Its place is known without any memory.
    u64 is_of_input;
};

// Returns room for `size` elements, in units of 1 / kRoomUnit for each.
__device__ __forceinline__ u64 room_for(u64 size, u64 room) {
    return size / kRoomUnit * room + size % kRoomUnit * room / kRoomUnit;
}

// Returns where the room of the buckets of segment `segment` begins, or where it ends.
__device__ __forceinline__ u64 room_bound(const Pass& pass, u64 segment, bool is_end) {
    const u64 part = segment >> pass.log_part_size;
    const u64 first = part << pass.log_part_size;
    const u64 after = first + (1ull << pass.log_part_size);
    const bool has_parts = pass.part_begins != nullptr;
    const u64 size = is_end ? pass.segment_offsets[segment + 1] - pass.segment_offsets[segment] : 0;
    const u64 moved = pass.segment_moved[segment] - pass.segment_moved[first] + size;
    const u64 before = pass.part_room == 0
        ? 0
        : room_for(pass.segment_offsets[after] - pass.segment_offsets[first], pass.part_room) + pass.part_buckets;
    // The room of each bucket is rounded up.
    const u64 bound = before + room_for(moved, pass.room) + (segment - first + is_end << pass.log_bucket_count);
    return min_of((has_parts ? pass.part_begins[part] : 0) + bound, has_parts ? pass.part_ends[part] : pass.capacity);
}

struct Tile {
    u32 segment;
    u64 begin;
    u32 count;
};

// Numbers the tiles of all segments without a prefix sum over them: segment s owns the slots from offset(s) / tileSize
// + s on. Slots never overlap, and of each segment only the last slot can stay empty. 32 bits suffice for more slots
// than fit the memory of any GPU, and save registers. In a group that is not the first, slots do not begin at 0.
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

// A block takes consecutive slots, so it loads another splitter tree only when it enters the next segment. There are
// more blocks than fit at once, and those that begin later take fewer slots: if there are many, the first takes three
// times as many as the last. So the multiprocessors end at nearly the same time. If `equal_share` is not 0, each block
// takes that many slots, or what is left.
class TileSlots {
  public:
    __device__ TileSlots(const Pass& pass, u32 block, u32 block_count, u64 equal_share = 0) : pass_(pass) {
        const u32 begin = first_slot(pass, 0);
        const u64 slot_count = first_slot(pass, (u32)pass.segment_count) - begin;
        const auto share_begin = [&](u32 first_block) {
            return equal_share == 0 ? falling_share_begin(slot_count, first_block, block_count)
                                    : (u32)min_of(first_block * equal_share, slot_count);
        };
        slot_ = begin + share_begin(block);
        end_ = begin + share_begin(block + 1);
        segment_ = segment_of_slot(pass, slot_, 0, (u32)pass.segment_count);
    }

    // Finds the next tile that is not empty and lies in the array that the pass reads; returns false at the end of this
    // block's share.
    __device__ bool next(Tile& tile) {
        for (; slot_ < end_; ++slot_) {
            while (slot_ >= first_slot(pass_, segment_ + 1)) {
                ++segment_;
            }
            const u64 size = pass_.segment_offsets[segment_ + 1] - pass_.segment_offsets[segment_];
            const u64 begin = (u64)(slot_ - first_slot(pass_, segment_)) * kTileSize;
            const u64 segment_begin = pass_.segment_begins[segment_];
            if (begin < size && (segment_begin & kStaysApart) == 0) {
                tile.segment = segment_;
                tile.begin = segment_begin + begin;
                tile.count = (u32)min_of<u64>(kTileSize, size - begin);
                ++slot_;
                return true;
            }
        }
        return false;
    }

  private:
    // With fewer slots than this for each block, all blocks take the same number.
    static constexpr u64 kManySlots = 4;

    // Returns how many slots the blocks before `block` take.
    __device__ static u32 falling_share_begin(u64 slot_count, u64 block, u64 block_count) {
        if (slot_count < kManySlots * block_count) {
            return (u32)min_of(block * ceil_div(slot_count, block_count), slot_count);
        }
        return (u32)(slot_count * block * (3 * block_count - block) / (2 * block_count * block_count));
    }

    const Pass& pass_;
    u32 slot_;
    u32 end_;
    u32 segment_;
};
