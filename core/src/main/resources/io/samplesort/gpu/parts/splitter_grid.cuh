// Finds buckets without walking the splitter tree, if keys are numbers and the splitters of a segment are spread evenly
// enough. Their range is cut into equal cells, a few for each bucket, and a table says for each cell to which bucket
// its keys go, or with which bucket the cell begins if there are splitters in it. Few cells have a splitter, and none
// has more than two. So a key takes one look-up in the table, and few keys a comparison with a splitter, while the tree
// takes as many look-ups as it has levels.
//
// Equal splitters would lie in one cell. So each of them is there only once, and a second table says which bucket lies
// before it and whether an equality bucket follows.
//
// Splitters that are floating-point values may be spread more evenly by their values than by their numbers. In that
// case there are cells of values (value_cells.cuh).
//
// If keys are wider than their numbers, splitters may have the same number. In that case cells of whole keys are tried:
// equal ones, and others that are smaller the nearer they lie to the least splitter. A few of these may have up to
// seven splitters.
#pragma once
#include "parts/cell_map.cuh"
#include "parts/splitter_tree.cuh"
#include "parts/value_cells.cuh"
#include "parts/wide_map.cuh"

constexpr bool kHasGrid = kGridCellsOfBucket > 0 && kKeysAreNumbers && sizeof(OrderedKey) >= sizeof(u32)
    && sizeof(OrderedKey) <= 16;
constexpr u32 kGridCells = kHasGrid ? kGridCellsOfBucket * kMaxBucketCount : 0;

struct SplitterGrid {
    using Number = decltype(number_of(OrderedKey{}));

    // Whether numbers come from floating-point values, so that cells of values are possible.
    static constexpr bool kHasValues = kHasGrid && kNumberOfZero != 0;
    using Values = ValueCells<kNumberOfZero, kHasValues ? kGridCells : 1>;

    struct State {
        Number greatest;
        CellMap<Number> cell_of;
        u32 most_splitters;  // in a cell; 0 if the tree has to be walked
        u32 is_wide;         // cells are of whole keys, or of values
        WideMap wide_cell_of;
        Values value_cell_of;
    };

    // An entry of the table has the bucket and, from this bit on, the number of splitters.
    static constexpr u32 kCountShift = 13;
    static constexpr u32 kMostSplitters = 2;
    // For wide keys more comparisons pay, as their tree takes more reads of shared memory.
    static constexpr u32 kMostOfWide = 7;

    // Whether cells of whole keys tell more splitters apart than cells of numbers.
    static constexpr bool kMayBeWide = !kNumbersAreWholeKeys && sizeof(OrderedKey) > 12;

    // In the second table, this bit says that an equality bucket follows.
    static constexpr u32 kHasEqual = 1u << 15;

    u16* cells;
    u16* buckets_before;  // for each splitter in the grid, and after the last one
    State* state;

    static constexpr u32 kCellBytes = align_16(kGridCells * sizeof(u16));
    static constexpr u32 kBucketBytes = align_16(kMaxBucketCount * sizeof(u16));
    static constexpr u32 kStateBytes = 176;
    static constexpr u32 kBytes = kHasGrid ? kCellBytes + kBucketBytes + kStateBytes : 0;
    static_assert(sizeof(State) <= kStateBytes, "there is room for the state");

    __device__ __forceinline__ void place(unsigned char* memory) {
        cells = (u16*)memory;
        buckets_before = (u16*)(memory + kCellBytes);
        state = (State*)(memory + kCellBytes + kBucketBytes);
    }

    // Makes the tables of the splitters in `tree`. If the tables are good enough, the tree becomes a list of the
    // splitters in order, each once. The block sees this after its next barrier, and must call it after one.
    __device__ __forceinline__ void build(
        OrderedKey* tree, u32 bucket_count, bool with_equality_buckets, u32* warp_totals) const {
        const OrderedKey least = tree[splitter_node(0, bucket_count)];
        const OrderedKey greatest = tree[splitter_node(bucket_count - 2, bucket_count)];
        const auto cell_of = CellMap<Number>::of(number_of(least), number_of(greatest), kGridCells);
        OrderedKey splitters[kShare];
        u32 places[kShare];
        u32 splitter_count = 0;
#pragma unroll
        for (u32 i = 0; i < kShare; ++i) {
            const u32 index = threadIdx.x + i * kDistributionThreads;
            places[i] = index < bucket_count - 1 ? index : kNoPlace;
            if (index < bucket_count - 1) {
                splitters[i] = tree[splitter_node(index, bucket_count)];
            }
            if (with_equality_buckets) {
                const bool is_first = index < bucket_count - 1
                    && (index == 0 || less(tree[splitter_node(index - 1, bucket_count)], splitters[i]));
                u32 total;
                const u32 before = block_exclusive_scan(is_first ? 1u : 0u, warp_totals, total);
                places[i] = is_first ? splitter_count + before : kNoPlace;
                splitter_count += total;
                if (is_first) {
                    buckets_before[places[i]] =
                        (u16)(index | (is_equality_bucket(tree, index + 1, bucket_count) ? kHasEqual : 0));
                }
                // The next scan uses the same totals.
                __syncthreads();
            }
        }
        if (with_equality_buckets && threadIdx.x == 0) {
            buckets_before[splitter_count] = (u16)(bucket_count - 1);
        }
        u32 is_wide = 0;
        Values value_cell_of{};
        u32 most = 0;
        if constexpr (kHasValues) {
            const bool has_values = Values::are_many_exponents(number_of(least), number_of(greatest))
                && value_cell_of.make(number_of(least), number_of(greatest));
            is_wide = has_values && values_are_spread(tree, bucket_count, cell_of, value_cell_of);
            // The kind of cells that seems to suit the splitters better is tried first.
#pragma unroll 1
            for (u32 attempt = 0; attempt < 2; ++attempt) {
                most = fill(
                    splitters, places,
                    [&](const OrderedKey& key) {
                        return is_wide ? value_cell_of(number_of(key)) : cell_of(number_of(key));
                    },
                    kMostSplitters, warp_totals);
                if (most <= kMostSplitters || !has_values || attempt == 1) {
                    break;
                }
                is_wide ^= 1;
            }
        } else {
            most = fill(
                splitters, places, [&](const OrderedKey& key) { return cell_of(number_of(key)); }, kMostSplitters,
                warp_totals);
        }
        bool will_do = most <= kMostSplitters;
        WideMap wide_cell_of{};
        if constexpr (kMayBeWide) {
            if (!will_do) {
                is_wide = 1;
                u32 fewest = kMostOfWide + 1;
                // If the second table is no better than the first one, the first is made again, with cells for frequent
                // numbers.
#pragma unroll 1
                for (u32 attempt = 0; attempt < 3; ++attempt) {
                    FrequentNumbers frequent{};
                    if (attempt == 2) {
                        frequent = FrequentNumbers::of(tree, bucket_count, kMostOfWide, kGridCells, (u32*)state);
                    }
                    wide_cell_of = WideMap::of(least, greatest, kGridCells - frequent.cells, attempt == 1);
                    wide_cell_of.frequent = frequent;
                    most = fill(splitters, places, wide_cell_of, kMostOfWide, warp_totals);
                    if (most <= kMostSplitters || (attempt == 1 && most < fewest)) {
                        break;
                    }
                    fewest = min_of(fewest, most);
                }
                will_do = most <= kMostOfWide;
            }
        }
        if (will_do) {
#pragma unroll
            for (u32 i = 0; i < kShare; ++i) {
                if (places[i] != kNoPlace) {
                    tree[places[i]] = splitters[i];
                }
            }
        }
        if (threadIdx.x == 0) {
            *state = State{number_of(greatest), cell_of, will_do ? most : 0, is_wide, wide_cell_of, value_cell_of};
        }
    }

    __device__ __forceinline__ bool exists() const { return kHasGrid && state->most_splitters != 0; }

    // Finds for all items of a thread how many splitters of the grid are less. If no splitters are equal, that is the
    // bucket. The look-ups of all items are in flight at once.
    template <int kItems>
    __device__ __forceinline__ void count_splitters(
        const OrderedKey* splitters, const Element (&elements)[kItems], u32 (&buckets)[kItems]) const {
        const u32 most = state->most_splitters;
        if (kMayBeWide && state->is_wide != 0) {
            const WideMap cell_of = state->wide_cell_of;
            cell_of.find_cells(elements, buckets);
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                buckets[i] = cells[buckets[i]];
            }
        } else if constexpr (kHasValues) {
            find_cells(elements, buckets);
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                buckets[i] = cells[buckets[i]];
            }
        } else {
            const Number greatest = state->greatest;
            const auto cell_of = state->cell_of;
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                const Number number = number_of(elements[i].key);
                buckets[i] = cells[cell_of(max_of(cell_of.least, min_of(greatest, number)))];
            }
        }
        compare(splitters, elements, 1, buckets);
        if constexpr (kMayBeWide) {
#pragma unroll 1
            for (u32 count = 2; count <= most; ++count) {
                compare(splitters, elements, count, buckets);
            }
        } else if (most > 1) {
            compare(splitters, elements, 2, buckets);
        }
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            buckets[i] %= 1u << kCountShift;
        }
    }

    // Does the same if there are equality buckets.
    template <int kItems>
    __device__ __forceinline__ void find_buckets(
        const OrderedKey* splitters, bool with_equality_buckets, const Element (&elements)[kItems],
        u32 (&buckets)[kItems]) const {
        count_splitters(splitters, elements, buckets);
        if (with_equality_buckets) {
            const auto find = [&](int i) {
                const u32 before = buckets_before[buckets[i]];
                return SplitterQuestion{before >= kHasEqual, buckets[i], before % kHasEqual};
            };
            const auto is_equal = [&](int i, const OrderedKey& splitter) { return !less(elements[i].key, splitter); };
            ask_splitters(splitters, 0, find, is_equal, buckets);
        }
    }

  private:
    // Returns whether a quarter and three quarters of the splitters lie clearly nearer a quarter and three quarters of
    // the cells of values than of those of numbers.
    __device__ __forceinline__ static bool values_are_spread(
        const OrderedKey* tree, u32 bucket_count, const CellMap<Number>& cell_of, const Values& value_cell_of) {
        if (bucket_count < 4) {
            return false;
        }
        // These are the children of the root.
        const Number first = number_of(tree[2]);
        const Number last = number_of(tree[3]);
        const auto distance = [](u32 a, u32 b) { return a < b ? b - a : a - b; };
        const auto unevenness = [&](u32 first_cell, u32 last_cell) {
            return distance(first_cell, kGridCells / 4) + distance(last_cell, kGridCells / 4 * 3);
        };
        return unevenness(value_cell_of(first), value_cell_of(last)) + kGridCells / 8
            < unevenness(cell_of(first), cell_of(last));
    }

    // Finds the cells of floating-point keys.
    template <int kItems>
    __device__ __forceinline__ void find_cells(const Element (&elements)[kItems], u32 (&found)[kItems]) const {
        if (state->is_wide != 0) {
            const Values cell_of = state->value_cell_of;
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                found[i] = cell_of(number_of(elements[i].key));
            }
        } else {
            const Number greatest = state->greatest;
            const auto cell_of = state->cell_of;
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                found[i] = cell_of(max_of(cell_of.least, min_of(greatest, number_of(elements[i].key))));
            }
        }
    }

    // Compares the keys whose cells have at least this many splitters with the next one.
    template <int kItems>
    __device__ __forceinline__ static void compare(
        const OrderedKey* splitters, const Element (&elements)[kItems], u32 count, u32 (&buckets)[kItems]) {
        const auto find = [&](int i) {
            return SplitterQuestion{buckets[i] >= count << kCountShift, buckets[i] % (1u << kCountShift), buckets[i]};
        };
        const auto is_behind = [&](int i, const OrderedKey& splitter) { return less(splitter, elements[i].key); };
        ask_splitters(splitters, 0, find, is_behind, buckets);
    }

    static constexpr u32 kNoPlace = ~0u;
    static constexpr u32 kShare = (kMaxBucketCount + kDistributionThreads - 1) / kDistributionThreads;

    // Fills the table for splitters at these places in their list. Returns the greatest number of splitters in a cell,
    // or one more than `limit` if it is greater than that. This begins and ends with a barrier.
    template <typename CellOf>
    __device__ __forceinline__ u32 fill(
        const OrderedKey (&splitters)[kShare], const u32 (&places)[kShare], const CellOf& cell_of, u32 limit,
        u32* warp_totals) const {
        constexpr u32 kWords = kGridCells / 2;
        constexpr u32 kWordShare = (kWords + kDistributionThreads - 1) / kDistributionThreads;
        u32* words = (u32*)cells;
        for (u32 word = threadIdx.x; word < kWords; word += kDistributionThreads) {
            words[word] = 0;
        }
        __syncthreads();
#pragma unroll
        for (u32 i = 0; i < kShare; ++i) {
            if (places[i] != kNoPlace) {
                const u32 cell = cell_of(splitters[i]);
                atomicAdd(&words[cell / 2], 1u << cell % 2 * 16);
            }
        }
        __syncthreads();
        const u32 first = threadIdx.x * kWordShare;
        u32 sum = 0;
        u32 most_of_thread = 0;
        for (u32 i = 0; i < kWordShare && first + i < kWords; ++i) {
            const u32 low = words[first + i] % (1u << 16);
            const u32 high = words[first + i] >> 16;
            sum += low + high;
            most_of_thread = max_of(most_of_thread, max_of(low, high));
        }
        u32 total;
        u32 before = block_exclusive_scan(sum, warp_totals, total);
        for (u32 i = 0; i < kWordShare && first + i < kWords; ++i) {
            const u32 low = words[first + i] % (1u << 16);
            const u32 high = words[first + i] >> 16;
            words[first + i] = before | low << kCountShift | (before + low | high << kCountShift) << 16;
            before += low + high;
        }
        u32 most = 1;
        while (__syncthreads_or(most_of_thread > most) != 0 && most <= limit) {
            most++;
        }
        return most;
    }
};
