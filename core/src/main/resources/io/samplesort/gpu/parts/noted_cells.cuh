// Moves items to cells that each thread has noted for its items, as it takes several steps to find these: cells that
// are divided by second numbers (cell_sort.cuh), and those of buckets with few different numbers (repeat_sort.cuh).
#pragma once
#include "parts/cell_rounds.cuh"
#include "parts/next_bucket.cuh"
#include "parts/word_rounds.cuh"

// What became of a bucket: it is sorted, or its items are to be read in an order that is known (word_rounds.cuh), or a
// cell has too many items, or another kind of cells should be tried.
enum class CellOutcome { kSorted, kOrdered, kUneven, kOtherKind };

template <int kItems, typename Item, u32 kCells>
struct NotedCells {
    using Memory = CellMemory<kItems, Item, kCells>;
    using Items = BlockItems<kItems, Item>;
    using Rounds = CellRounds<kItems, Item>;
    using Words = WordRounds<kItems, Item, kCells>;
    using Large = LargeCells<kItems, Item>;

    static constexpr u32 kMostInCell = Large::kMostInCell;
    // Whether there may be many equal items of the same second number.
    static constexpr bool kItemsMayBeEqual = !KEEPS_ORDER && !SORTS_INDEXES;

    // The cells of the items of a thread, two in a word: registers are for items.
    struct Notes {
        u32 words[kItems / 2];

        template <typename CellOf>
        __device__ __forceinline__ void set(const Items& items, const CellOf& cell_of_item) {
#pragma unroll
            for (int i = 0; i < kItems / 2; ++i) {
                words[i] = 0;
            }
            items.for_each([&](const Item& item, int i) { words[i / 2] |= cell_of_item(item) << i % 2 * 16; });
        }

        __device__ __forceinline__ u32 operator[](int i) const { return words[i / 2] >> i % 2 * 16 & 0xffff; }
    };

    Memory memory;

    // Counts the items of each cell, turns the counts into where these begin, and returns the greatest one. The cells
    // are clear.
    __device__ __forceinline__ u32 count_noted(const Items& items, const Notes& notes) const {
        items.for_each([&](const Item&, int i) { atomicAdd(&memory.cells[notes[i]], 1u); });
        __syncthreads();
        return memory.find_starts();
    }

    // Moves all items to their cells and puts them in order there. The fullest cell has `most` items.
    __device__ __forceinline__ CellOutcome sort_noted(const Items& items, const Notes& notes, u32 most) const {
        const NoNextBucket none;
        if (!move_noted<1>(items, notes, most, none)) {
            return CellOutcome::kUneven;
        }
        Rounds::sort_neighbours(
            memory.slots, items.count, most == 1 ? 0 : min_of(most, kMostInCell), Rounds::kRoundsUnasked);
        return CellOutcome::kSorted;
    }

    // The same where place_of(item) says where an item lies in the bucket (word_rounds.cuh).
    template <typename PlaceOf, typename Next>
    __device__ __forceinline__ CellOutcome
    order_noted(const Items& items, const Notes& notes, u32 most, const PlaceOf& place_of, Next& next) const {
        if constexpr (Words::kHasWords) {
            if (!move_noted<Words::kMostByWords / kMostInCell>(items, notes, most, next)) {
                return CellOutcome::kUneven;
            }
            next.fetch();
            Words::order_neighbours(memory, items.count, most == 1 ? 0 : min_of(most, Words::kMostByWords), place_of);
            return CellOutcome::kOrdered;
        } else {
            return sort_noted(items, notes, most);
        }
    }

  private:
    // Moves all items to their cells. What is left to do are neighbours of the same warp that share a cell of at most
    // kOwn items for each lane of a warp. Returns false if a cell has too many items.
    template <u32 kOwn, typename Next>
    __device__ __forceinline__ bool move_noted(
        const Items& items, const Notes& notes, u32 most, const Next& next) const {
        if (most > kOwn * kMostInCell && !kItemsMayBeEqual) {
            // One thread has cleared the bounds, and the next sort may keep items there.
            __syncthreads();
            return false;
        }
        const auto places = memory.items();
        items.for_each([&](const Item& item, int i) {
            const u32 place = atomicAdd(&memory.cells[notes[i]], 1u);
            places[place] = item;
            if (place % Items::kWarpItems == 0) {
                memory.warp_totals[place / Items::kWarpItems] = notes[i];
            }
        });
        const u32* starts = memory.cells - 1;
        __syncthreads();
        if (kItemsMayBeEqual && most > kOwn * kMostInCell) {
            if (__syncthreads_or(!Large::template sort<kCells>(memory.slots, starts)) != 0) {
                return false;
            }
        }
        Rounds::template sort_border<kOwn>(memory.slots, items.count, starts, [&](u32 border) {
            return memory.warp_totals[border / Items::kWarpItems];
        });
        next.await_place();
        __syncthreads();
        return true;
    }
};
