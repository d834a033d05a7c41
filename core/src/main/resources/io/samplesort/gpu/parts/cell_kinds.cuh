// The kinds of cells (cell_sort.cuh), and the choice of the one that suits the numbers of a bucket.
#pragma once
#include "parts/cell_map.cuh"
#include "parts/cell_maps.cuh"
#include "parts/cell_memory.cuh"
#include "parts/number_index.cuh"
#include "parts/own_counters.cuh"
#include "parts/value_map.cuh"

enum class CellKind {
    kEven,       // equal ranges of numbers
    kByValue,    // equal ranges of values, for numbers with many exponents
    kOwnWords,   // a counter for each number
    kOwnHalves,  // the same, and two counters share a word
    kAlike,      // all numbers are the same
    kFew,        // there are few numbers, which are for repeat_sort.cuh
};

template <int kItems, typename Item, u32 kCells, bool kLeavesFew>
struct CellKinds {
    using Memory = CellMemory<kItems, Item, kCells>;
    using Items = BlockItems<kItems, Item>;
    using Number = decltype(number_of_item(Item{}));

    // Whether keys with the same number are equal, so that a cell may have many of them. If keys are wider than
    // numbers, or items differ by their places, second numbers divide a large cell (second_cells.cuh).
    static constexpr bool kNumbersAreKeys = !KEEPS_ORDER && kNumbersAreWholeKeys;

    // Whether numbers may be far apart because some bits are the same in all of them. For numbers of 64 bits, looking
    // for such bits costs too much.
    static constexpr bool kMayHaveGaps = kNumbersAreKeys && sizeof(Number) == sizeof(u32);
    // Whether numbers come from `float` values, which may have many exponents.
    static constexpr bool kMayHaveExponents = kNumbersAreKeys && kNumberOfZero != 0 && sizeof(Number) == sizeof(u32);

    // Whether buckets with few numbers are left to repeat_sort.cuh.
    static constexpr bool kMayRepeat = kLeavesFew && kTellsFewNumbers;

    NumberMap<CellMap<Number>> even;
    NumberMap<ValueMap<(u32)kNumberOfZero>> by_value;

    // Finds out which cells suit the items of a block, and makes their map. This is a barrier.
    __device__ __forceinline__ CellKind classify(const Memory& memory, const Items& items) {
        const u32 cell_count = Memory::cell_count();
        u32 least;
        u32 greatest;
        bool may_go_by_value = false;
        if constexpr (sizeof(Number) == sizeof(u32)) {
            memory.bounds->find(items, 0, least, greatest, [](const Item& item) { return number_of_item(item); });
            if (kMayHaveGaps && least != greatest) {
                const u32 last = find_index(memory, items, least, greatest);
                if (last < 2 * cell_count) {
                    return last < cell_count ? CellKind::kOwnWords : CellKind::kOwnHalves;
                }
            }
            if (kMayRepeat && BothNumbers::are_few(least, greatest, cell_count)) {
                return CellKind::kFew;
            }
            even.cell_of = CellMap<Number>::of_each(least, greatest, cell_count, cell_count);
            if constexpr (kMayHaveExponents) {
                may_go_by_value = by_value.cell_of.make(least, greatest, cell_count);
            }
        } else {
            memory.bounds->find(
                items, 0, least, greatest, [](const Item& item) { return (u32)(number_of_item(item) >> 32); });
            if (least != greatest) {
                // The lower words may have any value, so the range may be a little too wide.
                even.cell_of = CellMap<Number>::of((Number)least << 32, (Number)greatest << 32 | ~0u, cell_count);
            } else {
                const Number upper = (Number)least << 32;
                memory.bounds->find(
                    items, 1, least, greatest, [](const Item& item) { return (u32)number_of_item(item); });
                if (kMayRepeat && BothNumbers::are_few(least, greatest, cell_count)) {
                    return CellKind::kFew;
                }
                even.cell_of = CellMap<Number>::of_each(
                    upper | least, upper | greatest, cell_count, kNumbersAreKeys ? 2 * cell_count : cell_count);
            }
        }
        if (least == greatest) {
            return CellKind::kAlike;
        }
        if (even.cell_of.factor == ~0u) {
            return greatest - least < cell_count ? CellKind::kOwnWords : CellKind::kOwnHalves;
        }
        return may_go_by_value ? CellKind::kByValue : CellKind::kEven;
    }

    // Returns the map for numbers with a counter each.
    template <bool kHalves>
    __device__ __forceinline__ auto counters() const {
        if constexpr (kMayHaveGaps) {
            return NumberMap<NumberIndex, OwnCounters<kHalves>>{index_of};
        } else {
            return NumberMap<CellMap<Number>, OwnCounters<kHalves>>{even.cell_of};
        }
    }

  private:
    NumberIndex index_of;

    // Makes the index of all numbers, and returns that of the greatest. All numbers are examined if the ends of their
    // range suggest that some bits are the same in all.
    __device__ __forceinline__ u32 find_index(const Memory& memory, const Items& items, u32 least, u32 greatest) {
        if (((least ^ greatest) & NumberIndex::kBitsOfGaps) != 0) {
            return index_of.make(least, greatest);
        }
        u32* bits = memory.bounds->bits;
        NumberBounds::add_bits(items, bits, [](const Item& item) { return (u32)number_of_item(item); });
        __syncthreads();
        return index_of.make(least, greatest, NumberBounds::differ(bits));
    }
};
