// Sorts what fits the shared memory of one block: a sorting network in the registers of each thread, then merges of
// neighbouring runs, twice as long each round.
//
// A block of T threads takes any count up to T * kItems. Each thread gets the same odd number of items, only as many as
// the count needs, so a half-full tile costs half of a full one; odd, so that runs of neighbouring threads start in
// different shared-memory banks. Nothing is padded: no key that sorts after all others needs to exist.
#pragma once

template <typename Item>
__device__ __forceinline__ void compare_exchange(Item& first, Item& second) {
    const bool swap = less(second, first);
    const Item low = swap ? second : first;
    second = swap ? first : second;
    first = low;
}

// Batcher's merge exchange (Knuth, TAOCP 5.2.2, algorithm M), for any number of wires. All comparators put the smaller
// item on the lower wire, so leaving out those that touch wires from `count` on sorts the first `count` wires.
template <int kWires, bool kGuarded, int kItems, typename Item>
__device__ __forceinline__ void sort_registers(Item (&items)[kItems], u32 count) {
    constexpr int kTop = kWires <= 2 ? 1 : kWires <= 4 ? 2 : kWires <= 8 ? 4 : kWires <= 16 ? 8 : kWires <= 32 ? 16 : 32;
    static_assert(kWires <= 64, "the network has at most 64 wires");
#pragma unroll
    for (int p = kTop; p > 0; p /= 2) {
#pragma unroll
        for (int q = kTop; q >= p; q /= 2) {
            const int r = q == kTop ? 0 : p;
            const int d = q == kTop ? p : 2 * q - p;
#pragma unroll
            for (int i = 0; i < kWires; ++i) {
                if (i + d < kWires && (i & p) == r) {
                    if (!kGuarded || i + d < count) {
                        compare_exchange(items[i], items[i + d]);
                    }
                }
            }
        }
    }
}

// The networks that exist: of kItems wires, and of 4, 8, … fewer down to half. Every network is code of its own, so there
// are few; threads take the smallest that is large enough.
constexpr int kNetworkStep = 4;

template <int kItems>
__device__ __forceinline__ u32 items_per_thread(u32 needed) {
    return needed <= kItems / 2 ? needed | 1 : kItems - (kItems - needed) / kNetworkStep * kNetworkStep;
}

// Sorts the first `mine` items of each thread, `mine` being `per_thread` for all threads of the block but the last ones.
// Sizes below half of the full one, which a smaller block would have taken, and the warp with the last thread use the
// full network with guards.
template <int kWires, int kItems, typename Item>
__device__ __forceinline__ void sort_thread_items(Item (&items)[kItems], u32 per_thread, u32 mine) {
    if (per_thread == kWires && __all_sync(kAllLanes, mine == per_thread)) {
        sort_registers<kWires, false>(items, mine);
    } else if constexpr (kWires - kNetworkStep > kItems / 2) {
        sort_thread_items<kWires - kNetworkStep>(items, per_thread, mine);
    } else if (__any_sync(kAllLanes, mine != 0)) {
        sort_registers<kItems, true>(items, mine);
    }
}

template <int kThreads, int kItems, typename Item>
struct BlockSort {
    static_assert(kItems % 2 == 1, "an odd number of items keeps the runs of neighbouring threads in different banks");
    static constexpr u32 kCapacity = kThreads * kItems;

    // Loads load(0) … load(count - 1), 0 < count <= kCapacity, and leaves them sorted in items[0 … count - 1] (shared
    // memory), visible to the whole block. Not stable. All threads of the block call this.
    template <typename Load>
    __device__ static void sort(Item* items, u32 count, const Load& load) {
        const u32 per_thread = items_per_thread<kItems>((count + kThreads - 1) / kThreads);
        const u32 full_threads = count / per_thread;
        const u32 thread = threadIdx.x;
        const u32 begin = min_of(thread * per_thread, count);
        const u32 mine = min_of(per_thread, count - begin);

        Item run[kItems];
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            if (i < mine) {
                // Any item may start in any thread; neighbouring threads load neighbouring addresses.
                run[i] = load(thread < full_threads ? thread + i * full_threads : begin + i);
            }
        }
        sort_thread_items<kItems>(run, per_thread, mine);
        store_run(items + begin, run, mine);
        synchronize(1);

        for (u32 width = 1; width * per_thread < count; width *= 2) {
            merge_round(items, count, per_thread, width, begin, mine, run);
        }
        __syncthreads();
    }

    // Merges runs of `width` threads each into runs of 2 * width threads.
    __device__ static void merge_round(
        Item* items, u32 count, u32 per_thread, u32 width, u32 begin, u32 mine, Item (&run)[kItems]) {
        const u32 pair = threadIdx.x & ~(2 * width - 1);
        const u32 a = min_of(pair * per_thread, count);
        const u32 b = min_of((pair + width) * per_thread, count);
        const u32 b_end = min_of((pair + 2 * width) * per_thread, count);
        const bool merges = mine > 0 && b < b_end;
        if (merges) {
            const u32 diagonal = begin - a;
            const u32 from_a = merge_path(items + a, b - a, items + b, b_end - b, diagonal);
            merge_serially(items, a + from_a, b, b + diagonal - from_a, b_end, mine, run);
        }
        synchronize(width);
        if (merges) {
            store_run(items + begin, run, mine);
        }
        synchronize(2 * width);
    }

    __device__ static void store_run(Item* items, const Item (&run)[kItems], u32 mine) {
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            if (i < mine) {
                items[i] = run[i];
            }
        }
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
