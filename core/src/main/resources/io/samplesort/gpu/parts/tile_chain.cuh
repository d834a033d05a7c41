// Finds where a tile's part of each bucket goes, in the order of the tiles: after the parts of all earlier tiles of the
// segment. One pass over the tiles finds that by decoupled look-back (Merrill, Garland 2016). A tile publishes how many
// elements it has. It adds up the counts of the tiles before it, backwards, until it meets one that has published the
// sum up to its end, and then publishes the sum up to its own end.
//
// This always ends, because tiles are handed out in their order by a ticket: any tile that others wait for has been
// taken by a block that is running. A block has at most two tiles; it publishes the counts of one without waiting, and
// finishes it before it begins the next. So the first unfinished tile never waits, and finishes.
#pragma once
#include "parts/segments.cuh"

// What a tile has published about a bucket's elements: nothing while the word is 0, else a number, with its meaning in
// the two highest bits. A word is written and read atomically, so no other memory order is needed. 32 bits are enough
// for fewer than 2^kNarrowCountBits elements.
template <typename Word>
struct TileWord {
    static constexpr Word kIsCount = Word{1} << (8 * sizeof(Word) - 2);  // the elements of the tile
    static constexpr Word kIsSum = kIsCount * 2;                         // and of all tiles of the segment before it
    static constexpr Word kNumber = kIsCount - 1;
};
static_assert(TileWord<u32>::kIsCount == 1u << kNarrowCountBits, "the host has room for narrow words up to this count");

// The words of one pass.
struct TileChain {
    void* words;  // [tile slots * k], 0 before the launch; of 64 bits if `is_wide`
    u32 bucket_count;
    bool is_wide;

    __device__ TileChain(const Pass& pass, void* words)
        : words(words),
          bucket_count(1u << pass.log_bucket_count),
          is_wide(pass.element_count >> kNarrowCountBits != 0) {}

    // Publishes how many elements of `bucket` the tile has.
    __device__ __forceinline__ void tell_count(u32 slot, bool is_first, u32 bucket, u32 count) const {
        if (is_wide) {
            tell<u64>(slot, bucket, count, is_first);
        } else {
            tell<u32>(slot, bucket, count, is_first);
        }
    }

    // Returns how many elements of `bucket` the `tiles_before` tiles of the segment before this one have. Waits until
    // that is known, and publishes the sum including this tile's `count`.
    __device__ __forceinline__ u64 count_before(u32 slot, u32 tiles_before, u32 bucket, u32 count) const {
        if (tiles_before == 0) {
            return 0;
        }
        return is_wide ? look_back<u64>(slot, tiles_before, bucket, count)
                       : look_back<u32>(slot, tiles_before, bucket, count);
    }

  private:
    // The words that a thread reads at once. With all blocks at work the last known sum is several tiles away, and
    // reading the words one after another would take that many times as long.
    static constexpr u32 kWindow = 4;

    template <typename Word>
    __device__ __forceinline__ volatile Word* word(u32 slot, u32 bucket) const {
        return (volatile Word*)words + (u64)slot * bucket_count + bucket;
    }

    template <typename Word>
    __device__ __forceinline__ void tell(u32 slot, u32 bucket, u64 number, bool is_sum) const {
        *word<Word>(slot, bucket) = (Word)number | (is_sum ? TileWord<Word>::kIsSum : TileWord<Word>::kIsCount);
    }

    template <typename Word>
    __device__ __forceinline__ u64 look_back(u32 slot, u32 tiles_before, u32 bucket, u32 count) const {
        u64 sum = 0;
        u32 seen = 0;
        bool is_complete = false;
        do {
            Word known[kWindow];
#pragma unroll
            for (u32 i = 0; i < kWindow; ++i) {
                // Before the segment's first tile, the sum is 0.
                known[i] = TileWord<Word>::kIsSum;
                if (seen + i < tiles_before) {
                    known[i] = *word<Word>(slot - 1 - seen - i, bucket);
                }
            }
            bool is_known = true;
#pragma unroll
            for (u32 i = 0; i < kWindow; ++i) {
                is_known = is_known && known[i] != 0;
                if (is_known && !is_complete) {
                    sum += known[i] & TileWord<Word>::kNumber;
                    ++seen;
                    is_complete = known[i] >= TileWord<Word>::kIsSum;
                }
            }
        } while (!is_complete);
        tell<Word>(slot, bucket, sum + count, true);
        return sum;
    }
};

// A tile as all threads of its block read it, in shared memory, to keep registers free for elements.
struct ChainedTile : Tile {
    u32 slot;
    u32 tiles_before;  // of its segment
    bool is_last;      // of its segment
    bool exists;       // false if there are no more tiles
};

// Returns whether this is the thread that takes tickets: if there are fewer buckets than threads, it is in a warp
// without buckets.
__device__ __forceinline__ bool takes_tickets() { return threadIdx.x == kDistributionThreads - 1; }

// Takes the next slot of TileSlots; `tickets` slots have been taken. No thread waits for the atomic until the tile is
// shown.
__device__ __forceinline__ u32 take_ticket(const Pass& pass, u32* tickets) {
    return takes_tickets() ? first_slot(pass, 0) + atomicAdd(tickets, 1u) : 0;
}

// Makes `tile` the one of a ticket; the block sees it after its next barrier. It is empty if its slot is empty. `near`
// is a segment that is no later than the tile's.
__device__ __forceinline__ void show_tile(const Pass& pass, u32 ticket, u32 near, ChainedTile& tile) {
    if (!takes_tickets()) {
        return;
    }
    const u32 segment_count = (u32)pass.segment_count;
    tile.exists = ticket < first_slot(pass, segment_count);
    if (!tile.exists) {
        return;
    }
    u32 low = near;
    u32 step = 1;
    while (low + step < segment_count && first_slot(pass, low + step) <= ticket) {
        low += step;
        step *= 2;
    }
    const u32 segment = segment_of_slot(pass, ticket, low, min_of(low + step, segment_count));
    const u64 size = pass.segment_offsets[segment + 1] - pass.segment_offsets[segment];
    const u32 tiles_before = ticket - first_slot(pass, segment);
    const u64 begin = (u64)tiles_before * kTileSize;
    tile.segment = segment;
    const u64 segment_begin = pass.segment_begins[segment];
    tile.begin = segment_begin + begin;
    tile.count = begin < size && (segment_begin & kStaysApart) == 0 ? (u32)min_of<u64>(kTileSize, size - begin) : 0;
    tile.slot = ticket;
    tile.tiles_before = tiles_before;
    tile.is_last = begin + tile.count == size;
}
