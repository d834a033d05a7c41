// Finds buckets without walking the splitter tree, where keys are numbers and the splitters of a segment are spread evenly
// enough. Their range is cut into equal cells, a few for each bucket, and a table says for each cell which bucket its
// keys go to, or begin with if there are splitters in it. Few cells have one, and none has more than two that differ. So a
// key takes one look at the table, and few keys take a look at a splitter, where the tree takes as many looks as it has
// levels. A key that is equal to a splitter lies in its cell, so no other key has to ask for equality buckets.
#pragma once
#include "parts/cell_map.cuh"
#include "parts/splitter_tree.cuh"

constexpr bool kHasGrid = kGridCellsOfBucket > 0 && kKeysAreNumbers && sizeof(OrderedKey) >= sizeof(u32) && sizeof(OrderedKey) <= 16;
constexpr u32 kGridCells = kHasGrid ? kGridCellsOfBucket * kMaxBucketCount : 0;

struct SplitterGrid {
    using Number = decltype(number_of(OrderedKey{}));

    struct State {
        Number greatest;
        CellMap<Number> cell_of;
        u32 most_splitters;  // in a cell; 0 where the tree has to be walked
    };

    // An entry of the table has the bucket and, from this bit on, the number of different splitters.
    static constexpr u32 kCountShift = 13;
    static constexpr u32 kMostSplitters = 2;

    // Before that it has the number of splitters and, where there are equality buckets, whether two and three of them
    // differ.
    static constexpr u32 kTwoDiffer = 1u << 15;
    static constexpr u32 kThreeDiffer = 1u << 14;

    u16* cells;
    u16* repeats;  // where there are equality buckets: how many splitters are equal to one, from that one on
    State* state;

    static constexpr u32 kCellBytes = align_16(kGridCells * sizeof(u16));
    static constexpr u32 kRepeatBytes = align_16(kMaxBucketCount * sizeof(u16));
    static constexpr u32 kBytes = kHasGrid ? kCellBytes + kRepeatBytes + 32 : 0;
    static_assert(sizeof(State) <= 32, "there is room for the state");

    __device__ __forceinline__ void place(unsigned char* memory) {
        cells = (u16*)memory;
        repeats = (u16*)(memory + kCellBytes);
        state = (State*)(memory + kCellBytes + kRepeatBytes);
    }

    // Makes the table of the splitters in `tree`. If it will do, the tree becomes a list of them in order. The block sees
    // this after its next barrier, and calls it after one.
    __device__ __forceinline__ void build(
        OrderedKey* tree, u32 bucket_count, bool with_equality_buckets, u32* warp_totals) const {
        constexpr u32 kShare = (kMaxBucketCount + kDistributionThreads - 1) / kDistributionThreads;
        constexpr u32 kWords = kGridCells / 2;
        constexpr u32 kWordShare = (kWords + kDistributionThreads - 1) / kDistributionThreads;
        u32* words = (u32*)cells;
        const Number least = number_of(tree[splitter_node(0, bucket_count)]);
        const Number greatest = number_of(tree[splitter_node(bucket_count - 2, bucket_count)]);
        const auto cell_of = CellMap<Number>::of(least, greatest, kGridCells);
        for (u32 word = threadIdx.x; word < kWords; word += kDistributionThreads) {
            words[word] = 0;
        }
        OrderedKey splitters[kShare];
#pragma unroll
        for (u32 i = 0; i < kShare; ++i) {
            const u32 index = threadIdx.x + i * kDistributionThreads;
            if (index < bucket_count - 1) {
                splitters[i] = tree[splitter_node(index, bucket_count)];
                if (with_equality_buckets) {
                    repeats[index] = (u16)(end_of_equal(tree, index, bucket_count) - index);
                }
            }
        }
        __syncthreads();
#pragma unroll
        for (u32 i = 0; i < kShare; ++i) {
            const u32 index = threadIdx.x + i * kDistributionThreads;
            if (index < bucket_count - 1) {
                const u32 cell = cell_of(number_of(splitters[i]));
                atomicAdd(&words[cell / 2], 1u << cell % 2 * 16);
                if (with_equality_buckets && (index == 0 || repeats[index - 1] == 1)) {
                    // The first of equal splitters looks at the next two that differ.
                    const auto is_in_cell = [&](u32 other) {
                        return other < bucket_count - 1
                            && cell_of(number_of(tree[splitter_node(other, bucket_count)])) == cell;
                    };
                    const u32 second = index + repeats[index];
                    if (is_in_cell(second)) {
                        const u32 bits = is_in_cell(second + repeats[second]) ? kTwoDiffer | kThreeDiffer : kTwoDiffer;
                        atomicOr(&words[cell / 2], bits << cell % 2 * 16);
                    }
                }
            }
        }
        __syncthreads();
        const u32 first = threadIdx.x * kWordShare;
        u32 sum = 0;
        u32 most = 0;
        for (u32 i = 0; i < kWordShare && first + i < kWords; ++i) {
            const u32 low = words[first + i] % (1u << 16);
            const u32 high = words[first + i] >> 16;
            sum += low % kThreeDiffer + high % kThreeDiffer;
            most = max_of(most, max_of(different(low, with_equality_buckets), different(high, with_equality_buckets)));
        }
        u32 total;
        u32 before = block_exclusive_scan(sum, warp_totals, total);
        for (u32 i = 0; i < kWordShare && first + i < kWords; ++i) {
            const u32 low = words[first + i] % (1u << 16);
            const u32 high = words[first + i] >> 16;
            words[first + i] = before | different(low, with_equality_buckets) << kCountShift
                | (before + low % kThreeDiffer | different(high, with_equality_buckets) << kCountShift) << 16;
            before += low % kThreeDiffer + high % kThreeDiffer;
        }
        const bool will_do = __syncthreads_or(most > kMostSplitters) == 0;
        const bool has_two = __syncthreads_or(most > 1) != 0;
        if (will_do) {
#pragma unroll
            for (u32 i = 0; i < kShare; ++i) {
                const u32 index = threadIdx.x + i * kDistributionThreads;
                if (index < bucket_count - 1) {
                    tree[index] = splitters[i];
                }
            }
        }
        if (threadIdx.x == 0) {
            *state = State{greatest, cell_of, !will_do ? 0u : has_two ? 2u : 1u};
        }
    }

    __device__ __forceinline__ bool exists() const { return kHasGrid && state->most_splitters != 0; }

    // Finds the buckets of all items of a thread, whose lookups are under way at once.
    template <int kItems>
    __device__ __forceinline__ void find_buckets(
        const OrderedKey* splitters, bool with_equality_buckets, const Element (&elements)[kItems],
        u32 (&buckets)[kItems]) const {
        const State found = *state;
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            const Number number = number_of(elements[i].key);
            buckets[i] = cells[found.cell_of(max_of(found.cell_of.least, min_of(found.greatest, number)))];
        }
        if (with_equality_buckets) {
            pass_splitters<1, true>(splitters, elements, buckets);
            if (found.most_splitters > 1) {
                pass_splitters<2, true>(splitters, elements, buckets);
            }
        } else {
            pass_splitters<1, false>(splitters, elements, buckets);
            if (found.most_splitters > 1) {
                pass_splitters<2, false>(splitters, elements, buckets);
            }
        }
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            buckets[i] %= 1u << kCountShift;
        }
    }

  private:
    // Returns the first splitter behind those that are equal to splitter `index`.
    __device__ __forceinline__ static u32 end_of_equal(const OrderedKey* tree, u32 index, u32 bucket_count) {
        const OrderedKey key = tree[splitter_node(index, bucket_count)];
        u32 low = index + 1;
        u32 high = bucket_count - 1;
        if (low < high && less(key, tree[splitter_node(low, bucket_count)])) {
            return low;
        }
        while (low < high) {
            const u32 middle = (low + high) / 2;
            if (less(key, tree[splitter_node(middle, bucket_count)])) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    // Returns how many splitters of a cell differ, or three if more do.
    __device__ __forceinline__ static u32 different(u32 counted, bool with_equality_buckets) {
        const u32 count = counted % kThreeDiffer;
        return !with_equality_buckets || count == 0
            ? count
            : 1 + ((counted & kTwoDiffer) != 0) + ((counted & kThreeDiffer) != 0);
    }

    // Moves what is greater than the next splitter behind it, where a cell has at least kCount different ones, and what
    // is equal to one of several equal splitters to their equality bucket. An entry that has not passed its splitter
    // loses what it has above the bucket.
    template <u32 kCount, bool kWithEquality, int kItems>
    __device__ __forceinline__ void pass_splitters(
        const OrderedKey* splitters, const Element (&elements)[kItems], u32 (&buckets)[kItems]) const {
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            const u32 bucket = buckets[i] % (1u << kCountShift);
            const bool has_splitter = buckets[i] >= kCount << kCountShift;
            bool is_behind = false;
            if constexpr (kWithEquality) {
                u32 step = 0;
                if (has_splitter) {
                    const OrderedKey splitter = splitters[bucket];
                    const u32 count = repeats[bucket];
                    is_behind = less(splitter, elements[i].key);
                    const bool is_equal = count > 1 && !less(elements[i].key, splitter);
                    step = is_behind ? count : is_equal ? 1 : 0;
                }
                buckets[i] = (kCount < kMostSplitters && !is_behind ? bucket : buckets[i]) + step;
            } else {
                if (has_splitter) {
                    is_behind = less(splitters[bucket], elements[i].key);
                }
                add_if(is_behind, buckets[i], 1);
            }
        }
    }
};
