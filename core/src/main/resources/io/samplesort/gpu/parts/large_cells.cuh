// Sorts the cells of cell_sort.cuh that have many items, as they have where keys repeat: one of its items divides a cell
// into what comes before, what is equal, which mostly is all but a few, and what comes behind.
#pragma once
#include "parts/block_sort.cuh"

template <int kItems, typename Item, u32 kCells>
struct LargeCells {
    using Items = PaddedItems<kItems, Item>;

    static constexpr u32 kWarpItems = kWarpSize * kItems;
    // Cells with more items are large. A warp sorts this many with one for each lane.
    static constexpr u32 kMostInCell = kWarpSize;
    // How often a cell is divided. The second time helps where two keys of a cell are frequent.
    static constexpr int kMostDivisions = 3;

    // Sorts all cells that have more than kMostInCell items. Each warp looks at as many cells. Returns whether those of
    // the calling warp are sorted. This is a call, so that the registers that it takes are not taken from others.
    __device__ __noinline__ static bool sort(Item* slots, const u16* starts) {
        bool are_sorted = true;
#pragma unroll 1
        for (u32 row = 0; row < kCells; ++row) {
            const u32 first = (threadIdx.x / kWarpSize * kCells + row) * kWarpSize;
            const u32 mine = first + threadIdx.x % kWarpSize;
            u32 large = __ballot_sync(kAllLanes, starts[mine + 1] - starts[mine] > (int)kMostInCell);
            while (large != 0 && are_sorted) {
                const u32 cell = first + __ffs((int)large) - 1;
                are_sorted = sort_cell(slots, starts[cell], starts[cell + 1]);
                large &= large - 1;
            }
        }
        return are_sorted;
    }

    // Sorts items begin … end - 1, which are kMostInCell at most. All lanes of a warp call this.
    __device__ __forceinline__ static void sort_few(Item* slots, u32 begin, u32 end) {
        if (end - begin < 2) {
            return;
        }
        const Items items{slots, 0};
        const u32 mine = begin + threadIdx.x % kWarpSize;
        const Item item = items[min_of(mine, end - 1)];
        u32 place = begin;
        for (u32 slot = begin; slot < end; ++slot) {
            const Item other = items[slot];
            // Of equal items the one in the lower slot comes first.
            place += less(other, item) || (slot < mine && !less(item, other)) ? 1 : 0;
        }
        __syncwarp();
        if (mine < end) {
            items[place] = item;
        }
        __syncwarp();
    }

  private:
    // Sorts items begin … end - 1 if few of them differ from the others. All lanes of a warp call this.
    __device__ __forceinline__ static bool sort_cell(Item* slots, u32 begin, u32 end) {
        const Items items{slots, 0};
#pragma unroll 1
        for (int division = 0; division < kMostDivisions; ++division) {
            const Item middle = items[(begin + end) / 2];
            u32 before = 0;
            u32 behind = 0;
            for (u32 slot = begin + threadIdx.x % kWarpSize; slot < end; slot += kWarpSize) {
                const Item item = items[slot];
                before += less(item, middle) ? 1 : 0;
                behind += less(middle, item) ? 1 : 0;
            }
            if (__all_sync(kAllLanes, before + behind == 0)) {
                return true;
            }
            before = warp_sum(before);
            behind = warp_sum(behind);
            if (end - begin > kWarpItems || min_of(before, behind) > kMostInCell) {
                return false;
            }
            divide(slots, begin, end, before, behind, middle);
            if (before <= kMostInCell) {
                sort_few(slots, begin, begin + before);
            }
            if (behind <= kMostInCell) {
                sort_few(slots, end - behind, end);
            }
            if (max_of(before, behind) <= kMostInCell) {
                return true;
            }
            if (before > behind) {
                end = begin + before;
            } else {
                begin = end - behind;
            }
        }
        return false;
    }

    // Puts the items that come before `middle` first, and those that come behind it last. A warp does this in its
    // registers.
    __device__ __forceinline__ static void divide(
        Item* slots, u32 begin, u32 end, u32 before, u32 behind, const Item& middle) {
        const Items items{slots, 0};
        const u32 first = begin + threadIdx.x % kWarpSize;
        const u32 lanes_before = (1u << threadIdx.x % kWarpSize) - 1;
        Item run[kItems];
#pragma unroll
        for (u32 i = 0; i < kItems; ++i) {
            run[i] = middle;
            if (begin + i * kWarpSize < end) {
                run[i] = items[min_of(first + i * kWarpSize, end - 1)];
            }
        }
        __syncwarp();
        u32 next_before = begin;
        u32 next_equal = begin + before;
        u32 next_behind = end - behind;
#pragma unroll
        for (u32 i = 0; i < kItems; ++i) {
            if (begin + i * kWarpSize >= end) {
                break;
            }
            const bool is_there = first + i * kWarpSize < end;
            const bool is_before = is_there && less(run[i], middle);
            const bool is_behind = is_there && less(middle, run[i]);
            const u32 befores = __ballot_sync(kAllLanes, is_before);
            const u32 behinds = __ballot_sync(kAllLanes, is_behind);
            const u32 equals = ~(befores | behinds);
            const u32 group = is_before ? befores : is_behind ? behinds : equals;
            const u32 place = is_before ? next_before : is_behind ? next_behind : next_equal;
            if (is_there) {
                items[place + __popc(group & lanes_before)] = run[i];
            }
            next_before += __popc(befores);
            next_equal += __popc(equals);
            next_behind += __popc(behinds);
        }
        __syncwarp();
    }
};
