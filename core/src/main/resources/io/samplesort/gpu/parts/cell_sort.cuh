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
#include "parts/noted_cells.cuh"
#include "parts/number_index.cuh"
#include "parts/own_counters.cuh"
#include "parts/second_cells.cuh"
#include "parts/spread_neighbours.cuh"
#include "parts/value_map.cuh"

// Buckets with few different numbers are left to repeat_sort.cuh where `kLeavesFew`, and otherwise sorted as well, if
// more slowly.
template <int kItems, typename Item, u32 kCells, bool kLeavesFew>
struct CellSort {
    using Memory = CellMemory<kItems, Item, kCells>;
    using Items = BlockItems<kItems, Item>;
    using Rounds = CellRounds<kItems, Item>;
    using Words = WordRounds<kItems, Item, kCells>;
    using Noted = NotedCells<kItems, Item, kCells>;
    using Number = decltype(number_of_item(Item{}));
    using Large = LargeCells<kItems, Item>;
    using Second = SecondCells<kItems, Item, kCells>;

    static constexpr u32 kMostInCell = Large::kMostInCell;
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
    CellMap<Number> cell_of;
    ValueMap<(u32)kNumberOfZero> cell_of_value;
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
            next.ask_for_entry();
            const OwnCounters<kItems, Item, kCells> counters{memory};
            const auto counter_of = [&](const Item& item) -> u32 {
                if constexpr (kMayHaveGaps) {
                    return index_of(number_of_item(item));
                } else {
                    return cell_of(number_of_item(item));
                }
            };
            if (numbers == kHaveWords) {
                counters.template sort<false>(items, counter_of);
            } else {
                counters.template sort<true>(items, counter_of);
            }
            next.ask_for_place();
            return CellOutcome::kSorted;
        }
        if (kMayRepeat && numbers == kAreFew) {
            // All have read the bounds.
            __syncthreads();
            memory.clear_bounds();
            __syncthreads();
            return CellOutcome::kOtherKind;
        }
        u32 most = 0;
        bool goes_by_value = false;
        if constexpr (kMayHaveExponents) {
            goes_by_value = numbers == kHaveExponents && count_by_value(items, most);
        }
        const bool are_alike = !kMayRepeat && numbers == kAlike;
        if (!goes_by_value && !are_alike) {
            items.for_each([&](const Item& item, int) { atomicAdd(&memory.cells[cell_of(number_of_item(item))], 1u); });
            next.ask_for_entry();
            __syncthreads();
            most = memory.find_starts();
        } else {
            next.ask_for_entry();
        }
        next.ask_for_place();
        if constexpr (!kNumbersAreKeys) {
            if (are_alike || most > kMostInCell) {
                if constexpr (kLeavesUneven) {
                    // One thread has cleared the bounds, and the next sort may keep items there.
                    __syncthreads();
                    return CellOutcome::kUneven;
                } else {
                    return sort_by_second_numbers(items, are_alike);
                }
            }
        }
        // The cells are found again: registers are for items.
        if constexpr (kMayHaveExponents) {
            if (goes_by_value) {
                place_items(items, cell_of_value);
            }
        }
        if (!goes_by_value) {
            place_items(items, cell_of);
        }
        // Each cell says now where the next one begins.
        const u32* starts = memory.cells - 1;
        __syncthreads();
        if (kNumbersAreKeys && most > kMostInCell) {
            if (__syncthreads_or(!Large::template sort<kCells>(memory.slots, starts)) != 0) {
                return CellOutcome::kUneven;
            }
        }
        Rounds::sort_border(memory.slots, count, starts, [&](u32 border) {
            const Number number = number_of_item(memory.items()[border]);
            if constexpr (kMayHaveExponents) {
                return goes_by_value ? cell_of_value(number) : cell_of(number);
            } else {
                return cell_of(number);
            }
        });
        next.await_place();
        __syncthreads();
        next.fetch();
        if constexpr (Words::kHasWords) {
            Words::order_neighbours(memory, count, most == 1 ? 0 : min_of(most, kMostInCell), [&](const Item& item) {
                return cell_of.place(number_of_item(item));
            });
            return CellOutcome::kOrdered;
        } else {
            // Where numbers repeat, most of the items in the fullest cells are equal.
            const u32 unasked = most > kRoundsOfRepeats ? 0 : Rounds::kRoundsUnasked;
            Rounds::sort_neighbours(memory.slots, count, most == 1 ? 0 : min_of(most, kMostInCell), unasked);
            return CellOutcome::kSorted;
        }
    }

  private:
    // Puts items into their cells, which are found by a map. Each cell grows up to where the next one began.
    template <typename Map>
    __device__ __forceinline__ void place_items(const Items& items, const Map& map) const {
        const auto places = memory.items();
        items.for_each(
            [&](const Item& item, int) { places[atomicAdd(&memory.cells[map(number_of_item(item))], 1u)] = item; });
    }

    // Counts the items of each cell of equally wide ranges of values. Returns false if too many share one, as few
    // values near zero and some far away do; the cells are cleared then.
    __device__ __forceinline__ bool count_by_value(const Items& items, u32& most) const {
        items.for_each(
            [&](const Item& item, int) { atomicAdd(&memory.cells[cell_of_value(number_of_item(item))], 1u); });
        __syncthreads();
        most = memory.find_starts();
        if (most <= kMostInCell) {
            return true;
        }
        memory.clear_cells();
        __syncthreads();
        return false;
    }

    // Sorts items by cells that second numbers divide: of the same number (`are_alike`), or of which many have the same
    // number. Then the numbers have been counted, and `cells` says where those of each begin.
    __device__ __forceinline__ CellOutcome sort_by_second_numbers(const Items& items, bool are_alike) const {
        const Second second{memory.slots, memory.cells, kMayRepeat || cell_of.factor != ~0u};
        if (are_alike) {
            // All have read the bounds.
            __syncthreads();
            memory.clear_bounds();
        } else {
            // The last cell ends where the next one would begin.
            if (threadIdx.x == 0) {
                memory.cells[Memory::cell_count()] = items.count;
            }
            if (second.has_middles) {
                items.for_each([&](const Item&, int i) { second.clear_middle(Items::first_place() + i * kWarpSize); });
            }
        }
        __syncthreads();
        if (!are_alike && second.has_middles) {
            items.for_each([&](const Item& item, int) { second.offer_middle(cell_of(number_of_item(item)), item); });
        }
        // This is a barrier, behind which the middles can be read.
        const auto spread = find_spread(items);
        typename Noted::Notes notes;
        notes.set(items, [&](const Item& item) {
            const u32 fraction = spread(second_number_of_item(item));
            return are_alike ? Second::cell_among(0, items.count, fraction)
                             : second.cell_of(cell_of(number_of_item(item)), item, fraction);
        });
        __syncthreads();
        memory.clear_cells();
        memory.clear_bounds();
        __syncthreads();
        const Noted noted{memory};
        return noted.sort_noted(items, notes, noted.count_noted(items, notes));
    }

    // Finds out how the second numbers of all items are spread. This is a barrier, and needs cleared bounds.
    __device__ __forceinline__ NumberSpread find_spread(const Items& items) const {
        u32 least;
        u32 greatest;
        memory.bounds->find(
            items, 0, least, greatest, [](const Item& item) { return (u32)(second_number_of_item(item) >> 32); });
        if (least != greatest) {
            return NumberSpread((u64)least << 32, (u64)greatest << 32 | ~0u);
        }
        const u64 upper = (u64)least << 32;
        memory.bounds->find(
            items, 1, least, greatest, [](const Item& item) { return (u32)second_number_of_item(item); });
        return NumberSpread(upper | least, upper | greatest);
    }

    // Leaves equal items where they are.
    __device__ __forceinline__ void keep_items(const Items& items) const {
        const auto places = memory.items().from(Items::first_place());
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
            cell_of = CellMap<Number>::of_each(least, greatest, cell_count, cell_count);
            if constexpr (kMayHaveExponents) {
                may_go_by_value = cell_of_value.make(least, greatest, cell_count);
            }
        } else {
            memory.bounds->find(
                items, 0, least, greatest, [](const Item& item) { return (u32)(number_of_item(item) >> 32); });
            if (least != greatest) {
                // The lower words are taken for any, so the range may be a little wide.
                cell_of = CellMap<Number>::of((Number)least << 32, (Number)greatest << 32 | ~0u, cell_count);
            } else {
                const Number upper = (Number)least << 32;
                memory.bounds->find(
                    items, 1, least, greatest, [](const Item& item) { return (u32)number_of_item(item); });
                if (kMayRepeat && BothNumbers::are_few(least, greatest, cell_count)) {
                    return kAreFew;
                }
                cell_of = CellMap<Number>::of_each(
                    upper | least, upper | greatest, cell_count, kNumbersAreKeys ? 2 * cell_count : cell_count);
            }
        }
        if (least == greatest) {
            return kAlike;
        }
        if (cell_of.factor == ~0u) {
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
