// Sorts buckets with few different numbers, whose keys are wider than their numbers. Cells use both numbers from the
// start (both_numbers.cuh). If a number is frequent, its cells have many items. In that case each cell is divided into
// as many smaller cells as it has items, by their places within it, and items are counted once more.
//
// This is separate from cell_sort.cuh so that neither takes registers from the other.
#pragma once
#include "parts/cell_sort.cuh"

template <int kItems, typename Item, u32 kCells>
struct RepeatSort {
    using Memory = CellMemory<kItems, Item, kCells>;
    using Items = BlockItems<kItems, Item>;
    using Rounds = CellRounds<kItems, Item, kCells>;
    using Second = SecondCells<kItems, Item, kCells>;
    using Number = decltype(number_of_item(Item{}));

    // No other way is tried after this one, and cells sort what comes here.
    static constexpr bool kMayRepeat = false;
    static constexpr bool kLeavesUneven = false;

    // Cells with more items than this are divided.
    static constexpr u32 kMostUndivided = 10;

    Memory memory;

    __device__ __forceinline__ explicit RepeatSort(unsigned char* bytes) : memory(bytes) {}

    // Sorts as CellSort::sort() does. The outcome is kOtherKind if there may be many different numbers.
    template <typename Load, typename Next>
    __device__ __forceinline__ CellOutcome sort(u32 count, const Load& load, Next& next) const {
        const u32 cell_count = Memory::cell_count();
        NumberBounds* bounds = memory.bounds;
        const Items items(count, load);
        memory.clear_cells();
        if constexpr (sizeof(Number) > sizeof(u32)) {
            NumberBounds::add_bits(
                items, bounds->ends, [](const Item& item) { return (u32)(number_of_item(item) >> 32); });
        }
        NumberBounds::add_bits(items, bounds->bits, [](const Item& item) { return (u32)number_of_item(item); });
        bounds->add(items, 1, [](const Item& item) { return (u32)number_of_item(item); });
        bounds->add(items, 2, [](const Item& item) { return (u32)(second_number_of_item(item) >> 32); });
        __syncthreads();
        if (!BothNumbers::are_few(bounds->least(1), bounds->greatest(1), cell_count)
            || (sizeof(Number) > sizeof(u32) && NumberBounds::differ(bounds->ends) != 0)) {
            // All threads have read the bounds after this.
            __syncthreads();
            memory.clear_bounds();
            __syncthreads();
            return CellOutcome::kOtherKind;
        }
        // If all have the same upper word, the lower one says where a second number lies.
        const bool is_lower = bounds->least(2) == bounds->greatest(2);
        const u32 shift = is_lower ? 0 : 32;
        if (is_lower) {
            bounds->add(items, 3, [](const Item& item) { return (u32)second_number_of_item(item); });
            __syncthreads();
        }
        const u32 second = is_lower ? 3 : 2;
        const BothNumbers map(
            bounds->least(1), bounds->greatest(1), NumberBounds::differ(bounds->bits), bounds->least(second),
            bounds->greatest(second));
        if (threadIdx.x == 0) {
            *memory.kept = map;
        }
        const auto place_of = [&](const BothNumbers& both, const Item& item) {
            return both.place((u32)number_of_item(item), (u32)(second_number_of_item(item) >> shift));
        };
        NotedMap<kItems> notes;
        notes.note(items, [&](const Item& item) { return map.cell_at(place_of(map, item), cell_count); });
        u32 most = memory.count(items, notes, next);
        if (most > kMostUndivided) {
            const BothNumbers same = *memory.kept;
            notes.note(items, [&](const Item& item) {
                const u32 place = place_of(same, item);
                const u32 cell = same.cell_at(place, cell_count);
                const u32 end = cell + 1 == cell_count ? count : memory.cells[cell + 1];
                return Second::cell_among(memory.cells[cell], end, same.part_at(place, cell_count));
            });
            __syncthreads();
            memory.clear_cells();
            __syncthreads();
            most = memory.count(items, notes, NoNextBucket{});
        }
        memory.place(items, notes);
        const auto cell_at = [&](u32 border) { return memory.cell_at(border, notes); };
        return Rounds::finish(memory, count, most, Rounds::kRoundsUnasked, cell_at, next);
    }
};

// Sorts items 0 to count - 1 in one of two ways, item base + offset as load(base, offset), and leaves them where
// CellSort does. `repeats`, which says whether few numbers are expected, chooses the way. If that is wrong, the outcome
// is kOtherKind, and nothing is done.
template <int kItems, typename Item, u32 kCells, typename Load>
__device__ __forceinline__ CellOutcome
sort_by_cells(CellSort<kItems, Item, kCells, true> cells, u32 count, const Load& load, bool repeats) {
    NoNextBucket next;
    if constexpr (CellSort<kItems, Item, kCells, true>::kMayRepeat) {
        if (repeats) {
            return RepeatSort<kItems, Item, kCells>((unsigned char*)cells.memory.slots).sort(count, load, next);
        }
    }
    return cells.sort(count, load, next);
}

// Sorts in the way of `cells`.
template <typename Cells, typename Load>
__device__ __forceinline__ CellOutcome sort_by_cells(Cells cells, u32 count, const Load& load, bool) {
    NoNextBucket next;
    return cells.sort(count, load, next);
}
