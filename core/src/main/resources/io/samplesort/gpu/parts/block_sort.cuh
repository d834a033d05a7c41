// Sorts what fits the shared memory of one block: by a sorting network in the registers of each thread, then by merges
// of the runs of neighbouring lanes by shuffles, then by merges in shared memory. Each round makes runs twice as long.
//
// On an H200 the integer pipe bounds this sort, and the shared-memory pipe comes second. So runs are merged in
// registers where possible: a round of shuffles needs no search and has no bank conflicts, and a bitonic merge needs
// no bounds.
//
// A warp sorts kItems items for each of its lanes. The last warp sorts half as many where no more are left, and is
// filled up with pads, which sort after everything else. Warps beyond the count do nothing.
//
// An order of the user's own (kOrderIsTrusted is false) has no known greatest item and may contradict itself. Such
// sorts use no pads: all exchanges put the smaller item at the lower place, so leaving out those that reach beyond the
// count still sorts what lies below it. And runs are merged only where the parts that threads take of the merge fit
// together. Where they do not, the order contradicts itself, and the runs stay as they are.
#pragma once
#include "parts/merge_path.cuh"
#include "parts/rotated_merge.cuh"

// With two buffers in shared memory, a round of merges reads one and writes the other, so threads wait for each other
// once in a round and not twice.
template <int kItems, typename Item, int kBuffers = 1>
struct BlockSort {
    static_assert(kItems >= 2 && (kItems & (kItems - 1)) == 0, "bitonic merges need a power of two");
    static_assert(kBuffers == 1 || (kBuffers == 2 && kOrderIsTrusted), "careful merges stay in one buffer");
    static constexpr u32 kWarpItems = kWarpSize * kItems;
    // Pads fill the items up to a multiple of this. If there are no more, the last warp sorts half of its items, which
    // is half as many for each lane.
    static constexpr u32 kUnit = kBuffers == 2 && kItems >= 4 ? kWarpItems / 2 : kWarpItems;
    // Shuffles make runs of this many lanes. How many pay depends on the words of an item, since each word is a
    // shuffle: twice and half as many were 1 percent slower.
    static constexpr u32 kLanesByShuffles = sizeof(Item) < 8 ? 8 : sizeof(Item) == 8 ? 4 : 2;
    using Items = PaddedItems<kItems, Item>;
    // The most items that the block can sort.
    __device__ __forceinline__ static u32 capacity() { return blockDim.x * kItems; }

    // Bytes of shared memory for the items of a block, with one more slot for each thread.
    __host__ __device__ __forceinline__ static constexpr u32 slot_bytes(u32 threads) {
        return align_16(threads * (kItems + 1) * (u32)sizeof(Item));
    }

    __device__ __forceinline__ static u32 slot_bytes() { return slot_bytes(blockDim.x); }

    // The shared memory of one sort: the items, and the begin of each thread's part of a merge.
    __host__ __device__ __forceinline__ static constexpr u32 bytes(u32 threads) {
        return kBuffers * slot_bytes(threads) + (kOrderIsTrusted ? 0 : threads * (u32)sizeof(u32));
    }

    __device__ __forceinline__ static u32 shared_bytes() { return bytes(blockDim.x); }

    static constexpr bool kHasSpare = kBuffers == 2;

    // The buffer of two, from `slots` on, that does not hold `items`.
    __device__ __forceinline__ static Item* spare(const Items& items, Item* slots) {
        return items.slots == slots ? slots + slot_bytes() / sizeof(Item) : slots;
    }

    // Loads items 0 to count - 1 with 0 < count <= capacity(), item base + offset as load(base, offset), and leaves
    // them sorted in the returned items of shared memory, visible to the whole block. The sort is not stable. All
    // threads of the block call this. The calling warp must be done with its own items of an earlier sort, as it is
    // after for_each(); other warps need not be done.
    template <typename Load>
    __device__ static Items sort(Item* slots, u32 count, const Load& load) {
        Items items{slots, 0};
        const u32 warp_begin = threadIdx.x / kWarpSize * kWarpItems;
        const u32 begin = threadIdx.x * kItems;
        if (warp_begin < count) {
            if (kUnit < kWarpItems && count - warp_begin <= kUnit) {
                sort_run<kItems / 2>(items, warp_begin, count, load);
            } else {
                sort_run<kItems>(items, warp_begin, count, load);
            }
        }
        synchronize(2 * kLanesByShuffles);
        const u32 padded_count = kOrderIsTrusted ? (count + kUnit - 1) / kUnit * kUnit : count;
#pragma unroll 1
        for (u32 width = kLanesByShuffles; width * kItems < padded_count; width *= 2) {
            if constexpr (kBuffers == 2) {
                const Items merged{spare(items, slots), 0};
                merge_runs_across(items, merged, padded_count, width, begin);
                items = merged;
            } else if constexpr (kOrderIsTrusted) {
                merge_runs(items, padded_count, width, begin);
            } else {
                merge_runs_carefully(items, padded_count, width, begin);
            }
        }
        if constexpr (kOrderIsTrusted && !kEqualItemsAreIdentical<Item>) {
            __syncthreads();
            put_pads_last(items, count, padded_count);
        }
        __syncthreads();
        return items;
    }

    // Hands on the sorted items 0 to count - 1, item base + offset as store(base, offset, item). Neighbouring lanes
    // store neighbouring items. Each warp reads the places that it has sorted, and is done with them afterwards.
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
        __syncwarp();
    }

    // Pads have the greatest key. If items that compare equal can differ, an item with that key may come after the
    // pads, and so after `count`. It then changes places with a pad. An item that equals a pad bit by bit may serve as
    // one.
    __device__ static __forceinline__ void put_pads_last(const Items& items, u32 count, u32 padded_count) {
        if (threadIdx.x != 0 || count == padded_count || less(items[count - 1], greatest<Item>())) {
            return;
        }
        u32 pad = count;
        for (u32 place = count; place < padded_count; ++place) {
            if (!is_pad(items[place])) {
                do {
                    --pad;
                } while (!is_pad(items[pad]));
                const Item item = items[place];
                items[place] = items[pad];
                items[pad] = item;
            }
        }
    }

  private:
    // Returns item i * kWarpSize. kWarpSize is a multiple of kItems, so the number of free slots in between is
    // constant.
    __device__ __forceinline__ static Item& row(const Items& items, u32 i) {
        static_assert(kWarpSize % kItems == 0, "a row of a warp is whole runs");
        return items.slots[Items::slot(items.offset) + i * Items::slot(kWarpSize)];
    }

    // Sorts the items of a warp, kOwn for each lane, into runs of kLanesByShuffles * kItems.
    template <int kOwn, typename Load>
    __device__ static __forceinline__ void sort_run(const Items& items, u32 warp_begin, u32 count, const Load& load) {
        const Items lane_items = items.from(warp_begin + threadIdx.x % kWarpSize * kOwn);
        const int mine = (int)count - (int)lane_items.offset;
        Item run[kOwn];
        load_run(items, warp_begin, count, load, run);
        sort_registers(run, mine);
#pragma unroll 1
        for (u32 width = 1; width < kLanesByShuffles * (kItems / kOwn); width *= 2) {
            merge_lanes(run, width, mine);
        }
        store_run(lane_items, run, mine);
    }

    // Any item may start in any lane, so neighbouring lanes load neighbouring items. Without pads, in contrast, items
    // below `count` have to start where they belong.
    template <int kOwn, typename Load>
    __device__ static __forceinline__ void load_run(
        const Items& items, u32 warp_begin, u32 count, const Load& load, Item (&run)[kOwn]) {
        const u32 base = warp_begin + threadIdx.x % kWarpSize;
        if (warp_begin + kWarpSize * kOwn <= count) {
#pragma unroll
            for (u32 i = 0; i < kOwn; ++i) {
                run[i] = load(base, i * kWarpSize);
            }
        } else if constexpr (kOrderIsTrusted) {
#pragma unroll
            for (u32 i = 0; i < kOwn; ++i) {
                run[i] = base + i * kWarpSize < count ? load(base, i * kWarpSize) : greatest<Item>();
            }
        } else {
            const Items mine = items.from(base);
#pragma unroll 1
            for (u32 i = 0; i < kOwn; ++i) {
                if (base + i * kWarpSize < count) {
                    row(mine, i) = load(base, i * kWarpSize);
                }
            }
            __syncwarp();
            const Items lane_items = items.from(threadIdx.x * kItems);
#pragma unroll
            for (u32 i = 0; i < kOwn; ++i) {
                run[i] = may_touch(i, (int)count - (int)lane_items.offset)
                    ? lane_items.slots[Items::slot(lane_items.offset) + i]
                    : Item{};
            }
            __syncwarp();
        }
    }

    // Stores the items of one lane.
    template <int kOwn>
    __device__ static __forceinline__ void store_run(const Items& items, const Item (&run)[kOwn], int count) {
        Item* slots = items.slots + Items::slot(items.offset);
#pragma unroll
        for (int i = 0; i < kOwn; ++i) {
            if (may_touch(i, count)) {
                slots[i] = run[i];
            }
        }
    }

    // Merges runs of `width` threads each from one buffer to the other, into runs of 2 * width threads. Each thread
    // makes kItems outputs. A run without a partner is merged with an empty run.
    __device__ static __forceinline__ void merge_runs_across(
        const Items& items, const Items& merged, u32 count, u32 width, u32 begin) {
        if (begin / kWarpItems * kWarpItems < count) {
            // Cleared, as otherwise its registers would have to keep their old values, and could not be used for
            // anything in between.
            Item run[kItems] = {};
            RotatedMerge<kItems, Item>::merge_part(items, count / kItems, width, run);
            if (begin < count) {
                store_run(merged.from(begin), run, kItems);
            }
        }
        if (2 * width * kItems < count) {
            synchronize(4 * width);
        }
    }

    // Does the same within one buffer.
    __device__ static __forceinline__ void merge_runs(const Items& items, u32 count, u32 width, u32 begin) {
        const bool merges = begin < count && ((threadIdx.x & ~(2 * width - 1)) + width) * kItems < count;
        Item run[kItems] = {};
        if (merges) {
            RotatedMerge<kItems, Item>::merge_part(items, count / kItems, width, run);
        }
        synchronize(2 * width);
        if (merges) {
            store_run(items.from(begin), run, kItems);
        }
        synchronize(4 * width);
    }

    __device__ static __forceinline__ bool is_pad(const Item& item) {
        const auto words = __builtin_bit_cast(Words<Item>, item);
        const auto pad = __builtin_bit_cast(Words<Item>, greatest<Item>());
        bool same = true;
#pragma unroll
        for (u32 w = 0; w < sizeof(Item) / sizeof(u32); ++w) {
            same &= words.word[w] == pad.word[w];
        }
        return same;
    }

    // Merges in an order that may contradict itself. Each thread finds its part by a search of its own, so the parts
    // might overlap and leave gaps. Therefore each thread checks where the part of the next thread begins, and if any
    // two do not fit together, no part of this round is merged.
    __device__ static __forceinline__ void merge_runs_carefully(const Items& items, u32 count, u32 width, u32 begin) {
        const u32 pair = threadIdx.x & ~(2 * width - 1);
        const u32 a = pair * kItems;
        const u32 b = (pair + width) * kItems;
        const u32 b_end = min_of((pair + 2 * width) * kItems, count);
        const bool merges = begin < count && b < b_end;
        const u32 end = min_of(begin + kItems, b_end);
        u32* parts = (u32*)((unsigned char*)items.slots + slot_bytes());
        if (merges) {
            parts[threadIdx.x] = merge_path(items.from(a), b - a, items.from(b), b_end - b, begin - a);
        }
        synchronize(2 * width);
        Item run[kItems];
        bool fits = true;
        if (merges) {
            const u32 from_a = parts[threadIdx.x];
            const u32 a_end = end == b_end ? b - a : parts[threadIdx.x + 1];
            const u32 from_b = begin - a - from_a;
            const u32 b_part_end = end - a - a_end;
            fits = from_a <= a_end && a_end - from_a <= end - begin;
            if (fits) {
                merge_serially(items, a + from_a, a + a_end, b + from_b, b + b_part_end, run);
            }
        }
        if (all_agree(fits, 2 * width) && merges) {
            store_run(items.from(begin), run, (int)(end - begin));
        }
        synchronize(4 * width);
    }

    // Returns whether `value` holds for all threads of a warp, or of the block if runs reach beyond a warp. This is a
    // barrier for them.
    __device__ static bool all_agree(bool value, u32 width) {
        if (width > kWarpSize) {
            return __syncthreads_and(value) != 0;
        }
        // A vote alone does not order memory accesses.
        __syncwarp();
        return __all_sync(kAllLanes, value) != 0;
    }

    // A barrier for the group of `threads` threads, a power of two, that the calling thread is in: its warp, or the
    // whole block. Barriers for some warps of a block would be enough, but a multiprocessor has few of them, so fewer
    // blocks fit: the small sort of u32 took a third longer.
    __device__ static void synchronize(u32 threads) {
        if (threads <= kWarpSize) {
            __syncwarp();
        } else {
            __syncthreads();
        }
    }
};
