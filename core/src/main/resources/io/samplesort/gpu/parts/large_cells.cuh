// Sorts the cells of cell_sort.cuh that have many items, as they have if keys repeat. One of its items divides a cell
// into the items before it, those equal to it, which are usually all but a few, and those after it.
#pragma once
#include "parts/rotated_merge.cuh"

template <int kItems, typename Item>
struct LargeCells {
    using Items = PaddedItems<kItems, Item>;

    // Cells with more items than this are large. A warp sorts this many items with one for each lane.
    static constexpr u32 kMostInCell = kWarpSize;
    // How often a cell is divided. A second division helps if two keys of a cell are frequent.
    static constexpr int kMostDivisions = 3;

    // This many items are read at once if they are wide.
    static constexpr u32 kAtOnce = sizeof(Item) >= 12 ? 4 : 1;

    // Sorts all cells that have more than kMostInCell items. All warps look at the same number of cells. Returns
    // whether those of the calling warp are sorted.
    template <u32 kCells>
    __device__ __forceinline__ static bool sort(Item* slots, const u32* starts) {
        bool are_sorted = true;
#pragma unroll 1
        for (u32 row = 0; row < kCells; ++row) {
            const u32 first = (threadIdx.x / kWarpSize * kCells + row) * kWarpSize;
            const u32 mine = first + threadIdx.x % kWarpSize;
            u32 large = __ballot_sync(kAllLanes, starts[mine + 1] - starts[mine] > kMostInCell);
            while (large != 0 && are_sorted) {
                const u32 cell = first + __ffs((int)large) - 1;
                are_sorted = sort_cell(slots, starts[cell], starts[cell + 1]);
                large &= large - 1;
            }
        }
        return are_sorted;
    }

    // Sorts items begin to end - 1, which are at most kMostInCell. All lanes of a warp call this.
    __device__ __forceinline__ static void sort_few(Item* slots, u32 begin, u32 end) {
        if (end - begin < 2) {
            return;
        }
        const Items items{slots, 0};
        const u32 mine = begin + threadIdx.x % kWarpSize;
        const Item own = items[min_of(mine, end - 1)];
        u32 place = begin;
#pragma unroll 1
        for (u32 slot = begin; slot < end; slot += kAtOnce) {
            Item others[kAtOnce];
#pragma unroll
            for (u32 k = 0; k < kAtOnce; ++k) {
                others[k] = items[min_of(slot + k, end - 1)];
            }
#pragma unroll
            for (u32 k = 0; k < kAtOnce; ++k) {
                // Of equal items the one in the lower slot comes first.
                const bool precedes = less(others[k], own) | ((slot + k < mine) & !less(own, others[k]));
                place += slot + k < end && precedes ? 1 : 0;
            }
        }
        __syncwarp();
        if (mine < end) {
            items[place] = own;
        }
        __syncwarp();
    }

  private:
    // Sorts items begin to end - 1 if few of them differ from the others. All lanes of a warp call this.
    __device__ __forceinline__ static bool sort_cell(Item* slots, u32 begin, u32 end) {
        const Items items{slots, 0};
#pragma unroll 1
        for (int division = 0; division < kMostDivisions; ++division) {
            const Item middle = items[(begin + end) / 2];
            u32 before = 0;
            u32 behind = 0;
#pragma unroll 4
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
            if (min_of(before, behind) > kMostInCell) {
                return false;
            }
            divide(items, begin, end, end - behind, [&](const Item& item) { return less(middle, item); });
            divide(items, begin, end - behind, begin + before, [&](const Item& item) { return !less(item, middle); });
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

    // Rearranges items begin to end - 1 so that those for which goes_behind(item) lie from `border` on. All lanes of a
    // warp call this.
    template <typename GoesBehind>
    __device__ __forceinline__ static void divide(
        const Items& items, u32 begin, u32 end, u32 border, const GoesBehind& goes_behind) {
        const u32 lane = threadIdx.x % kWarpSize;
        // The next items to examine on either side of the border, and which of the last kWarpSize items there are on
        // the wrong side.
        u32 left = begin;
        u32 right = border;
        u32 wrong_left = 0;
        u32 wrong_right = 0;
#pragma unroll 1
        while (true) {
            while (wrong_left == 0 && left < border) {
                const bool is_wrong = left + lane < border && goes_behind(items[min_of(left + lane, border - 1)]);
                wrong_left = __ballot_sync(kAllLanes, is_wrong);
                left += kWarpSize;
            }
            while (wrong_right == 0 && right < end) {
                const bool is_wrong = right + lane < end && !goes_behind(items[min_of(right + lane, end - 1)]);
                wrong_right = __ballot_sync(kAllLanes, is_wrong);
                right += kWarpSize;
            }
            if (wrong_left == 0 || wrong_right == 0) {
                return;
            }
            // Each lane exchanges two of these items.
            u32 from = 0;
            u32 to = 0;
            for (u32 pair = 0; wrong_left != 0 && wrong_right != 0; ++pair) {
                if (lane == pair) {
                    from = left - kWarpSize + __ffs((int)wrong_left) - 1;
                    to = right - kWarpSize + __ffs((int)wrong_right) - 1;
                }
                wrong_left &= wrong_left - 1;
                wrong_right &= wrong_right - 1;
            }
            __syncwarp();
            if (from != to) {
                const Item item = items[from];
                items[from] = items[to];
                items[to] = item;
            }
            __syncwarp();
        }
    }
};
