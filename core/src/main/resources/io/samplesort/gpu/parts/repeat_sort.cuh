// Sorts buckets whose keys are wider than their numbers, of which few are different. Cells go by both numbers from the
// start (both_numbers.cuh). Where numbers are frequent, these cells have many items. Then the items of each cell become
// as many smaller cells, by where they lie in it, and are counted once more.
//
// This is apart from cell_sort.cuh so that neither takes registers from the other. Buckets that a block sorts one after
// the other mostly are alike, so a block begins with what the last one needed. Where frequent numbers are expected, each
// number has a counter, which is known before the least number is: counters go round, by the lowest bits.
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
    static constexpr u32 kMostUndivided = 10;

    using Counts::add_bounds;
    using Counts::bounds;
    using Counts::cells;
    using Counts::clear_bounds;
    using Counts::clear_cells;
    using Counts::for_each_item;
    using Counts::load_items;

    __device__ __forceinline__ explicit RepeatSort(unsigned char* memory)
        : Noted(memory) {}

    // Sorts as CellSort::sort() does. The outcome is kOtherKind if there may be many different numbers, or second numbers
    // are not known to differ. `are_frequent` says what is expected of the numbers, and then what the next bucket is to
    // expect.
    template <typename Load>
    __device__ __forceinline__ CellOutcome sort(u32 count, const Load& load, bool& are_frequent) const {
        const u32 cell_count = blockDim.x * kCells;
        const u32 counters = 1u << (31 - __clz((int)cell_count));
        Item items[kItems];
        load_items(count, load, items);
        clear_cells();
        if (are_frequent) {
            __syncthreads();
            for_each_item(count, [&](int i) { atomicAdd(&cells[(u32)number_of_item(items[i]) % counters], 1u); });
        }
        if constexpr (sizeof(Number) > sizeof(u32)) {
            add_bounds(items, count, 0, [](const Item& item) { return (u32)(number_of_item(item) >> 32); });
        }
        add_bounds(items, count, 1, [](const Item& item) { return (u32)number_of_item(item); });
        add_bounds(items, count, 2, second_of);
        __syncthreads();
        BothNumbers map;
        const u32 least = bounds->least[1];
        const u32 range = bounds->greatest[1] - least;
        if (!make(map) || (are_frequent && range >= counters)) {
            // All have read the bounds.
            __syncthreads();
            clear_bounds();
            __syncthreads();
            are_frequent = false;
            return CellOutcome::kOtherKind;
        }
        if (threadIdx.x == 0) {
            *this->kept = map;
        }
        typename Noted::Notes notes;
        u32 most;
        if (are_frequent) {
            most = this->template find_starts<false>();
            // Where the items of the least number begin, among those that do not go round.
            const u32 first = cells[least % counters];
            const BothNumbers same = *this->kept;
            notes.set(items, count, [&](const Item& item) {
                const u32 counter = (u32)number_of_item(item) % counters;
                const u32 begin = cells[counter] - first;
                const u32 size = (counter + 1 == cell_count ? count : cells[counter + 1]) - first - begin;
                const u32 place = begin + ((int)begin < 0 ? count : 0);
                return Second::cell_among(place, place + size, same.fraction(second_of(item)));
            });
        } else {
            notes.set(items, count, [&](const Item& item) { return map.cell_at(place_of(map, item)); });
            most = this->count_noted(count, notes);
            if (most > kMostUndivided) {
                const BothNumbers same = *this->kept;
                notes.set(items, count, [&](const Item& item) {
                    const u32 place = place_of(same, item);
                    const u32 cell = same.cell_at(place);
                    const u32 end = cell + 1 == cell_count ? count : cells[cell + 1];
                    return Second::cell_among(cells[cell], end, same.part_at(place));
                });
            }
        }
        const bool are_divided = are_frequent || most > kMostUndivided;
        // Fewer numbers have several cells each.
        are_frequent = most > kMostUndivided && range >= cell_count / 4;
        if (are_divided) {
            __syncthreads();
            clear_cells();
            __syncthreads();
            most = this->count_noted(count, notes);
        }
        return this->sort_noted(items, count, notes, most);
    }

  private:
    __device__ __forceinline__ static u32 second_of(const Item& item) {
        return (u32)(second_number_of_item(item) >> 32);
    }

    __device__ __forceinline__ static u32 place_of(const BothNumbers& map, const Item& item) {
        return map.place((u32)number_of_item(item), second_of(item));
    }

    // Makes the map of all numbers between the bounds, if there are few.
    __device__ __forceinline__ bool make(BothNumbers& map) const {
        if (sizeof(Number) > sizeof(u32) && bounds->least[0] != bounds->greatest[0]) {
            return false;
        }
        return map.make(
            bounds->least[1], bounds->greatest[1], bounds->least[2], bounds->greatest[2], blockDim.x * kCells);
    }
};

// What is expected of the numbers of a bucket.
struct ExpectedNumbers {
    bool are_few = false;
    bool are_frequent = false;
};

// Sorts items 0 … count - 1 by one kind of cells, item base + offset as load(base, offset), and leaves them where
// CellSort does. If there are not few numbers as expected, or there are while `may_leave`, the outcome is kOtherKind,
// and nothing is done.
template <int kItems, typename Item, u32 kCells, typename Load>
__device__ __forceinline__ CellOutcome sort_by_cells(
    CellSort<kItems, Item, kCells> by_numbers, u32 count, const Load& load, ExpectedNumbers& numbers, bool may_leave) {
    if constexpr (CellSort<kItems, Item, kCells>::kMayRepeat) {
        if (numbers.are_few) {
            return RepeatSort<kItems, Item, kCells>((unsigned char*)by_numbers.slots)
                .sort(count, load, numbers.are_frequent);
        }
    }
    return by_numbers.sort(count, load, may_leave);
}
