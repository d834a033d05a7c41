// Finds buckets without walking the splitter tree, where keys are numbers and the splitters of a segment are spread evenly
// enough. Their range is cut into equal cells, a few for each bucket, and a table says for each cell which bucket its
// keys go to, or begin with if there are splitters in it. Few cells have one, and none has more than two. So a key
// takes one look at the table, and few keys take a look at a splitter, where the tree takes as many looks as it has
// levels.
//
// Equal splitters would meet in one cell. So each of them is there once, and a second table says which bucket lies
// before it and whether an equality bucket is behind.
//
// Splitters of keys that are wider than their numbers may share these. Then cells of whole keys are tried: equal ones,
// and others that are smaller the nearer they lie to the least splitter. In those, splitters may be crowded: a key whose
// cell has many is compared with half of them, half of the rest and so on.
#pragma once
#include "parts/cell_map.cuh"
#include "parts/splitter_groups.cuh"
#include "parts/splitter_tree.cuh"

constexpr bool kHasGrid = kGridCellsOfBucket > 0 && kKeysAreNumbers && sizeof(OrderedKey) >= sizeof(u32) && sizeof(OrderedKey) <= 16;
constexpr u32 kGridCells = kHasGrid ? kGridCellsOfBucket * kMaxBucketCount : 0;

struct SplitterGrid {
    using Number = decltype(number_of(OrderedKey{}));

    struct State {
        Number greatest;
        CellMap<Number> cell_of;
        u32 most_splitters;  // in a cell; 0 where the tree has to be walked, kManySplitters if cells are of whole keys
        u32 splitter_count;
        WideMap wide_cell_of;
    };

    // An entry of the table has the bucket and, from this bit on, the number of splitters, up to kManySplitters.
    static constexpr u32 kCountShift = 13;
    // In its place, an entry has the index of a group where a crowded cell has one.
    static constexpr u32 kHasGroup = 7;
    static constexpr u32 kManySplitters = 6;
    static constexpr u32 kMostSplitters = 2;

    // Whether cells of whole keys tell more splitters apart than cells of numbers.
    static constexpr bool kMayBeWide = !kNumbersAreWholeKeys && sizeof(OrderedKey) > sizeof(u64);
    // A table of equal cells of whole keys will do at once if no more than one of so many splitters is in a cell with
    // more than kMostSplitters.
    static constexpr u32 kFewCrowded = 8;

    // In the second table, what says that an equality bucket is behind.
    static constexpr u32 kHasEqual = 1u << 15;

    u16* cells;
    u16* buckets_before;  // for each splitter that is in the grid, and behind the last one
    State* state;
    SplitterGroups groups;

    static constexpr u32 kCellBytes = align_16(kGridCells * sizeof(u16));
    static constexpr u32 kBucketBytes = align_16(kMaxBucketCount * sizeof(u16));
    static constexpr u32 kStateBytes = 96;
    static constexpr u32 kGroupBytes = sizeof(OrderedKey) > sizeof(u64) ? SplitterGroups::kBytes : 0;
    static constexpr u32 kBytes = kHasGrid ? kCellBytes + kBucketBytes + kStateBytes + kGroupBytes : 0;
    static_assert(sizeof(State) <= kStateBytes, "there is room for the state");

    __device__ __forceinline__ void place(unsigned char* memory) {
        cells = (u16*)memory;
        buckets_before = (u16*)(memory + kCellBytes);
        state = (State*)(memory + kCellBytes + kBucketBytes);
        groups.place(memory + kCellBytes + kBucketBytes + kStateBytes);
    }

    // Makes the tables of the splitters in `tree`. If they will do, the tree becomes a list of them in order, each
    // once. The block sees this after its next barrier, and calls it after one.
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
        if (!with_equality_buckets) {
            splitter_count = bucket_count - 1;
        } else if (threadIdx.x == 0) {
            buckets_before[splitter_count] = (u16)(bucket_count - 1);
        }
        u32 most;
        fill(splitters, places, [&](const OrderedKey& key) { return cell_of(number_of(key)); }, warp_totals, most);
        u32 most_splitters = most <= kMostSplitters ? most : 0;
        WideMap wide_cell_of{};
        if constexpr (kMayBeWide) {
            if (most_splitters == 0) {
                u32 fewest = ~0u;
                // The first table is made again if the second one is no better.
#pragma unroll 1
                for (u32 attempt = 0; attempt < 3; ++attempt) {
                    wide_cell_of = WideMap::of(least, greatest, kGridCells, attempt == 1);
                    const u32 crowded = fill(splitters, places, wide_cell_of, warp_totals, most);
                    if (crowded * kFewCrowded <= splitter_count || crowded < fewest / 2) {
                        fewest = crowded;
                        if (attempt == 1 || crowded * kFewCrowded <= splitter_count) {
                            break;
                        }
                    }
                }
                // Else few are spared the walk.
                most_splitters = fewest <= splitter_count / 4 * 3 ? kManySplitters : 0;
            }
        }
        if (most_splitters != 0) {
#pragma unroll
            for (u32 i = 0; i < kShare; ++i) {
                if (places[i] != kNoPlace) {
                    tree[places[i]] = splitters[i];
                }
            }
        }
        if (kMayBeWide && most_splitters == kManySplitters) {
            make_groups(tree, splitter_count, wide_cell_of);
        }
        if (threadIdx.x == 0) {
            *state = State{number_of(greatest), cell_of, most_splitters, splitter_count, wide_cell_of};
        }
    }

    __device__ __forceinline__ bool exists() const { return kHasGrid && state->most_splitters != 0; }

    // Finds for all items of a thread, whose lookups are under way at once, how many splitters of the grid are less.
    // That is the bucket where no splitters are equal.
    template <int kItems>
    __device__ __forceinline__ void count_splitters(
        const OrderedKey* splitters, const Element (&elements)[kItems], u32 (&buckets)[kItems]) const {
        if constexpr (kMayBeWide) {
            if (state->most_splitters == kManySplitters) {
                count_splitters_of_wide_cells(splitters, elements, buckets);
                return;
            }
        }
        const struct {
            Number greatest;
            CellMap<Number> cell_of;
            u32 most_splitters;
        } found{state->greatest, state->cell_of, state->most_splitters};
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            const Number number = number_of(elements[i].key);
            buckets[i] = cells[found.cell_of(max_of(found.cell_of.least, min_of(found.greatest, number)))];
        }
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            const u32 bucket = buckets[i] % (1u << kCountShift);
            bool is_behind = false;
            if (buckets[i] >= 1u << kCountShift) {
                is_behind = less(splitters[bucket], elements[i].key);
            }
            add_if(is_behind, buckets[i], 1);
        }
        if (found.most_splitters > 1) {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                const u32 bucket = buckets[i] % (1u << kCountShift);
                bool is_behind = false;
                if (buckets[i] >= 2u << kCountShift) {
                    is_behind = less(splitters[bucket], elements[i].key);
                }
                add_if(is_behind, buckets[i], 1);
            }
        }
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            buckets[i] %= 1u << kCountShift;
        }
    }

    // The same where there are equality buckets.
    template <int kItems>
    __device__ __forceinline__ void find_buckets(
        const OrderedKey* splitters, bool with_equality_buckets, const Element (&elements)[kItems],
        u32 (&buckets)[kItems]) const {
        count_splitters(splitters, elements, buckets);
        if (with_equality_buckets) {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                const u32 splitter = buckets[i];
                const u32 before = buckets_before[splitter];
                bool is_equal = false;
                if (before >= kHasEqual) {
                    is_equal = !less(elements[i].key, splitters[splitter]);
                }
                buckets[i] = before % kHasEqual;
                add_if(is_equal, buckets[i], 1);
            }
        }
    }

  private:
    static constexpr u32 kNoPlace = ~0u;
    static constexpr u32 kShare = (kMaxBucketCount + kDistributionThreads - 1) / kDistributionThreads;

    // Fills the table for splitters at these places in their list. Returns how many splitters are in cells that have more
    // than kMostSplitters; `most` becomes the greatest number of a cell, or a greater one than kMostSplitters. This
    // begins and ends with a barrier.
    template <typename CellOf>
    __device__ __forceinline__ u32 fill(
        const OrderedKey (&splitters)[kShare], const u32 (&places)[kShare], const CellOf& cell_of, u32* warp_totals,
        u32& most) const {
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
        // The splitters of crowded cells are counted in the upper half.
        u32 sum = 0;
        u32 most_of_thread = 0;
        for (u32 i = 0; i < kWordShare && first + i < kWords; ++i) {
            const u32 low = words[first + i] % (1u << 16);
            const u32 high = words[first + i] >> 16;
            sum += low + high + ((low > kMostSplitters ? low : 0) + (high > kMostSplitters ? high : 0) << 16);
            most_of_thread = max_of(most_of_thread, max_of(low, high));
        }
        u32 total;
        u32 before = block_exclusive_scan(sum, warp_totals, total) % (1u << 16);
        for (u32 i = 0; i < kWordShare && first + i < kWords; ++i) {
            const u32 low = words[first + i] % (1u << 16);
            const u32 high = words[first + i] >> 16;
            words[first + i] = before | min_of(low, kManySplitters) << kCountShift
                | (before + low | min_of(high, kManySplitters) << kCountShift) << 16;
            before += low + high;
        }
        const bool has_two = __syncthreads_or(most_of_thread > 1) != 0;
        most = __syncthreads_or(most_of_thread > kMostSplitters) != 0 ? kMostSplitters + 1 : has_two ? 2 : 1;
        return total >> 16;
    }

    // Makes groups of the splitters of crowded cells. This begins with a barrier.
    __device__ __forceinline__ void make_groups(
        const OrderedKey* splitters, u32 splitter_count, const WideMap& cell_of) const {
        constexpr u32 kCellShare = (kGridCells + kDistributionThreads - 1) / kDistributionThreads;
        if (threadIdx.x == 0) {
            groups.counts[0] = 0;
            groups.counts[1] = 0;
        }
        __syncthreads();
        const u32 first = threadIdx.x * kCellShare;
        for (u32 cell = first; cell < min_of(first + kCellShare, kGridCells); ++cell) {
            if (cells[cell] >= kManySplitters << kCountShift) {
                groups.add(splitters, cell, cells[cell] % (1u << kCountShift), begin_of(cell + 1, splitter_count));
            }
        }
        __syncthreads();
        if (threadIdx.x < groups.count()) {
            cells[groups.cells[threadIdx.x]] = (u16)(kHasGroup << kCountShift | threadIdx.x);
        }
        __syncthreads();
        for (u32 place = threadIdx.x; place < splitter_count; place += kDistributionThreads) {
            const u32 entry = cells[cell_of(splitters[place])];
            if (entry >= kHasGroup << kCountShift) {
                const SplitterGroup& group = groups.groups[entry % (1u << kCountShift)];
                if (place >= group.group_begin && place < group.group_end) {
                    groups.fill(group, splitters, place);
                }
            }
        }
    }

    // Returns which splitter is the first one of a cell.
    __device__ __forceinline__ u32 begin_of(u32 cell, u32 splitter_count) const {
        if (cell >= kGridCells) {
            return splitter_count;
        }
        const u32 entry = cells[cell];
        const u32 begin = entry % (1u << kCountShift);
        return entry >= kHasGroup << kCountShift ? groups.groups[begin].begin : begin;
    }

    // Does what count_splitters() does where cells are of whole keys.
    template <int kItems>
    __device__ __forceinline__ void count_splitters_of_wide_cells(
        const OrderedKey* splitters, const Element (&elements)[kItems], u32 (&buckets)[kItems]) const {
        const u32 splitter_count = state->splitter_count;
        const WideMap map = state->wide_cell_of;
        map.find_cells(elements, buckets);
        bool has_more = false;
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            const u32 cell = buckets[i];
            const u32 entry = cells[cell];
            u32 low = entry % (1u << kCountShift);
            u32 high = low + (entry >> kCountShift);
            if (entry >= kHasGroup << kCountShift) {
                const u32 found = groups.find(low, elements[i].key);
                low = found % (1u << 16);
                high = found >> 16;
            } else if (entry >= kManySplitters << kCountShift) {
                high = begin_of(cell + 1, splitter_count);
            }
            buckets[i] = low | high << 16;
            has_more |= low < high;
        }
        // The splitters from `low` on may be less than the key, and those from `high` on are not.
        while (__any_sync(kAllLanes, has_more)) {
            has_more = false;
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                u32 low = buckets[i] % (1u << 16);
                u32 high = buckets[i] >> 16;
                if (low < high) {
                    const u32 middle = (low + high) / 2;
                    const bool is_behind = less(splitters[middle], elements[i].key);
                    low = is_behind ? middle + 1 : low;
                    high = is_behind ? high : middle;
                    buckets[i] = low | high << 16;
                    has_more |= low < high;
                }
            }
        }
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            buckets[i] %= 1u << 16;
        }
    }
};
