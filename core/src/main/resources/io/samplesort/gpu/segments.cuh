// Segments: the buckets that one distribution pass divides further (the first pass has one, the whole input), and the
// tiles they are cut into.
#pragma once

enum SegmentKind : u8 {
    kDistribute = 0,
    kDistributeWithEqualityBuckets = 1,
    // Nothing to divide: an equality bucket, or small enough for the small sort. The tiles are copied.
    kCopy = 2
};

// One distribution pass: what it reads of its segments, what it writes of their buckets. Bucket b of segment s is bucket
// s * k + b of the pass, and segment s * k + b of the next one. The host lays this struct out as eight-byte fields.
struct Pass {
    u64 element_count;
    u64 segment_count;
    u64 log_bucket_count;         // log2 of k, the buckets of one segment
    const u64* segment_offsets;   // [segment_count + 1]
    const u8* segment_equality;   // [segment_count], 1 where all keys of the segment are equal
    u8* segment_kinds;            // [segment_count], a SegmentKind
    OrderedKey* splitter_trees;          // [segment_count * k], in heap order; entry 0 of each tree is unused
    u64* bucket_counts;           // [segment_count * k]; scan_counts turns them into the buckets' write positions
    u64* bucket_offsets;          // [segment_count * k + 1]
    u8* bucket_equality;          // [segment_count * k]
};
static_assert(sizeof(Pass) == 10 * 8, "Kernels writes Pass as ten eight-byte fields");

struct Tile {
    u64 segment;
    u64 begin;
    u32 count;
};

// Numbers the tiles of all segments without a prefix sum over them: segment s owns the slots from
// offset(s) / tileSize + s. Slots never overlap, and at most one a segment stays empty. A block takes consecutive slots,
// so it reloads a splitter tree only where it crosses into the next segment.
class TileSlots {
  public:
    __device__ TileSlots(const Pass& pass, u64 block, u64 block_count)
        : pass_(pass) {
        const u64 slot_count = first_slot(pass.segment_count);
        const u64 per_block = ceil_div(slot_count, block_count);
        slot_ = min_of(block * per_block, slot_count);
        end_ = min_of(slot_ + per_block, slot_count);
        u64 low = 0;
        u64 high = pass.segment_count;
        while (high - low > 1) {
            const u64 middle = (low + high) / 2;
            if (first_slot(middle) <= slot_) {
                low = middle;
            } else {
                high = middle;
            }
        }
        segment_ = low;
    }

    // The next tile that is not empty; false at the end of this block's share.
    __device__ bool next(Tile& tile) {
        for (; slot_ < end_; ++slot_) {
            while (slot_ >= first_slot(segment_ + 1)) {
                ++segment_;
            }
            const u64 segment_end = pass_.segment_offsets[segment_ + 1];
            const u64 begin = pass_.segment_offsets[segment_] + (slot_ - first_slot(segment_)) * kTileSize;
            if (begin < segment_end) {
                tile.segment = segment_;
                tile.begin = begin;
                tile.count = (u32)min_of<u64>(kTileSize, segment_end - begin);
                ++slot_;
                return true;
            }
        }
        return false;
    }

  private:
    __device__ u64 first_slot(u64 segment) const {
        return pass_.segment_offsets[segment] / kTileSize + segment;
    }

    const Pass& pass_;
    u64 slot_;
    u64 end_;
    u64 segment_;
};
