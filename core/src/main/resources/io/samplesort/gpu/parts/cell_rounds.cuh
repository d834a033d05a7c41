// Puts items in order once they are in their cells (cell_sort.cuh): first those of the cells that two warps share, then
// those of each warp, in rounds in which neighbours change places.
#pragma once
#include "parts/cell_memory.cuh"
#include "parts/large_cells.cuh"

// The outcome for a bucket: it is sorted, or a cell has too many items, or another kind of cells should be tried.
enum class CellOutcome { kSorted, kUneven, kOtherKind };

template <int kItems, typename Item, u32 kCells>
struct CellRounds {
    using Memory = CellMemory<kItems, Item, kCells>;
    using Slots = PaddedItems<kItems, Item>;
    using Large = LargeCells<kItems, Item>;

    // Whether items may be equal, so that a cell may have many of them.
    static constexpr bool kItemsMayBeEqual = !KEEPS_ORDER && !SORTS_INDEXES;

    static constexpr u32 kWarpItems = kWarpSize * kItems;
    static constexpr u32 kMostInCell = Large::kMostInCell;
    // Evenly spread keys usually need at most this many rounds, which are made without a check whether they are needed.
    // For wide items, a check takes less time than two rounds.
    static constexpr u32 kRoundsUnasked = sizeof(Item) >= 16 ? 4 : 8;

    // Puts all items in order, which lie in their cells; the fullest cell has `most`. Large cells come first, if their
    // items may be equal, then cells that two warps share, and then neighbours within a warp, which checks after
    // `unasked` rounds whether it needs more. cell_at(border) returns the cell of the item at a place. Afterwards the
    // block knows the `next` bucket, if items are not too uneven.
    template <typename CellAt, typename Next>
    __device__ __forceinline__ static CellOutcome finish(
        const Memory& memory, u32 count, u32 most, u32 unasked, const CellAt& cell_at, Next& next) {
        const u32* starts = memory.cells - 1;
        if (most > kMostInCell) {
            if (!kItemsMayBeEqual || __syncthreads_or(!Large::template sort<kCells>(memory.slots, starts)) != 0) {
                return CellOutcome::kUneven;
            }
        }
        sort_border(memory.slots, count, starts, cell_at);
        next.await_place();
        __syncthreads();
        next.fetch();
        sort_neighbours(memory.slots, count, most, unasked);
        return CellOutcome::kSorted;
    }

  private:
    // Sorts the items of each warp. Cells have at most `most` items or are sorted, so in this many rounds neighbours
    // change places: in turn, even items with the next one and odd items with the next one. After `unasked` rounds the
    // warp checks whether it needs more.
    __device__ __forceinline__ static void sort_neighbours(Item* slots, u32 count, u32 most, u32 unasked) {
        const u32 begin = threadIdx.x * kItems;
        if (threadIdx.x / kWarpSize * kWarpItems >= count) {
            return;
        }
        const u32 rounds = most == 1 ? 0 : min_of(most, kMostInCell);
        const u32 lane = threadIdx.x % kWarpSize;
        Item* own = slots + Slots::slot(begin);
        Item run[kItems];
        if ((threadIdx.x / kWarpSize + 1) * kWarpItems <= count) {
#pragma unroll
            for (u32 i = 0; i < kItems; ++i) {
                run[i] = own[i];
            }
        } else {
#pragma unroll
            for (u32 i = 0; i < kItems; ++i) {
                run[i] = begin + i < count ? own[i] : greatest<Item>();
            }
        }
#pragma unroll 1
        for (u32 round = 0; round < rounds; round += 2) {
            if (round >= unasked && are_in_order(run)) {
                break;
            }
#pragma unroll
            for (int i = 0; i + 1 < kItems; i += 2) {
                compare_exchange(run[i], run[i + 1]);
            }
#pragma unroll
            for (int i = 1; i + 1 < kItems; i += 2) {
                compare_exchange(run[i], run[i + 1]);
            }
            const Item before = shuffle(run[kItems - 1], lane - 1);
            const Item behind = shuffle(run[0], lane + 1);
            move_item_if(lane != 0 && less(run[0], before), run[0], before);
            move_item_if(lane != kWarpSize - 1 && less(behind, run[kItems - 1]), run[kItems - 1], behind);
        }
#pragma unroll
        for (u32 i = 0; i < kItems; ++i) {
            own[i] = run[i];
        }
        __syncwarp();
    }

    // Sorts the cell whose items lie in the parts of the calling warp and of the warp before it, if there is such a
    // cell that is not sorted yet.
    template <typename CellAt>
    __device__ __forceinline__ static void sort_border(
        Item* slots, u32 count, const u32* starts, const CellAt& cell_at) {
        const u32 border = threadIdx.x / kWarpSize * kWarpItems;
        if (border == 0 || border >= count) {
            return;
        }
        const u32 cell = cell_at(border);
        const u32 begin = starts[cell];
        const u32 end = starts[cell + 1];
        if (begin != border && end - begin <= kMostInCell) {
            Large::sort_few(slots, begin, end);
        }
    }

    // Returns whether the items of a warp are in order, with those of a lane in `run`.
    __device__ __forceinline__ static bool are_in_order(const Item (&run)[kItems]) {
        const u32 lane = threadIdx.x % kWarpSize;
        const Item before = shuffle(run[kItems - 1], lane - 1);
        bool falls = lane != 0 && less(run[0], before);
#pragma unroll
        for (int i = 0; i + 1 < kItems; ++i) {
            falls |= less(run[i + 1], run[i]);
        }
        return !__any_sync(kAllLanes, falls);
    }
};
