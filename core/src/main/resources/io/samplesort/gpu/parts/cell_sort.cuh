// Sorts what fits the shared memory of one block, where keys are numbers. Between the least key of a bucket and its
// greatest one, the range of numbers is cut into equal cells, about as many as there are keys. Counting says where the
// items of each cell go. Few lie in one cell, so none is far from its place then, and a few rounds in which neighbours
// change places put all in order. An item costs the same however large the bucket is, and fewer instructions than a
// network takes (docs/tuning-log.md).
//
// Which cell a key falls into only has to be monotone; keys are compared by `less`. A cell with many items is divided
// by one of them into what comes before, what is equal and what comes behind, as most of them are equal where keys
// repeat. Of keys that are wider than their numbers, second numbers divide it, but not of sort keys of which a thread
// has many: they mostly hold words of strings, and their cells many different ones. Cells of `float` keys go by their
// values where these have many exponents. If keys are spread so unevenly that this does not sort them, the bucket is
// left to block_sort.cuh.
#pragma once
#include "parts/cell_map.cuh"
#include "parts/cell_maps.cuh"
#include "parts/cell_rounds.cuh"
#include "parts/next_bucket.cuh"
#include "parts/number_index.cuh"
#include "parts/own_counters.cuh"
#include "parts/second_cells.cuh"
#include "parts/spread_neighbours.cuh"
#include "parts/value_map.cuh"
#include "parts/word_rounds.cuh"

// Buckets with few different numbers are left to repeat_sort.cuh where `kLeavesFew`, and otherwise sorted as well, if
// more slowly.
template <int kItems, typename Item, u32 kCells, bool kLeavesFew>
struct CellSort {
    using Memory = CellMemory<kItems, Item, kCells>;
    using Items = BlockItems<kItems, Item>;
    using Rounds = CellRounds<kItems, Item, kCells>;
    using Words = WordRounds<kItems, Item, kCells>;
    using Number = decltype(number_of_item(Item{}));

    static constexpr u32 kMostInCell = Rounds::kMostInCell;
    // Whether keys of one number are equal, so that there may be many of them in a cell. Where keys are wider than
    // numbers, or items differ by their places, their second numbers divide a large cell (second_cells.cuh).
    static constexpr bool kNumbersAreKeys = !KEEPS_ORDER && kNumbersAreWholeKeys;

    // Whether a bucket is uneven as soon as a cell has many items.
    static constexpr bool kLeavesUneven = SORTS_INDEXES && !kTellsFewNumbers;

    // Whether warps look for neighbours that are equal. Random numbers of 24 bits often are equal, as `float` values
    // below 1 are.
    static constexpr bool kAreFloats = kNumbersAreKeys && kKeysAreMapped && sizeof(Number) == sizeof(u32);
    // Whether numbers may be far apart because bits of them are alike. To look for it costs those of 64 bits too much.
    static constexpr bool kMayHaveGaps = kNumbersAreKeys && sizeof(Number) == sizeof(u32);
    // Whether numbers are of `float` values, which may have many exponents.
    static constexpr bool kMayHaveExponents = kNumbersAreKeys && kNumberOfZero != 0 && sizeof(Number) == sizeof(u32);

    // Cells of evenly spread numbers have no more items.
    static constexpr u32 kRoundsOfRepeats = 8;

    // What is known of the numbers of a bucket.
    enum Numbers { kAlike, kHaveCounters, kShareCells, kHaveExponents, kAreFew, kHaveWords };

    // Whether the outcome may be kOtherKind.
    static constexpr bool kMayRepeat = kLeavesFew && kTellsFewNumbers;

    Memory memory;
    NumberMap<CellMap<Number>> even;
    NumberMap<ValueMap<(u32)kNumberOfZero>> by_value;
    NumberIndex index_of;

    __device__ __forceinline__ explicit CellSort(unsigned char* bytes) : memory(bytes) {}

    // Sorts items 0 to count - 1, item base + offset as load(base, offset), and leaves them in `slots`, each warp its
    // own as BlockSort::for_each() reads them. If a cell has too many, the memory needs clear() afterwards. If there
    // are few different numbers, which are for repeat_sort.cuh, nothing is done, and the outcome is kOtherKind. All
    // threads of the block call this.
    //
    // Meanwhile the block finds the `next` bucket. It may be known at the end, and else its entry has been asked for,
    // if the outcome is not kOtherKind.
    template <typename Load, typename Next>
    __device__ __forceinline__ CellOutcome sort(u32 count, const Load& load, Next& next) {
        Items items(count, load);
        // The items are on their way meanwhile.
        memory.clear_cells();
        if constexpr (kAreFloats) {
            spread_neighbours(items, memory.slots);
        }
        const Numbers numbers = find_map(items);
        if (kNumbersAreKeys && numbers == kAlike) {
            next.ask_for_entry();
            keep_items(items);
            return CellOutcome::kSorted;
        }
        if (kNumbersAreKeys && (numbers == kHaveCounters || numbers == kHaveWords)) {
            if (numbers == kHaveWords) {
                sort_by_counters<false>(items, next);
            } else {
                sort_by_counters<true>(items, next);
            }
            return CellOutcome::kSorted;
        }
        if (kMayRepeat && numbers == kAreFew) {
            // All have read the bounds.
            __syncthreads();
            memory.clear_bounds();
            __syncthreads();
            return CellOutcome::kOtherKind;
        }
        bool goes_by_value = kMayHaveExponents && numbers == kHaveExponents;
        const bool are_alike = !kMayRepeat && numbers == kAlike;
        u32 most = 0;
        if (goes_by_value) {
            most = memory.count(items, by_value, next);
            // As few values near zero and some far away do, too many share one.
            if (most > kMostInCell) {
                memory.clear_cells();
                __syncthreads();
                goes_by_value = false;
            }
        }
        if (are_alike) {
            next.ask_for_entry();
            next.ask_for_place();
        } else if (!goes_by_value) {
            most = memory.count(items, even, next);
        }
        if (!kNumbersAreKeys && (are_alike || most > kMostInCell)) {
            if (kLeavesUneven) {
                // One thread has cleared the bounds, and the next sort may keep items there.
                __syncthreads();
                return CellOutcome::kUneven;
            }
            return sort_by_second_numbers(items, are_alike);
        }
        if (goes_by_value) {
            memory.place(items, by_value);
        } else {
            memory.place(items, even);
        }
        const auto cell_at = [&](u32 border) {
            return goes_by_value ? memory.cell_at(border, by_value) : memory.cell_at(border, even);
        };
        if (!Rounds::sort_borders(memory, count, most, cell_at, next)) {
            return CellOutcome::kUneven;
        }
        if constexpr (Words::kHasWords) {
            Words::order_neighbours(memory, count, most == 1 ? 0 : min_of(most, kMostInCell), [&](const Item& item) {
                return even.cell_of.place(number_of_item(item));
            });
            return CellOutcome::kOrdered;
        } else {
            // Where numbers repeat, most of the items in the fullest cells are equal.
            Rounds::sort_neighbours(memory.slots, count, most, most > kRoundsOfRepeats ? 0 : Rounds::kRoundsUnasked);
            return CellOutcome::kSorted;
        }
    }

  private:
    // Sorts items whose numbers have counters of their own.
    template <bool kHalves, typename Next>
    __device__ __forceinline__ void sort_by_counters(const Items& items, const Next& next) const {
        if constexpr (kMayHaveGaps) {
            const NumberMap<NumberIndex, OwnCounters<kHalves>> map{index_of};
            memory.count(items, map, next);
            memory.place(items, map);
        } else {
            const NumberMap<CellMap<Number>, OwnCounters<kHalves>> map{even.cell_of};
            memory.count(items, map, next);
            memory.place(items, map);
        }
    }

    // Sorts items by cells that second numbers divide: of the same number (`are_alike`), or of which many have the same
    // number. Then the numbers have been counted.
    __device__ __forceinline__ CellOutcome sort_by_second_numbers(const Items& items, bool are_alike) const {
        const SecondCells<kItems, Item, kCells> second{memory, kMayRepeat || even.cell_of.factor != ~0u};
        const NotedMap<kItems> notes = second.note(items, even, are_alike);
        NoNextBucket none;
        const u32 most = memory.count(items, notes, none);
        memory.place(items, notes);
        const auto cell_at = [&](u32 border) { return memory.cell_at(border, notes); };
        if (!Rounds::sort_borders(memory, items.count, most, cell_at, none)) {
            return CellOutcome::kUneven;
        }
        Rounds::sort_neighbours(memory.slots, items.count, most, Rounds::kRoundsUnasked);
        return CellOutcome::kSorted;
    }

    // Leaves equal items where they are.
    __device__ __forceinline__ void keep_items(const Items& items) const {
        const auto places = memory.places().from(Items::first_place());
        items.for_each([&](const Item& item, int i) { places[i * kWarpSize] = item; });
        __syncthreads();
        memory.clear_bounds();
        __syncthreads();
    }

    // Finds the map of numbers to cells, or the index of numbers that have counters of their own.
    __device__ __forceinline__ Numbers find_map(const Items& items) {
        const u32 cell_count = Memory::cell_count();
        u32 least;
        u32 greatest;
        bool may_go_by_value = false;
        if constexpr (sizeof(Number) == sizeof(u32)) {
            memory.bounds->find(items, 0, least, greatest, [](const Item& item) { return number_of_item(item); });
            if constexpr (kMayHaveGaps) {
                const Numbers few = find_counters(items, least, greatest);
                if (few != kShareCells) {
                    return few;
                }
            }
            if (kMayRepeat && BothNumbers::are_few(least, greatest, cell_count)) {
                return kAreFew;
            }
            even.cell_of = CellMap<Number>::of_each(least, greatest, cell_count, cell_count);
            if constexpr (kMayHaveExponents) {
                may_go_by_value = by_value.cell_of.make(least, greatest, cell_count);
            }
        } else {
            memory.bounds->find(
                items, 0, least, greatest, [](const Item& item) { return (u32)(number_of_item(item) >> 32); });
            if (least != greatest) {
                // The lower words are taken for any, so the range may be a little wide.
                even.cell_of = CellMap<Number>::of((Number)least << 32, (Number)greatest << 32 | ~0u, cell_count);
            } else {
                const Number upper = (Number)least << 32;
                memory.bounds->find(
                    items, 1, least, greatest, [](const Item& item) { return (u32)number_of_item(item); });
                if (kMayRepeat && BothNumbers::are_few(least, greatest, cell_count)) {
                    return kAreFew;
                }
                even.cell_of = CellMap<Number>::of_each(
                    upper | least, upper | greatest, cell_count, kNumbersAreKeys ? 2 * cell_count : cell_count);
            }
        }
        if (least == greatest) {
            return kAlike;
        }
        if (even.cell_of.factor == ~0u) {
            return greatest - least < cell_count ? kHaveWords : kHaveCounters;
        }
        return may_go_by_value ? kHaveExponents : kShareCells;
    }

    // Finds the index of numbers of one word, and whether there are counters for all.
    __device__ __forceinline__ Numbers find_counters(const Items& items, u32 least, u32 greatest) {
        const u32 cell_count = Memory::cell_count();
        if (least == greatest) {
            return kShareCells;
        }
        const u32 last = find_index(items, least, greatest);
        return last < cell_count ? kHaveWords : last < 2 * cell_count ? kHaveCounters : kShareCells;
    }

    // Makes the index of all numbers, and returns that of the greatest. All numbers are looked at where the ends of
    // their range may say that some bits are the same in all.
    __device__ __forceinline__ u32 find_index(const Items& items, u32 least, u32 greatest) {
        if (((least ^ greatest) & NumberIndex::kBitsOfGaps) != 0) {
            return index_of.make(least, greatest);
        }
        return index_of.make(least, greatest, memory.bounds->find_differing_bits(items, least));
    }
};
