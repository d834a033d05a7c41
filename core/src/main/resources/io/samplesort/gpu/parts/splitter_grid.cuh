// Finds buckets without walking the splitter tree, where keys are numbers and the splitters of a segment are spread evenly
// enough. Their range is cut into equal cells, a few for each bucket, and a table says for each cell which bucket its
// keys go to, or begin with if there are splitters in it. Few cells have one, and none has more than two. So a key takes
// one look at the table, and few keys take a look at a splitter, where the tree takes as many looks as it has levels.
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

    // An entry of the table has the bucket and, from this bit on, the number of splitters.
    static constexpr u32 kCountShift = 13;
    static constexpr u32 kMostSplitters = 2;

    u16* cells;
    State* state;

    static constexpr u32 kCellBytes = align_16(kGridCells * sizeof(u16));
    static constexpr u32 kBytes = kHasGrid ? kCellBytes + 32 : 0;
    static_assert(sizeof(State) <= 32, "there is room for the state");

    __device__ __forceinline__ void place(unsigned char* memory) {
        cells = (u16*)memory;
        state = (State*)(memory + kCellBytes);
    }

    // Makes the table of the splitters in `tree`. If it will do, the tree becomes a list of them in order. The block sees
    // this after its next barrier, and calls it after one.
    __device__ __forceinline__ void build(OrderedKey* tree, u32 bucket_count, u32* warp_totals) const {
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
            }
        }
        __syncthreads();
#pragma unroll
        for (u32 i = 0; i < kShare; ++i) {
            if (threadIdx.x + i * kDistributionThreads < bucket_count - 1) {
                const u32 cell = cell_of(number_of(splitters[i]));
                atomicAdd(&words[cell / 2], 1u << cell % 2 * 16);
            }
        }
        __syncthreads();
        const u32 first = threadIdx.x * kWordShare;
        u32 sum = 0;
        u32 most = 0;
        for (u32 i = 0; i < kWordShare && first + i < kWords; ++i) {
            const u32 low = words[first + i] % (1u << 16);
            const u32 high = words[first + i] >> 16;
            sum += low + high;
            most = max_of(most, max_of(low, high));
        }
        u32 total;
        u32 before = block_exclusive_scan(sum, warp_totals, total);
        for (u32 i = 0; i < kWordShare && first + i < kWords; ++i) {
            const u32 low = words[first + i] % (1u << 16);
            const u32 high = words[first + i] >> 16;
            words[first + i] = before | low << kCountShift | (before + low | high << kCountShift) << 16;
            before += low + high;
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
        const OrderedKey* splitters, const Element (&elements)[kItems], u32 (&buckets)[kItems]) const {
        const State found = *state;
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
};
