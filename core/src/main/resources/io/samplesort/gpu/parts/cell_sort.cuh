// Sorts what fits the shared memory of one block, where keys are numbers. Between the least key of a bucket and its
// greatest one, the range of numbers is cut into equal cells, about as many as there are keys. Counting says where the
// items of each cell go. Few lie in one cell, so none is far from its place then, and a few rounds in which neighbours
// change places put all in order. An item costs the same however large the bucket is, and fewer instructions than a
// network takes (docs/tuning-log.md).
//
// Which cell a key falls into only has to be monotone; keys are compared by `less`. A cell with many items is divided
// by one of them into what comes before, what is equal and what comes behind, as most of them are equal where keys
// repeat. Of keys that are wider than their numbers, second numbers divide it. Cells of `float` keys go by their values
// where these have many exponents. If keys are spread so unevenly that this does not sort them, the bucket is left to
// block_sort.cuh.
#pragma once
#include "parts/cell_map.cuh"
#include "parts/cell_rounds.cuh"
#include "parts/number_index.cuh"
#include "parts/second_cells.cuh"
#include "parts/spread_neighbours.cuh"
#include "parts/value_map.cuh"

template <int kItems, typename Item, u32 kCells>
struct CellSort : CellRounds<kItems, Item, kCells> {
    using Counts = CellCounts<kItems, Item, kCells>;
    using Rounds = CellRounds<kItems, Item, kCells>;
    using Items = PaddedItems<kItems, Item>;
    using Number = decltype(number_of_item(Item{}));
    using Large = LargeCells<kItems, Item, kCells>;
    using Second = SecondCells<kItems, Item, kCells>;

    static constexpr u32 kMostInCell = Large::kMostInCell;
    // Whether keys of one number are equal, so that there may be many of them in a cell. Where keys are wider than
    // numbers, or items differ by their places, their second numbers divide a large cell (second_cells.cuh).
    static constexpr bool kNumbersAreKeys = !KEEPS_ORDER && kNumbersAreWholeKeys;

    // Whether warps look for neighbours that are equal. Random numbers of 24 bits often are equal, as `float` values below 1 are.
    static constexpr bool kAreFloats = kNumbersAreKeys && kKeysAreMapped && sizeof(Number) == sizeof(u32);
    // Whether numbers may be far apart because bits of them are alike. To look for it costs those of 64 bits too much.
    static constexpr bool kMayHaveGaps = kNumbersAreKeys && sizeof(Number) == sizeof(u32);

    // Whether numbers are of `float` values, which may have many exponents.
    static constexpr bool kMayHaveExponents = kNumbersAreKeys && kNumberOfZero != 0;

    // Whether there may be many equal items of the same second number.
    static constexpr bool kItemsMayBeEqual = !KEEPS_ORDER && !SORTS_INDEXES;

    // What is known of the numbers of a bucket.
    enum Numbers { kAlike, kHaveCounters, kShareCells, kHaveExponents, kRepeat };

    // Whether buckets with few numbers are looked for. More items in a thread leave too few registers.
    static constexpr bool kMayRepeat = !kNumbersAreKeys && kItems <= 8;
    // Where numbers repeat, cells with more items are divided by the places of these in their cells.
    static constexpr u32 kMostUndivided = 10;

    using Counts::add_bounds;
    using Counts::bounds;
    using Counts::cells;
    using Counts::clear_bounds;
    using Counts::clear_cells;
    using Counts::find_bounds;
    using Counts::for_each_item;
    using Counts::kept;
    using Counts::kWarpItems;
    using Counts::load_items;
    using Counts::place_of_item;
    using Counts::slots;
    using Counts::warp_totals;
    using Rounds::sort_border;
    using Rounds::sort_neighbours;

    CellMap<Number> cell_of;
    ValueMap<kNumberOfZero> cell_of_value;
    NumberIndex index_of;
    BothNumbers both;

    __device__ __forceinline__ explicit CellSort(unsigned char* memory)
        : Rounds(memory) {}

    // Sorts items 0 … count - 1, item base + offset as load(base, offset), and leaves them in `slots`, each warp its own
    // as BlockSort::for_each() reads them. Returns false if a cell has too many; the memory then needs clear(). All
    // threads of the block call this.
    template <typename Load>
    __device__ __forceinline__ bool sort(u32 count, const Load& load) {
        Item items[kItems];
        load_items(count, load, items);
        // The items are on their way meanwhile.
        clear_cells();
        if constexpr (kAreFloats) {
            spread_neighbours(items, count, slots);
        }
        const Numbers numbers = find_map(items, count);
        if (kNumbersAreKeys && numbers == kAlike) {
            keep_items(items, count);
            return true;
        }
        if (kNumbersAreKeys && numbers == kHaveCounters) {
            sort_numbers(items, count);
            return true;
        }
        u32 most = 0;
        bool goes_by_value = false;
        if constexpr (kMayHaveExponents) {
            goes_by_value = numbers == kHaveExponents && count_by_value(items, count, most);
        }
        if (!goes_by_value && numbers != kAlike && numbers != kRepeat) {
            for_each_item(count, [&](int i) { atomicAdd(&cells[cell_of(number_of_item(items[i]))], 1u); });
            __syncthreads();
            most = this->template find_starts<false>();
        }
        if constexpr (!kNumbersAreKeys) {
            if (numbers == kAlike || numbers == kRepeat || most > kMostInCell) {
                return sort_by_second_numbers(items, count, numbers);
            }
        }
        const Items places{slots, 0};
        // The cells are found again: registers are for items.
        if constexpr (kMayHaveExponents) {
            if (goes_by_value) {
                place_items(items, count, cell_of_value);
            }
        }
        if (!goes_by_value) {
            place_items(items, count, cell_of);
        }
        // Each cell says now where the next one begins.
        const u32* starts = cells - 1;
        __syncthreads();
        if (kNumbersAreKeys && most > kMostInCell) {
            if (__syncthreads_or(!Large::sort(slots, starts)) != 0) {
                return false;
            }
        }
        sort_border(count, starts, [&](u32 border) {
            const Number number = number_of_item(places[border]);
            if constexpr (kMayHaveExponents) {
                return goes_by_value ? cell_of_value(number) : cell_of(number);
            } else {
                return cell_of(number);
            }
        });
        __syncthreads();
        sort_neighbours(count, most == 1 ? 0 : min_of(most, kMostInCell));
        return true;
    }

  private:
    // Puts items into their cells, which are found by a map. Each cell grows up to where the next one began.
    template <typename Map>
    __device__ __forceinline__ void place_items(const Item (&items)[kItems], u32 count, const Map& map) const {
        const Items places{slots, 0};
        for_each_item(count, [&](int i) { places[atomicAdd(&cells[map(number_of_item(items[i]))], 1u)] = items[i]; });
    }

    // Counts the items of each cell of equally wide ranges of values. Returns false if too many share one, as few values
    // near zero and some far away do; the cells are cleared then.
    __device__ __forceinline__ bool count_by_value(const Item (&items)[kItems], u32 count, u32& most) const {
        for_each_item(count, [&](int i) { atomicAdd(&cells[cell_of_value(number_of_item(items[i]))], 1u); });
        __syncthreads();
        most = this->template find_starts<false>();
        if (most <= kMostInCell) {
            return true;
        }
        clear_cells();
        __syncthreads();
        return false;
    }

    // Sorts items by cells that second numbers divide: of few numbers (kRepeat), of the same number (kAlike), or of which
    // many have the same number. In the last case the numbers have been counted, and `cells` says where those of each
    // begin.
    __device__ __forceinline__ bool sort_by_second_numbers(
        const Item (&items)[kItems], u32 count, Numbers numbers) const {
        const u32 cell_count = blockDim.x * kCells;
        u32 cells_of_items[kItems / 2];
        const auto cell_at = [&](int i) { return cells_of_items[i / 2] >> i % 2 * 16 & 0xffff; };
        const auto cell_of_item = [&](int i) -> u32& { return cells[cell_at(i)]; };
        u32 most = 0;
        bool are_counted = false;
        if (numbers == kRepeat) {
            if constexpr (kMayRepeat) {
                const auto place_of = [&](const BothNumbers& map, const Item& item) {
                    return map.place((u32)number_of_item(item), (u32)(second_number_of_item(item) >> 32));
                };
                if (threadIdx.x == 0) {
                    *kept = both;
                }
                set_cells(items, count, cells_of_items, [&](const Item& item) { return both.cell_at(place_of(both, item)); });
                for_each_item(count, [&](int i) { atomicAdd(&cell_of_item(i), 1u); });
                __syncthreads();
                most = this->template find_starts<false>();
                are_counted = most <= kMostUndivided;
                if (!are_counted) {
                    const BothNumbers same = *kept;
                    set_cells(items, count, cells_of_items, [&](const Item& item) {
                        const u32 place = place_of(same, item);
                        const u32 cell = same.cell_at(place);
                        const u32 end = cell + 1 == cell_count ? count : cells[cell + 1];
                        return Second::cell_among(cells[cell], end, same.part_at(place));
                    });
                }
            }
        } else {
            const bool are_alike = numbers == kAlike;
            const Second second{slots, cells, cell_of.factor != ~0u};
            if (are_alike) {
                // All have read the bounds.
                __syncthreads();
                clear_bounds();
            } else {
                // The last cell ends where the next one would begin.
                if (threadIdx.x == 0) {
                    cells[cell_count] = count;
                }
                if (second.has_middles) {
                    for_each_item(count, [&](int i) { second.clear_middle(place_of_item(i)); });
                }
            }
            __syncthreads();
            if (!are_alike && second.has_middles) {
                for_each_item(count, [&](int i) { second.offer_middle(cell_of(number_of_item(items[i])), items[i]); });
            }
            // This is a barrier, behind which the middles can be read.
            const auto spread = find_spread(items, count);
            set_cells(items, count, cells_of_items, [&](const Item& item) {
                const u32 fraction = spread(second_number_of_item(item));
                return are_alike ? Second::cell_among(0, count, fraction)
                                 : second.cell_of(cell_of(number_of_item(item)), item, fraction);
            });
        }
        if (!are_counted) {
            __syncthreads();
            clear_cells();
            clear_bounds();
            __syncthreads();
            for_each_item(count, [&](int i) { atomicAdd(&cell_of_item(i), 1u); });
            __syncthreads();
            most = this->template find_starts<false>();
        }
        if (most > kMostInCell && !kItemsMayBeEqual) {
            // One thread has cleared the bounds, and the next sort may keep items there.
            __syncthreads();
            return false;
        }
        const Items sorted{slots, 0};
        for_each_item(count, [&](int i) {
            const u32 place = atomicAdd(&cell_of_item(i), 1u);
            sorted[place] = items[i];
            if (place % kWarpItems == 0) {
                warp_totals[place / kWarpItems] = cell_at(i);
            }
        });
        const u32* starts = cells - 1;
        __syncthreads();
        if (kItemsMayBeEqual && most > kMostInCell) {
            if (__syncthreads_or(!Large::sort(slots, starts)) != 0) {
                return false;
            }
        }
        sort_border(count, starts, [&](u32 border) { return warp_totals[border / kWarpItems]; });
        __syncthreads();
        sort_neighbours(count, most == 1 ? 0 : min_of(most, kMostInCell));
        return true;
    }

    // Keeps the cell of each item, two in a word: registers are for items.
    template <typename CellOf>
    __device__ __forceinline__ static void set_cells(
        const Item (&items)[kItems], u32 count, u32 (&cells_of_items)[kItems / 2], const CellOf& cell_of_item) {
#pragma unroll
        for (int i = 0; i < kItems / 2; ++i) {
            cells_of_items[i] = 0;
        }
        for_each_item(count, [&](int i) { cells_of_items[i / 2] |= cell_of_item(items[i]) << i % 2 * 16; });
    }

    // Finds out how the second numbers of all items are spread. This is a barrier, and needs cleared bounds.
    __device__ __forceinline__ NumberSpread find_spread(const Item (&items)[kItems], u32 count) const {
        u32 least;
        u32 greatest;
        find_bounds(
            items, count, 0, least, greatest,
            [](const Item& item) { return (u32)(second_number_of_item(item) >> 32); });
        if (least != greatest) {
            return NumberSpread((u64)least << 32, (u64)greatest << 32 | ~0u);
        }
        const u64 upper = (u64)least << 32;
        find_bounds(
            items, count, 1, least, greatest, [](const Item& item) { return (u32)second_number_of_item(item); });
        return NumberSpread(upper | least, upper | greatest);
    }

    // Leaves equal items where they are.
    __device__ __forceinline__ void keep_items(const Item (&items)[kItems], u32 count) const {
        const Items places{slots, threadIdx.x / kWarpSize * kWarpItems + threadIdx.x % kWarpSize};
        for_each_item(count, [&](int i) { places[i * kWarpSize] = items[i]; });
        __syncthreads();
        clear_bounds();
        __syncthreads();
    }

    // Sorts items of so few numbers that each has a counter of its own. Two share a word, and then all are in order as
    // soon as they are in their places.
    __device__ __forceinline__ void sort_numbers(const Item (&items)[kItems], u32 count) const {
        const auto add_one = [&](const Item& item) {
            u32 number;
            if constexpr (kMayHaveGaps) {
                number = index_of(number_of_item(item));
            } else {
                number = cell_of(number_of_item(item));
            }
            const u32 shift = number % 2 * 16;
            return atomicAdd(&cells[number / 2], 1u << shift) >> shift & 0xffff;
        };
        for_each_item(count, [&](int i) { add_one(items[i]); });
        __syncthreads();
        this->template find_starts<true>();
        const Items places{slots, 0};
        for_each_item(count, [&](int i) { places[add_one(items[i])] = items[i]; });
        __syncthreads();
    }

    // Finds the map of numbers to cells, or the index of numbers that have counters of their own.
    __device__ __forceinline__ Numbers find_map(const Item (&items)[kItems], u32 count) {
        const u32 cell_count = blockDim.x * kCells;
        const u32 number_count = kNumbersAreKeys ? 2 * cell_count : cell_count;
        u32 least;
        u32 greatest;
        bool may_go_by_value = false;
        if constexpr (sizeof(Number) == sizeof(u32)) {
            find_bounds(items, count, 0, least, greatest, [](const Item& item) { return number_of_item(item); });
            if constexpr (kMayHaveGaps) {
                if (least != greatest && find_index(items, count, least, greatest) < number_count) {
                    return kHaveCounters;
                }
            }
            if (kMayRepeat && greatest - least <= BothNumbers::kMostRange * cell_count) {
                u32 least_second;
                u32 greatest_second;
                find_bounds(
                    items, count, 2, least_second, greatest_second,
                    [](const Item& item) { return (u32)(second_number_of_item(item) >> 32); });
                if (both.make(least, greatest, least_second, greatest_second, cell_count)) {
                    return kRepeat;
                }
            }
            cell_of = CellMap<Number>::of_each(least, greatest, cell_count, number_count);
            if constexpr (kMayHaveExponents) {
                may_go_by_value = cell_of_value.make(least, greatest, cell_count);
            }
        } else {
            find_bounds(
                items, count, 0, least, greatest, [](const Item& item) { return (u32)(number_of_item(item) >> 32); });
            if (least != greatest) {
                // The lower words are taken for any, so the range may be a little wide.
                cell_of = CellMap<Number>::of((Number)least << 32, (Number)greatest << 32 | ~0u, cell_count);
            } else {
                const Number upper = (Number)least << 32;
                if constexpr (kMayRepeat) {
                    add_bounds(items, count, 2, [](const Item& item) { return (u32)(second_number_of_item(item) >> 32); });
                }
                find_bounds(
                    items, count, 1, least, greatest, [](const Item& item) { return (u32)number_of_item(item); });
                if (kMayRepeat && both.make(least, greatest, bounds->least[2], bounds->greatest[2], cell_count)) {
                    return kRepeat;
                }
                cell_of = CellMap<Number>::of_each(upper | least, upper | greatest, cell_count, number_count);
            }
        }
        if (least == greatest) {
            return kAlike;
        }
        if (cell_of.factor == ~0u) {
            return kHaveCounters;
        }
        return may_go_by_value ? kHaveExponents : kShareCells;
    }

    // Makes the index of all numbers, and returns that of the greatest. All numbers are looked at where the ends of their
    // range may say that some bits are the same in all.
    __device__ __forceinline__ u32 find_index(const Item (&items)[kItems], u32 count, u32 least, u32 greatest) {
        if (((least ^ greatest) & NumberIndex::kBitsOfGaps) != 0) {
            return index_of.make(least, greatest);
        }
        return index_of.make(least, greatest, this->find_differing_bits(items, count, least));
    }
};
