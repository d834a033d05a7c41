// Moves items to cells that each thread has noted for its items, as it takes several steps to find these: cells that
// are divided by second numbers (cell_sort.cuh), and those of buckets with few different numbers (repeat_sort.cuh).
#pragma once
#include "parts/next_bucket.cuh"
#include "parts/word_rounds.cuh"

// What became of a bucket: it is sorted, or its items are to be read in an order that is known (word_rounds.cuh), or a
// cell has too many items, or another kind of cells should be tried.
enum class CellOutcome { kSorted, kOrdered, kUneven, kOtherKind };

template <int kItems, typename Item, u32 kCells>
struct NotedCells : WordRounds<kItems, Item, kCells> {
    using Counts = CellCounts<kItems, Item, kCells>;
    using Rounds = WordRounds<kItems, Item, kCells>;
    using Items = PaddedItems<kItems, Item>;
    using Large = LargeCells<kItems, Item, kCells>;

    static constexpr u32 kMostInCell = Large::kMostInCell;
    // Whether there may be many equal items of the same second number.
    static constexpr bool kItemsMayBeEqual = !KEEPS_ORDER && !SORTS_INDEXES;

    using Counts::cells;
    using Counts::for_each_item;
    using Counts::kWarpItems;
    using Counts::slots;
    using Counts::warp_totals;
    using Rounds::sort_neighbours;

    // The cells of the items of a thread, two in a word: registers are for items.
    struct Notes {
        u32 words[kItems / 2];

        template <typename CellOf>
        __device__ __forceinline__ void set(const Item (&items)[kItems], u32 count, const CellOf& cell_of_item) {
#pragma unroll
            for (int i = 0; i < kItems / 2; ++i) {
                words[i] = 0;
            }
            for_each_item(count, [&](int i) { words[i / 2] |= cell_of_item(items[i]) << i % 2 * 16; });
        }

        __device__ __forceinline__ u32 operator[](int i) const { return words[i / 2] >> i % 2 * 16 & 0xffff; }
    };

    __device__ __forceinline__ explicit NotedCells(unsigned char* memory) : Rounds(memory) {}

    // Counts the items of each cell, turns the counts into where these begin, and returns the greatest one. The cells
    // are clear.
    __device__ __forceinline__ u32 count_noted(u32 count, const Notes& notes) const {
        for_each_item(count, [&](int i) { atomicAdd(&cells[notes[i]], 1u); });
        __syncthreads();
        return this->find_starts();
    }

    // Moves all items to their cells and puts them in order there. The fullest cell has `most` items.
    __device__ __forceinline__ CellOutcome
    sort_noted(const Item (&items)[kItems], u32 count, const Notes& notes, u32 most) const {
        const NoNextBucket none;
        if (!move_noted<1>(items, count, notes, most, none)) {
            return CellOutcome::kUneven;
        }
        sort_neighbours(count, most == 1 ? 0 : min_of(most, kMostInCell), Rounds::kRoundsUnasked);
        return CellOutcome::kSorted;
    }

    // The same where place_of(item) says where an item lies in the bucket (word_rounds.cuh).
    template <typename PlaceOf, typename Next>
    __device__ __forceinline__ CellOutcome order_noted(
        const Item (&items)[kItems], u32 count, const Notes& notes, u32 most, const PlaceOf& place_of,
        Next& next) const {
        if constexpr (Rounds::kHasWords) {
            if (!move_noted<Rounds::kMostByWords / kMostInCell>(items, count, notes, most, next)) {
                return CellOutcome::kUneven;
            }
            next.fetch();
            this->order_neighbours(count, most == 1 ? 0 : min_of(most, Rounds::kMostByWords), place_of);
            return CellOutcome::kOrdered;
        } else {
            return sort_noted(items, count, notes, most);
        }
    }

  private:
    // Moves all items to their cells. What is left to do are neighbours of the same warp that share a cell of at most
    // kOwn items for each lane of a warp. Returns false if a cell has too many items.
    template <u32 kOwn, typename Next>
    __device__ __forceinline__ bool move_noted(
        const Item (&items)[kItems], u32 count, const Notes& notes, u32 most, const Next& next) const {
        if (most > kOwn * kMostInCell && !kItemsMayBeEqual) {
            // One thread has cleared the bounds, and the next sort may keep items there.
            __syncthreads();
            return false;
        }
        const Items sorted{slots, 0};
        for_each_item(count, [&](int i) {
            const u32 place = atomicAdd(&cells[notes[i]], 1u);
            sorted[place] = items[i];
            if (place % kWarpItems == 0) {
                warp_totals[place / kWarpItems] = notes[i];
            }
        });
        const u32* starts = cells - 1;
        __syncthreads();
        if (kItemsMayBeEqual && most > kOwn * kMostInCell) {
            if (__syncthreads_or(!Large::sort(slots, starts)) != 0) {
                return false;
            }
        }
        this->template sort_border<kOwn>(count, starts, [&](u32 border) { return warp_totals[border / kWarpItems]; });
        next.await_place();
        __syncthreads();
        return true;
    }
};
