// Sorts what fits the shared memory of one block, where keys are numbers. Between the least key of a bucket and its
// greatest one, the range of numbers is cut into equal cells, about as many as there are keys. Counting says where each
// cell's keys go, and comparing each key with the few others in its cell says in which order. So an element costs the
// same however large the bucket is, and far fewer instructions than a network takes (docs/tuning-log.md).
//
// Which cell a key falls into only has to be monotone. If keys are so unevenly spread that a cell gets too many of
// them, the bucket is left to block_sort.cuh.
#pragma once
#include "parts/cell_map.cuh"

// Whether a small sort begins with cells.
constexpr bool kSortsByCells = kSmallSortCells > 0 && kKeysAreNumbers && !KEEPS_ORDER;

template <int kItems, typename Item>
struct CellSort {
    using Number = decltype(number_of(Item{}.key));

    // Each thread has as many cells to add up, four of a row at a time.
    static constexpr u32 kCells = kSmallSortCells;
    static constexpr u32 kRows = kCells / 4;
    // With as many keys in a cell a network takes no longer. A power of two.
    static constexpr u32 kMostInCell = 32;
    // Items whose steps are under way at once.
    static constexpr int kGroup = kItems < 4 ? kItems : 4;

    struct Bounds {
        u32 least[2];  // of the upper words of all numbers, and of the lower ones
        u32 greatest[2];
    };

    Item* slots;
    u32* counts;  // of each cell; all are 0 between two sorts
    u16* starts;  // the place of the first item of each cell, and behind the last one
    u32* warp_totals;
    Bounds* bounds;
    CellMap<Number> cell_of;

    __host__ __device__ __forceinline__ static constexpr u32 item_bytes(u32 threads) {
        return align_16(threads * kItems * (u32)sizeof(Item));
    }

    __host__ __device__ __forceinline__ static constexpr u32 bytes(u32 threads) {
        return item_bytes(threads) + threads * kCells * (u32)(sizeof(u32) + sizeof(u16)) + 16
            + kWarpSize * (u32)sizeof(u32) + (u32)sizeof(Bounds);
    }

    __device__ __forceinline__ explicit CellSort(unsigned char* memory) {
        const u32 cells = blockDim.x * kCells;
        slots = (Item*)memory;
        counts = (u32*)(memory + item_bytes(blockDim.x));
        warp_totals = counts + cells;
        bounds = (Bounds*)(warp_totals + kWarpSize);
        starts = (u16*)(bounds + 1);
    }

    // Makes the memory ready for a first sort, and for the next one after others have used it. The block sees this
    // after its next barrier.
    __device__ __forceinline__ void clear() const {
        for (u32 cell = threadIdx.x; cell < blockDim.x * kCells; cell += blockDim.x) {
            counts[cell] = 0;
        }
        clear_bounds();
    }

    // Puts items 0 … count - 1, item base + offset as load(base, offset), in the order of their cells. Returns false if a cell has
    // too many; the memory then needs clear(). All threads of the block call this.
    template <typename Load>
    __device__ __forceinline__ bool order(u32 count, const Load& load) {
        Item items[kItems];
        // A byte for each item, and the cell is found again: registers are for items.
        u32 ranks[(kItems + 3) / 4] = {};
        for_each_item(count, [&](int i, u32 base, u32 offset) { items[i] = load(base, offset); });
        find_map(items, count);
        u32 all_ranks = 0;
        for_each_item(count, [&](int i, u32, u32) {
            const u32 rank = atomicAdd(&counts[cell_of(number_of(items[i].key))], 1u);
            all_ranks |= rank;
            ranks[i / 4] += rank << i % 4 * 8;
        });
        if (__syncthreads_or(all_ranks >= kMostInCell) != 0) {
            return false;
        }
        find_starts();
        for_each_item(count, [&](int i, u32, u32) {
            const u32 rank = ranks[i / 4] >> i % 4 * 8 & 0xff;
            slots[starts[cell_of(number_of(items[i].key))] + rank] = items[i];
        });
        __syncthreads();
        return true;
    }

    // Hands on the sorted items, item base + offset as store(base, offset, item). Other warps may still be reading when one is done.
    template <typename Store>
    __device__ __forceinline__ void for_each(u32 count, const Store& store) const {
        const u32 base = threadIdx.x / kWarpSize * (kWarpSize * kItems) + threadIdx.x % kWarpSize;
#pragma unroll 1
        for (u32 first = base; first < base + kItems * kWarpSize; first += kGroup * kWarpSize) {
            if (first - threadIdx.x % kWarpSize + kGroup * kWarpSize <= count) {
                hand_on<kGroup>(first, store);
            } else {
#pragma unroll 1
                for (u32 mine = first; mine < min_of(first + kGroup * kWarpSize, count); mine += kWarpSize) {
                    hand_on<1>(mine, store);
                }
            }
        }
    }

  private:
    __device__ __forceinline__ void clear_bounds() const {
        if (threadIdx.x < 2) {
            bounds->least[threadIdx.x] = ~0u;
            bounds->greatest[threadIdx.x] = 0;
        }
    }

    // Calls use(i, base, offset) for the items of a thread, item i of which is number base + offset. Neighbouring lanes
    // have neighbouring items, and a warp's items lie together. Nobody asks for single items where a warp has all.
    template <typename Use>
    __device__ __forceinline__ static void for_each_item(u32 count, const Use& use) {
        const u32 base = threadIdx.x / kWarpSize * (kWarpSize * kItems) + threadIdx.x % kWarpSize;
        if (base - threadIdx.x % kWarpSize + kWarpSize * kItems <= count) {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                use(i, base, i * kWarpSize);
            }
        } else {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                if (base + i * kWarpSize < count) {
                    use(i, base, i * kWarpSize);
                }
            }
        }
    }

    // Finds the range of words that word_of(number) returns, of all numbers of the block. This is a barrier.
    template <typename WordOf>
    __device__ __forceinline__ void find_bounds(
        const Item (&items)[kItems], u32 count, int which, u32& least, u32& greatest, const WordOf& word_of) const {
        least = ~0u;
        greatest = 0;
        for_each_item(count, [&](int i, u32, u32) {
            const u32 word = word_of(number_of(items[i].key));
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

    __device__ __forceinline__ void find_map(const Item (&items)[kItems], u32 count) {
        const u32 cell_count = blockDim.x * kCells;
        u32 least;
        u32 greatest;
        if constexpr (sizeof(Number) == sizeof(u32)) {
            find_bounds(items, count, 0, least, greatest, [](Number number) { return number; });
            cell_of = CellMap<Number>::of(least, greatest, cell_count);
        } else {
            find_bounds(items, count, 0, least, greatest, [](Number number) { return (u32)(number >> 32); });
            if (least != greatest) {
                // The lower words are taken for any, so the range may be a little wide.
                cell_of = CellMap<Number>::of((Number)least << 32, (Number)greatest << 32 | ~0u, cell_count);
            } else {
                const Number upper = (Number)least << 32;
                find_bounds(items, count, 1, least, greatest, [](Number number) { return (u32)number; });
                cell_of = CellMap<Number>::of(upper | least, upper | greatest, cell_count);
            }
        }
    }

    // Turns the counts of all cells into where their items start, and makes them 0.
    __device__ __forceinline__ void find_starts() const {
        const u32 lane = threadIdx.x % kWarpSize;
        const u32 warp = threadIdx.x / kWarpSize;
        uint4* rows = (uint4*)counts + warp * kRows * kWarpSize + lane;
        u32 before[kRows];
        u32 total = 0;
#pragma unroll
        for (u32 row = 0; row < kRows; ++row) {
            const uint4 four = rows[row * kWarpSize];
            const u32 sum = four.x + four.y + four.z + four.w;
            const u32 inclusive = warp_inclusive_scan(sum);
            before[row] = total + inclusive - sum;
            total += __shfl_sync(kAllLanes, inclusive, kWarpSize - 1);
        }
        if (lane == 0) {
            warp_totals[warp] = total;
        }
        __syncthreads();
        clear_bounds();
        const u32 base = warp_sum(lane < warp ? warp_totals[lane] : 0);
        uint2* row_starts = (uint2*)starts + warp * kRows * kWarpSize + lane;
#pragma unroll
        for (u32 row = 0; row < kRows; ++row) {
            const uint4 four = rows[row * kWarpSize];
            rows[row * kWarpSize] = uint4{0, 0, 0, 0};
            const u32 x = base + before[row];
            const u32 y = x + four.x;
            const u32 z = y + four.y;
            const u32 w = z + four.z;
            row_starts[row * kWarpSize] = uint2{y << 16 | x, w << 16 | z};
            if (row == kRows - 1 && threadIdx.x == blockDim.x - 1) {
                starts[blockDim.x * kCells] = (u16)(w + four.w);
            }
        }
        __syncthreads();
    }

    // Finds the place of kOwn items, which lie a warp apart from `first` on, and hands them on.
    template <int kOwn, typename Store>
    __device__ __forceinline__ void hand_on(u32 first, const Store& store) const {
        Item items[kOwn];
        u32 begin[kOwn];
        u32 others[kOwn];
#pragma unroll
        for (int i = 0; i < kOwn; ++i) {
            items[i] = slots[first + i * kWarpSize];
        }
#pragma unroll
        for (int i = 0; i < kOwn; ++i) {
            const u32 cell = cell_of(number_of(items[i].key));
            begin[i] = starts[cell];
            others[i] = starts[cell + 1] - begin[i] - 1;
        }
#pragma unroll
        for (int i = 0; i < kOwn; ++i) {
            const u32 mine = first + i * kWarpSize;
            u32 place = begin[i];
            const u32 end = begin[i] + others[i];
#pragma unroll 1
            for (u32 slot = begin[i]; slot < end; ++slot) {
                const bool is_behind = slot >= mine;
                const OrderedKey other = slots[slot + (is_behind ? 1 : 0)].key;
                // Of equal keys the one in the lower slot comes first.
                place += less(other, items[i].key) || (!is_behind && !less(items[i].key, other)) ? 1 : 0;
            }
            store(place, 0, items[i]);
        }
    }
};
