// Sorts buckets whose keys are wider than their numbers, of which few are different. Cells go by both numbers from the
// start (both_numbers.cuh): those that occur are found first, and share the cells. If many items are in a cell all the
// same, as where some numbers are more frequent than others, the items of each cell become as many smaller cells, by
// where they lie in it, and are counted once more.
//
// This is apart from cell_sort.cuh so that neither takes registers from the other. Buckets that a block sorts one after
// the other mostly are alike, so a block begins with what the last one needed.
#pragma once
#include "parts/both_numbers.cuh"
#include "parts/cell_sort.cuh"

template <int kItems, typename Item, u32 kCells>
struct RepeatSort : NotedCells<kItems, Item, kCells> {
    using Counts = CellCounts<kItems, Item, kCells>;
    using Noted = NotedCells<kItems, Item, kCells>;
    using Second = SecondCells<kItems, Item, kCells>;
    using Number = decltype(number_of_item(Item{}));

    // Cells with more items are divided.
    static constexpr u32 kMostUndivided = 16;

    using Counts::add_bounds;
    using Counts::bounds;
    using Counts::cells;
    using Counts::clear_bounds;
    using Counts::clear_cells;
    using Counts::for_each_item;
    using Counts::load_items;

    __device__ __forceinline__ explicit RepeatSort(unsigned char* memory)
        : Noted(memory) {}

    // Sorts as CellSort::sort() does. The outcome is kOtherKind if there may be many different numbers.
    template <typename Load>
    __device__ __forceinline__ CellOutcome sort(u32 count, const Load& load) const {
        const u32 cell_count = blockDim.x * kCells;
        Item items[kItems];
        load_items(count, load, items);
        clear_cells();
        const NumberRanks<kItems, Item> rank_of{(unsigned char*)this->slots};
        rank_of.clear();
        sample(count, items[0]);
        if constexpr (sizeof(Number) > sizeof(u32)) {
            add_bounds(items, count, 0, [](const Item& item) { return (u32)(number_of_item(item) >> 32); });
        }
        add_bounds(items, count, 1, [](const Item& item) { return (u32)number_of_item(item); });
        add_bounds(items, count, 2, [](const Item& item) { return (u32)(second_number_of_item(item) >> 32); });
        __syncthreads();
        const u32 least = bounds->least[1];
        if (bounds->greatest[1] - least >= rank_of.kFlags * blockDim.x
            || (sizeof(Number) > sizeof(u32) && bounds->least[0] != bounds->greatest[0])) {
            // All have read the bounds.
            __syncthreads();
            clear_bounds();
            __syncthreads();
            return CellOutcome::kOtherKind;
        }
        // Where all have the same upper word, the lower one says where a second number lies.
        const bool is_lower = bounds->least[2] == bounds->greatest[2];
        const u32 shift = is_lower ? 0 : 32;
        if (is_lower) {
            add_bounds(items, count, 3, [](const Item& item) { return (u32)second_number_of_item(item); });
        }
        const auto place_of = [&](const Item& item) { return (u32)number_of_item(item) - least; };
        for_each_item(count, [&](int i) { rank_of.mark(place_of(items[i])); });
        __syncthreads();
        const u32 number_count = rank_of.count(this->warp_totals);
        const u32 which = is_lower ? 3 : 2;
        const BothNumbers both(
            number_count, bounds->frequent - least, bounds->seen, bounds->least[which], bounds->greatest[which],
            cell_count);
        const auto cell_place_of = [&](const Item& item) {
            const u32 place = place_of(item);
            return both.place(place, rank_of(place), (u32)(second_number_of_item(item) >> shift));
        };
        typename Noted::Notes notes;
        notes.set(items, count, [&](const Item& item) { return cell_place_of(item) >> 16; });
        u32 most = this->count_noted(count, notes);
        if (most > kMostUndivided) {
            notes.set(items, count, [&](const Item& item) {
                const u32 place = cell_place_of(item);
                const u32 cell = place >> 16;
                const u32 end = cell + 1 == cell_count ? count : cells[cell + 1];
                return Second::cell_among(cells[cell], end, place << 16);
            });
            __syncthreads();
            clear_cells();
            __syncthreads();
            most = this->count_noted(count, notes);
        }
        return this->sort_noted(items, count, notes, most);
    }

  private:
    // Finds a frequent number of the first items, one for each lane of the first warp. This can be read behind a barrier.
    __device__ __forceinline__ void sample(u32 count, const Item& first) const {
        if (threadIdx.x < kWarpSize) {
            u32 lanes;
            const u32 number = find_frequent((u32)number_of_item(first), lanes);
            if (threadIdx.x == 0) {
                bounds->frequent = number;
                // Few items are too few for a sample.
                bounds->seen = count < kWarpSize ? 0 : lanes;
            }
        }
    }
};

template <int kItems, typename Item, u32 kCells, typename Load>
__device__ __noinline__ CellOutcome sort_few_numbers(u32 count, Load load) {
    return RepeatSort<kItems, Item, kCells>(shared_memory).sort(count, load);
}

// Sorts items 0 … count - 1 by one kind of cells, item base + offset as load(base, offset), and leaves them where
// CellSort does. `repeats` says which: whether few numbers are expected. If that is wrong, the outcome is kOtherKind, and
// nothing is done.
template <int kItems, typename Item, u32 kCells, typename Load>
__device__ __forceinline__ CellOutcome sort_by_cells(
    CellSort<kItems, Item, kCells> by_numbers, u32 count, const Load& load, bool repeats) {
    if constexpr (CellSort<kItems, Item, kCells>::kMayRepeat) {
        if (repeats) {
            return sort_few_numbers<kItems, Item, kCells>(count, load);
        }
    }
    return by_numbers.sort(count, load);
}
