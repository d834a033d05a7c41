// Sorts what fits the shared memory of one block, where keys are numbers. Between the least key of a bucket and its
// greatest one, the range of numbers is cut into equal cells, about as many as there are keys. Counting says where the
// items of each cell go. Few lie in one cell, so none is far from its place then, and a few rounds in which neighbours
// change places put all in order. An item costs the same however large the bucket is, and fewer instructions than a
// network takes (docs/tuning-log.md).
//
// Which cell a key falls into only has to be monotone; keys are compared by `less`. A cell with many items is divided
// by one of them into what comes before, what is equal and what comes behind, as most of them are equal where keys
// repeat. Of keys that are wider than their numbers, second numbers divide it. If keys are spread so unevenly that this
// does not sort them, the bucket is left to block_sort.cuh.
#pragma once
#include "parts/block_sort.cuh"
#include "parts/cell_map.cuh"
#include "parts/large_cells.cuh"
#include "parts/number_index.cuh"
#include "parts/second_cells.cuh"

__device__ __forceinline__ auto number_of_item(const Element& element) {
    return number_of(element.key);
}

__device__ __forceinline__ u64 second_number_of_item(const Element& element) {
    return second_number_of(element.key);
}

template <int kItems, typename Item, u32 kCells>
struct CellSort {
    using Number = decltype(number_of_item(Item{}));
    using Items = PaddedItems<kItems, Item>;
    using Large = LargeCells<kItems, Item, kCells>;
    using Second = SecondCells<kItems, Item, kCells>;

    static constexpr u32 kMostInCell = Large::kMostInCell;
    static constexpr u32 kWarpItems = kWarpSize * kItems;
    // Each thread adds up kCells cells, four of a row at a time.
    static constexpr u32 kRows = kCells / 4;
    // Keys that are evenly spread mostly need so many rounds, or fewer, and nobody looks whether these are needed.
    static constexpr u32 kRoundsUnasked = 8;
    // Whether keys of one number are equal, so that there may be many of them in a cell. Where keys are wider than
    // numbers, or items differ by their places, their second numbers divide a large cell (second_cells.cuh).
    static constexpr bool kNumbersAreKeys = !KEEPS_ORDER && kNumbersAreWholeKeys;

    // So many lanes with the number of the lane before are many.
    static constexpr u32 kManyAlike = 16;
    // Floating-point numbers of 32 bits are often few. Other numbers are not looked at so closely, as this costs them one
    // hundredth.
    static constexpr bool kAreFloats = kNumbersAreKeys && kKeysAreMapped && sizeof(Number) == sizeof(u32);


    // Whether there may be many equal items of the same second number.
    static constexpr bool kItemsMayBeEqual = !KEEPS_ORDER && !SORTS_INDEXES;

    struct Bounds {
        u32 least[2];  // of the upper words of all numbers, and of the lower ones
        u32 greatest[2];
        u32 most;  // items in a cell
        u32 differ;  // bits in which numbers differ
    };

    // What is known of the numbers of a bucket.
    enum Numbers { kAlike, kHaveCounters, kShareCells };

    Item* slots;
    u32* cells;  // counts of the items in each cell, then where these begin, then where they end; a 0 before all
    u32* warp_totals;
    Bounds* bounds;
    CellMap<Number> cell_of;
    NumberIndex index_of;

    __host__ __device__ __forceinline__ static constexpr u32 slot_bytes(u32 threads) {
        return BlockSort<kItems, Item>::slot_bytes(threads);
    }

    __host__ __device__ __forceinline__ static constexpr u32 bytes(u32 threads) {
        return slot_bytes(threads) + threads * kCells * (u32)sizeof(u32) + 16 + kWarpSize * (u32)sizeof(u32)
            + align_16(sizeof(Bounds));
    }

    __device__ __forceinline__ explicit CellSort(unsigned char* memory) {
        slots = (Item*)memory;
        cells = (u32*)(memory + slot_bytes(blockDim.x)) + 4;
        warp_totals = cells + blockDim.x * kCells;
        bounds = (Bounds*)(warp_totals + kWarpSize);
    }

    // Makes the memory ready for a first sort, and for the next one after others have used it. The block sees this
    // after its next barrier.
    __device__ __forceinline__ void clear() const {
        if (threadIdx.x == 0) {
            cells[-1] = 0;
        }
        clear_bounds();
    }

    // Sorts items 0 … count - 1, item base + offset as load(base, offset), and leaves them in `slots`, each warp its own
    // as BlockSort::for_each() reads them. Returns false if a cell has too many; the memory then needs clear(). All
    // threads of the block call this.
    template <typename Load>
    __device__ __forceinline__ bool sort(u32 count, const Load& load) {
        Item items[kItems];
        load_items(count, load, items);
        // The items are on their way meanwhile.
        clear_cells();
        spread_neighbours(items, count);
        const Numbers numbers = find_map(items, count);
        const bool are_alike = numbers == kAlike;
        if (kNumbersAreKeys && are_alike) {
            keep_items(items, count);
            return true;
        }
        if (kNumbersAreKeys && numbers == kHaveCounters) {
            sort_numbers(items, count);
            return true;
        }
        u32 most = 0;
        if (!are_alike) {
            for_each_item(count, [&](int i) { atomicAdd(&cells[cell_of(number_of_item(items[i]))], 1u); });
            __syncthreads();
            most = find_starts<false>();
        }
        if constexpr (!kNumbersAreKeys) {
            if (are_alike || most > kMostInCell) {
                return sort_by_second_numbers(items, count, are_alike);
            }
        }
        const Items places{slots, 0};
        // The cells are found again: registers are for items.
        for_each_item(count, [&](int i) {
            places[atomicAdd(&cells[cell_of(number_of_item(items[i]))], 1u)] = items[i];
        });
        // Each cell has grown up to where the next one began, so it says where that is.
        const u32* starts = cells - 1;
        __syncthreads();
        if (kNumbersAreKeys && most > kMostInCell) {
            if (__syncthreads_or(!Large::sort(slots, starts)) != 0) {
                return false;
            }
        }
        sort_border(count, starts, [&](u32 border) { return cell_of(number_of_item(places[border])); });
        __syncthreads();
        sort_neighbours(count, most == 1 ? 0 : min_of(most, kMostInCell));
        return true;
    }

  private:
    // Sorts items of which many have the same number, or all of them (`are_alike`), by cells that their second numbers
    // divide. Else the numbers have been counted, and `cells` says where those of each begin.
    __device__ __forceinline__ bool sort_by_second_numbers(const Item (&items)[kItems], u32 count, bool are_alike) {
        const u32 cell_count = blockDim.x * kCells;
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
        // Two in a word: registers are for items.
        u32 cells_of_items[kItems / 2];
#pragma unroll
        for (int i = 0; i < kItems / 2; ++i) {
            cells_of_items[i] = 0;
        }
        for_each_item(count, [&](int i) {
            const u32 fraction = spread(second_number_of_item(items[i]));
            const u32 cell = are_alike ? Second::cell_among(0, count, fraction)
                                       : second.cell_of(cell_of(number_of_item(items[i])), items[i], fraction);
            cells_of_items[i / 2] |= cell << i % 2 * 16;
        });
        __syncthreads();
        clear_cells();
        clear_bounds();
        __syncthreads();
        const auto cell_of_item = [&](int i) -> u32& { return cells[cells_of_items[i / 2] >> i % 2 * 16 & 0xffff]; };
        for_each_item(count, [&](int i) { atomicAdd(&cell_of_item(i), 1u); });
        __syncthreads();
        const u32 most = find_starts<false>();
        if (most > kMostInCell && !kItemsMayBeEqual) {
            // One thread has cleared the bounds, and the next sort may keep items there.
            __syncthreads();
            return false;
        }
        const Items places{slots, 0};
        for_each_item(count, [&](int i) { places[atomicAdd(&cell_of_item(i), 1u)] = items[i]; });
        const u32* starts = cells - 1;
        __syncthreads();
        if (kItemsMayBeEqual && most > kMostInCell) {
            if (__syncthreads_or(!Large::sort(slots, starts)) != 0) {
                return false;
            }
        }
        sort_border(count, starts, [&](u32 border) { return Second::cell_at(starts, cell_count, border); });
        __syncthreads();
        sort_neighbours(count, most == 1 ? 0 : min_of(most, kMostInCell));
        return true;
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

    // Returns where item i of the calling thread comes from.
    __device__ __forceinline__ static u32 place_of_item(int i) {
        return threadIdx.x / kWarpSize * kWarpItems + threadIdx.x % kWarpSize + i * kWarpSize;
    }

    __device__ __forceinline__ void clear_bounds() const {
        if (threadIdx.x == 0) {
            *bounds = Bounds{{~0u, ~0u}, {0, 0}, 0, 0};
        }
    }

    // Each thread clears the cells that it adds up.
    __device__ __forceinline__ void clear_cells() const {
        uint4* rows = rows_of_thread();
#pragma unroll
        for (u32 row = 0; row < kRows; ++row) {
            rows[row * kWarpSize] = uint4{0, 0, 0, 0};
        }
    }

    __device__ __forceinline__ uint4* rows_of_thread() const {
        return (uint4*)cells + threadIdx.x / kWarpSize * kRows * kWarpSize + threadIdx.x % kWarpSize;
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
            if constexpr (sizeof(Number) == sizeof(u32)) {
                number = index_of(number_of_item(item));
            } else {
                number = cell_of(number_of_item(item));
            }
            const u32 shift = number % 2 * 16;
            return atomicAdd(&cells[number / 2], 1u << shift) >> shift & 0xffff;
        };
        for_each_item(count, [&](int i) { add_one(items[i]); });
        __syncthreads();
        find_starts<true>();
        const Items places{slots, 0};
        for_each_item(count, [&](int i) { places[add_one(items[i])] = items[i]; });
        __syncthreads();
    }

    // Calls use(i) for the items of a thread. Nobody asks for single items where a warp has all.
    template <typename Use>
    __device__ __forceinline__ static void for_each_item(u32 count, const Use& use) {
        const u32 base = threadIdx.x / kWarpSize * kWarpItems + threadIdx.x % kWarpSize;
        if (base - threadIdx.x % kWarpSize + kWarpItems <= count) {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                use(i);
            }
        } else {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                if (base + i * kWarpSize < count) {
                    use(i);
                }
            }
        }
    }

    // Neighbouring lanes have neighbouring items, and a warp's items lie together.
    //
    // What is no item is set to nothing. Else its registers would hold what they held for the piece before, and could
    // not be used for anything in between.
    template <typename Load>
    __device__ __forceinline__ static void load_items(u32 count, const Load& load, Item (&items)[kItems]) {
        const u32 base = threadIdx.x / kWarpSize * kWarpItems + threadIdx.x % kWarpSize;
        if (base - threadIdx.x % kWarpSize + kWarpItems <= count) {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                items[i] = load(base, i * kWarpSize);
            }
        } else {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                items[i] = base + i * kWarpSize < count ? load(base, i * kWarpSize) : Item{};
            }
        }
    }

    // Finds the range of words that word_of(item) returns, of all items of the block. This is a barrier.
    template <typename WordOf>
    __device__ __forceinline__ void find_bounds(
        const Item (&items)[kItems], u32 count, int which, u32& least, u32& greatest, const WordOf& word_of) const {
        least = ~0u;
        greatest = 0;
        for_each_item(count, [&](int i) {
            const u32 word = word_of(items[i]);
            least = min_of(least, word);
            greatest = max_of(greatest, word);
        });
        least = ~warp_max(~least);
        greatest = warp_max(greatest);
        if (threadIdx.x % kWarpSize == 0) {
            atomicMin(&bounds->least[which], least);
            atomicMax(&bounds->greatest[which], greatest);
        }
        __syncthreads();
        least = bounds->least[which];
        greatest = bounds->greatest[which];
    }

    // Finds the map of numbers to cells, or the index of numbers that have counters of their own.
    __device__ __forceinline__ Numbers find_map(const Item (&items)[kItems], u32 count) {
        const u32 cell_count = blockDim.x * kCells;
        const u32 number_count = kNumbersAreKeys ? 2 * cell_count : cell_count;
        u32 least;
        u32 greatest;
        if constexpr (sizeof(Number) == sizeof(u32)) {
            find_bounds(items, count, 0, least, greatest, [](const Item& item) { return number_of_item(item); });
            if constexpr (kNumbersAreKeys) {
                if (least != greatest && find_index(items, count, least, greatest) < number_count) {
                    return kHaveCounters;
                }
            }
            cell_of = CellMap<Number>::of_each(least, greatest, cell_count, number_count);
        } else {
            find_bounds(
                items, count, 0, least, greatest, [](const Item& item) { return (u32)(number_of_item(item) >> 32); });
            if (least != greatest) {
                // The lower words are taken for any, so the range may be a little wide.
                cell_of = CellMap<Number>::of((Number)least << 32, (Number)greatest << 32 | ~0u, cell_count);
            } else {
                const Number upper = (Number)least << 32;
                find_bounds(
                    items, count, 1, least, greatest, [](const Item& item) { return (u32)number_of_item(item); });
                cell_of = CellMap<Number>::of_each(upper | least, upper | greatest, cell_count, number_count);
            }
        }
        return least == greatest ? kAlike : cell_of.factor == ~0u ? kHaveCounters : kShareCells;
    }

    // Makes the index of all numbers, and returns that of the greatest. All numbers are looked at where the ends of their
    // range may say that some bits are the same in all.
    __device__ __forceinline__ u32 find_index(const Item (&items)[kItems], u32 count, u32 least, u32 greatest) {
        if (((least ^ greatest) & NumberIndex::kBitsOfGaps) != 0) {
            return index_of.make(least, greatest);
        }
        u32 differ = 0;
        for_each_item(count, [&](int i) { differ |= (u32)number_of_item(items[i]) ^ least; });
        differ = warp_or(differ);
        if (threadIdx.x % kWarpSize == 0) {
            atomicOr(&bounds->differ, differ);
        }
        __syncthreads();
        return index_of.make(least, greatest, bounds->differ);
    }

    // Neighbouring lanes mostly have the same numbers where the input is in order but for a few, and those that count in
    // one cell wait for each other. So the lanes of a warp exchange their items then: each gets what lies together.
    __device__ __forceinline__ void spread_neighbours(Item (&items)[kItems], u32 count) const {
        if constexpr (kAreFloats) {
            if (place_of_item(0) - threadIdx.x % kWarpSize + kWarpItems > count) {
                return;
            }
            const u32 number = (u32)number_of_item(items[0]);
            const u32 before = __shfl_up_sync(kAllLanes, number, 1);
            const u32 alike = __popc(__ballot_sync(kAllLanes, number == before));
            if (alike < kManyAlike || alike == kWarpSize) {
                return;
            }
            const Items places{slots, place_of_item(0)};
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                places[i * kWarpSize] = items[i];
            }
            __syncwarp();
            const Item* own = slots + Items::slot(threadIdx.x * kItems);
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                items[i] = own[i];
            }
            __syncwarp();
        }
    }

    // Turns the counts of all cells into where their items begin, and returns the greatest one. If `kHalves`, each word
    // has the counts of two cells; a block has less than 2^16 items.
    template <bool kHalves>
    __device__ __forceinline__ u32 find_starts() const {
        const u32 lane = threadIdx.x % kWarpSize;
        const u32 warp = threadIdx.x / kWarpSize;
        uint4* rows = rows_of_thread();
        u32 most = 0;
        const auto sum_of_row = [&](u32 row) {
            const uint4 four = rows[row * kWarpSize];
            most = max_of(most, max_of(max_of(four.x, four.y), max_of(four.z, four.w)));
            const u32 sum = four.x + four.y + four.z + four.w;
            return kHalves ? (sum & 0xffff) + (sum >> 16) : sum;
        };
        u32 before[kRows];
        u32 total = 0;
#pragma unroll
        for (u32 row = 0; row < kRows; row += 2) {
            // Two rows at once, in the halves of a word.
            const bool has_two = row + 1 < kRows;
            const u32 sums = sum_of_row(row) | (has_two ? sum_of_row(row + 1) : 0) << 16;
            const u32 inclusive = warp_inclusive_scan(sums);
            const u32 all = __shfl_sync(kAllLanes, inclusive, kWarpSize - 1);
            before[row] = total + (inclusive - sums & 0xffff);
            total += all & 0xffff;
            if (has_two) {
                before[row + 1] = total + (inclusive - sums >> 16);
                total += all >> 16;
            }
        }
        most = warp_max(most);
        if (lane == 0) {
            warp_totals[warp] = total;
            atomicMax(&bounds->most, most);
        }
        __syncthreads();
        most = bounds->most;
        const u32 base = warp_sum(lane < warp ? warp_totals[lane] : 0);
#pragma unroll
        for (u32 row = 0; row < kRows; ++row) {
            const uint4 four = rows[row * kWarpSize];
            u32 place = base + before[row];
            // Returns where the items begin that a word has counted.
            const auto next = [&](u32 counts) {
                const u32 first = place;
                const u32 second = first + (counts & 0xffff);
                place = kHalves ? second + (counts >> 16) : first + counts;
                return kHalves ? first | second << 16 : first;
            };
            const u32 x = next(four.x);
            const u32 y = next(four.y);
            const u32 z = next(four.z);
            rows[row * kWarpSize] = uint4{x, y, z, next(four.w)};
        }
        __syncthreads();
        // All have read them.
        clear_bounds();
        return most;
    }

    // Sorts the cell whose items lie in the part of the calling warp and of the warp before it, if there is one that is
    // not sorted yet. cell_at(border) returns the cell of the item at a place.
    template <typename CellAt>
    __device__ __forceinline__ void sort_border(u32 count, const u32* starts, const CellAt& cell_at) const {
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

    // Sorts the items of each warp, where no more than `most` in a row are out of order: in as many rounds neighbours
    // change places, even ones with the next and odd ones with the next in turn. Equal keys need fewer rounds.
    __device__ __forceinline__ void sort_neighbours(u32 count, u32 most) const {
        const u32 begin = threadIdx.x * kItems;
        if (threadIdx.x / kWarpSize * kWarpItems >= count) {
            return;
        }
        const u32 lane = threadIdx.x % kWarpSize;
        Item* own = slots + Items::slot(begin);
        Item run[kItems];
#pragma unroll
        for (u32 i = 0; i < kItems; ++i) {
            run[i] = begin + i < count ? own[i] : greatest<Item>();
        }
        // Where keys repeat, most of the items in the fullest cells are equal.
        const u32 unasked = most > kRoundsUnasked ? 0 : kRoundsUnasked;
#pragma unroll 1
        for (u32 round = 0; round < most; round += 2) {
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
