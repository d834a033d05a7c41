// Sorts what fits the shared memory of one block: a sorting network in the registers of each thread, merges of the runs of
// neighbouring lanes by shuffles, then merges in shared memory, runs twice as long each round.
//
// Measured on an H200 (docs/tuning-log.md), the integer pipe is what bounds this, the shared-memory pipe comes second. So
// runs merge in registers where they can: a shuffle round costs no search and no bank conflict, a bitonic merge no bounds.
//
// A warp sorts kItems items for each of its lanes whatever the count; warps beyond the count do nothing. The last warp is
// filled up with pads that sort after everything else.
#pragma once

// Batcher's merge exchange (Knuth, TAOCP 5.2.2, algorithm M).
template <int kWires, typename Item>
__device__ __forceinline__ void sort_registers(Item (&items)[kWires]) {
    constexpr int kTop = kWires <= 2 ? 1 : kWires <= 4 ? 2 : kWires <= 8 ? 4 : kWires <= 16 ? 8 : 16;
    static_assert(kWires <= 32, "the network has at most 32 wires");
#pragma unroll
    for (int p = kTop; p > 0; p /= 2) {
#pragma unroll
        for (int q = kTop; q >= p; q /= 2) {
            const int r = q == kTop ? 0 : p;
            const int d = q == kTop ? p : 2 * q - p;
#pragma unroll
            for (int i = 0; i < kWires; ++i) {
                if (i + d < kWires && (i & p) == r) {
                    compare_exchange(items[i], items[i + d]);
                }
            }
        }
    }
}

// Sorts items that first rise and then fall, or the other way round (a bitonic sequence; Batcher 1968).
template <int kWires, typename Item>
__device__ __forceinline__ void merge_registers(Item (&items)[kWires]) {
#pragma unroll
    for (int d = kWires / 2; d > 0; d /= 2) {
#pragma unroll
        for (int i = 0; i < kWires; ++i) {
            if ((i & d) == 0) {
                compare_exchange(items[i], items[i + d]);
            }
        }
    }
}

// Merges runs of `width` lanes each, kItems items a lane, into runs of 2 * width lanes. A loop over the distances, not
// unrolled: the code has to stay in the instruction cache.
template <int kItems, typename Item>
__device__ __forceinline__ void merge_lanes(Item (&items)[kItems], u32 width) {
    const u32 lane = threadIdx.x % kWarpSize;
    bool upper = (lane & width) != 0;
    // The second run is met backwards: the first smallest with the last largest, and so on.
#pragma unroll
    for (int i = 0; i < kItems / 2; ++i) {
        const int j = kItems - 1 - i;
        const Item partner_of_i = shuffle_xor(items[j], 2 * width - 1);
        const Item partner_of_j = shuffle_xor(items[i], 2 * width - 1);
        keep_side(items[i], partner_of_i, upper);
        keep_side(items[j], partner_of_j, upper);
    }
#pragma unroll 1
    for (u32 distance = width / 2; distance > 0; distance /= 2) {
        upper = (lane & distance) != 0;
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            keep_side(items[i], shuffle_xor(items[i], distance), upper);
        }
    }
    merge_registers(items);
}

// Items in shared memory, one slot left free after each kItems: threads that read or write runs of kItems meet in
// different banks.
template <int kItems, typename Item>
struct PaddedItems {
    Item* slots;
    u32 offset;

    __device__ __forceinline__ static constexpr u32 slot(u32 position) { return position + position / kItems; }

    __device__ __forceinline__ Item& operator[](u32 index) const { return slots[slot(offset + index)]; }

    __device__ __forceinline__ PaddedItems from(u32 begin) const { return PaddedItems{slots, offset + begin}; }
};

template <int kThreads, int kItems, typename Item>
struct BlockSort {
    static_assert(kItems >= 2 && (kItems & (kItems - 1)) == 0, "bitonic merges need a power of two");
    static constexpr u32 kCapacity = kThreads * kItems;
    // Slots of shared memory.
    static constexpr u32 kSlots = kCapacity + kThreads;
    static constexpr u32 kWarpItems = kWarpSize * kItems;
    // Runs of so many lanes are made by shuffles. With 32, u32 and u64 sorts were slower.
    static constexpr u32 kLanesByShuffles = 16;
    using Items = PaddedItems<kItems, Item>;

    // Loads items 0 … count - 1, 0 < count <= kCapacity, item base + offset as load(base, offset), and leaves them sorted in
    // the returned items of shared memory, visible to the whole block. Not stable. All threads of the block call this.
    template <typename Load>
    __device__ static Items sort(Item* slots, u32 count, const Load& load) {
        const Items items{slots, 0};
        const u32 warp_begin = threadIdx.x / kWarpSize * kWarpItems;
        const u32 begin = threadIdx.x * kItems;
        if (warp_begin < count) {
            Item run[kItems];
            load_run(items, warp_begin, count, load, run);
            sort_registers(run);
#pragma unroll 1
            for (u32 width = 1; width < kLanesByShuffles; width *= 2) {
                merge_lanes(run, width);
            }
            store_run(items, begin, run);
        }
        synchronize(kLanesByShuffles);
        const u32 padded_count = (count + kWarpItems - 1) / kWarpItems * kWarpItems;
#pragma unroll 1
        for (u32 width = kLanesByShuffles; width * kItems < padded_count; width *= 2) {
            merge_runs(items, padded_count, width, begin);
        }
        __syncthreads();
        return items;
    }

    // Hands on the sorted items 0 … count - 1, item base + offset as store(base, offset, item); neighbouring lanes store
    // neighbouring items.
    template <typename Store>
    __device__ static void for_each(const Items& items, u32 count, const Store& store) {
        const u32 warp_begin = threadIdx.x / kWarpSize * kWarpItems;
        const u32 base = warp_begin + threadIdx.x % kWarpSize;
        const Items mine = items.from(base);
        if (warp_begin + kWarpItems <= count) {
#pragma unroll
            for (u32 i = 0; i < kItems; ++i) {
                store(base, i * kWarpSize, row(mine, i));
            }
        } else {
#pragma unroll
            for (u32 i = 0; i < kItems; ++i) {
                if (base + i * kWarpSize < count) {
                    store(base, i * kWarpSize, row(mine, i));
                }
            }
        }
    }

  private:
    // Item i * kWarpSize: kWarpSize is a multiple of kItems, so the pads in between are a constant.
    __device__ __forceinline__ static Item& row(const Items& items, u32 i) {
        static_assert(kWarpSize % kItems == 0, "a row of a warp is whole runs");
        return items.slots[Items::slot(items.offset) + i * Items::slot(kWarpSize)];
    }

    // Any item may start in any lane, so neighbouring lanes load neighbouring items. Not so the pads of items that differ
    // where they compare equal: pads that start last stay last in every merge, even behind real items that equal them.
    template <typename Load>
    __device__ static __forceinline__ void load_run(
        const Items& items, u32 warp_begin, u32 count, const Load& load, Item (&run)[kItems]) {
        const u32 base = warp_begin + threadIdx.x % kWarpSize;
        if (warp_begin + kWarpItems <= count) {
#pragma unroll
            for (u32 i = 0; i < kItems; ++i) {
                run[i] = load(base, i * kWarpSize);
            }
        } else if constexpr (kEqualItemsAreIdentical<Item>) {
#pragma unroll
            for (u32 i = 0; i < kItems; ++i) {
                run[i] = base + i * kWarpSize < count ? load(base, i * kWarpSize) : greatest<Item>();
            }
        } else {
            const Items mine = items.from(base);
#pragma unroll 1
            for (u32 i = 0; i < kItems; ++i) {
                row(mine, i) = base + i * kWarpSize < count ? load(base, i * kWarpSize) : greatest<Item>();
            }
            __syncwarp();
            const Items lane_items = items.from(threadIdx.x * kItems);
#pragma unroll
            for (u32 i = 0; i < kItems; ++i) {
                run[i] = lane_items.slots[Items::slot(lane_items.offset) + i];
            }
            __syncwarp();
        }
    }

    __device__ static __forceinline__ void store_run(const Items& items, u32 begin, const Item (&run)[kItems]) {
        Item* slots = items.slots + Items::slot(begin);
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            slots[i] = run[i];
        }
    }

    // Merges runs of `width` threads each into runs of 2 * width threads: each thread makes kItems outputs.
    __device__ static __forceinline__ void merge_runs(const Items& items, u32 count, u32 width, u32 begin) {
        const u32 pair = threadIdx.x & ~(2 * width - 1);
        const u32 a = pair * kItems;
        const u32 b = (pair + width) * kItems;
        const u32 b_end = min_of((pair + 2 * width) * kItems, count);
        const bool merges = begin < count && b < b_end;
        Item run[kItems];
        if (merges) {
            const u32 diagonal = begin - a;
            const u32 from_a = merge_path(items.from(a), b - a, items.from(b), b_end - b, diagonal);
            const u32 b_begin = b + diagonal - from_a;
            if constexpr (kEqualItemsAreIdentical<Item>) {
                merge_bitonically(items, a + from_a, b, b_begin, b_end, run);
            } else {
                merge_serially(items, a + from_a, b, b_begin, b_end, run);
            }
        }
        synchronize(width);
        if (merges) {
            store_run(items, begin, run);
        }
        synchronize(2 * width);
    }

    // The next kItems outputs of the runs [a, a_end) and [b, b_end), which has them: those from a upwards, those from b
    // downwards make a bitonic sequence. Unlike a serial merge, no load waits for a comparison.
    __device__ static __forceinline__ void merge_bitonically(
        const Items& items, u32 a, u32 a_end, u32 b, u32 b_end, Item (&run)[kItems]) {
        u32 low = kItems > b_end - b ? kItems - (b_end - b) : 0;
        u32 high = min_of<u32>(kItems, a_end - a);
        const u32 b_last = b + kItems - 1;
#pragma unroll 1
        while (low < high) {
            const u32 middle = (low + high) / 2;
            if (less(items[b_last - middle], items[a + middle])) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            run[i] = items[i < low ? a + i : b_last - i];
        }
        merge_registers(run);
    }

    // While pairs of runs lie within a warp, only the warp has to wait.
    __device__ static void synchronize(u32 width) {
        if (2 * width <= kWarpSize) {
            __syncwarp();
        } else {
            __syncthreads();
        }
    }
};
