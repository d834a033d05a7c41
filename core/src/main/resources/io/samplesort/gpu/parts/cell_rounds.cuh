// Puts items in order that are in their cells (cell_sort.cuh): those of the cells that two warps share, and then those
// of each warp in rounds, in which neighbours change places.
#pragma once
#include "parts/cell_memory.cuh"
#include "parts/large_cells.cuh"

// What became of a bucket: it is sorted, or a cell has too many items, or another kind of cells should be tried.
enum class CellOutcome { kSorted, kUneven, kOtherKind };

template <int kItems, typename Item, u32 kCells>
struct CellRounds {
    using Memory = CellMemory<kItems, Item, kCells>;
    using Slots = PaddedItems<kItems, Item>;
    using Large = LargeCells<kItems, Item>;

    // Whether items may be equal, so that there may be many of them in a cell.
    static constexpr bool kItemsMayBeEqual = !KEEPS_ORDER && !SORTS_INDEXES;

    static constexpr u32 kWarpItems = kWarpSize * kItems;
    static constexpr u32 kMostInCell = Large::kMostInCell;
    // Keys that are evenly spread mostly need so many rounds, or fewer, and nobody looks whether these are needed. Of
    // wide items, two rounds take longer than a look.
    static constexpr u32 kRoundsUnasked = sizeof(Item) >= 16 ? 4 : 8;

    // Puts all items in order that lie in their cells, of which the fullest has `most`: large cells, if their items may
    // be equal, then those that two warps share, and then neighbours of the same warp, which looks behind `unasked`
    // rounds whether it needs more. cell_at(border) returns the cell of the item at a place. The block knows the `next`
    // bucket then, if items are not too uneven.
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
    // Sorts the items of each warp, where the fullest cell has `most`, or is sorted: in as many rounds neighbours
    // change places, even ones with the next and odd ones with the next in turn. Behind `unasked` rounds the warp looks
    // whether it needs more.
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

    // Sorts the cell whose items lie in the part of the calling warp and of the warp before it, if there is one that is
    // not sorted yet.
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
