// How a warp sorts the short segments of a group: neighbouring segments, one for each lane. Segments of up to
// kLaneItems elements are sorted by one lane each, all at once; longer ones by the whole warp, one after another. Both
// are sorting networks in registers. Elements go through shared memory on their way, so that neighbouring lanes read
// and write neighbouring ones.
//
// The segments of a group need not be neighbours in memory as far as the warp is concerned: longer ones, which are
// sorted elsewhere, may lie in between.
#pragma once
#include "parts/given_segments.cuh"
#include "parts/key_quads.cuh"
#include "parts/lane_networks.cuh"
#include "parts/small_sort_item.cuh"

// Networks of small items need few registers, and more blocks wait for memory side by side.
constexpr u32 kSegmentBlocks = sizeof(SmallSortItem) <= 4 ? 8 : 1;

// Pads fill networks up where an item that equals a pad may take its place. Everywhere else no item below the count
// changes places with one beyond it.
constexpr bool kIsGuarded = !kOrderIsTrusted || !kEqualItemsAreIdentical<SmallSortItem>;

// Items of a warp in shared memory. A free slot after every 16 items keeps lanes out of each other's banks, if they
// read runs of 4, 8, 16 or 32 items.
struct WarpSlots {
    static constexpr u32 kRun = 16;

    SmallSortItem* slots;

    __host__ __device__ static constexpr u32 count_for(u32 items) { return items + items / kRun; }

    __device__ __forceinline__ SmallSortItem& operator[](u32 index) const { return slots[index + index / kRun]; }
};

// The most items of one warp, and its shared memory.
constexpr u32 kWarpItems = kWarpSize * (kLaneItems > kShortItems ? kLaneItems : kShortItems);
constexpr u32 kWarpSlotBytes = align_16(WarpSlots::count_for(kWarpItems) * (u32)sizeof(SmallSortItem));

// Sorts `count` items from `begin` on, of which each lane takes the next kItems. `count` is that of the calling lane.
template <u32 kItems>
__device__ __forceinline__ void load_run(const WarpSlots& slots, u32 begin, int count, SmallSortItem (&run)[kItems]) {
#pragma unroll
    for (int i = 0; i < (int)kItems; ++i) {
        if constexpr (kIsGuarded) {
            run[i] = i < count ? slots[begin + i] : SmallSortItem{};
        } else {
            run[i] = i < count ? slots[begin + i] : greatest<SmallSortItem>();
        }
    }
}

template <u32 kItems>
__device__ __forceinline__ void store_run(
    const WarpSlots& slots, u32 begin, int count, const SmallSortItem (&run)[kItems]) {
#pragma unroll
    for (int i = 0; i < (int)kItems; ++i) {
        if (i < count) {
            slots[begin + i] = run[i];
        }
    }
}

// Sorts the `count` items of the calling lane from `begin` on.
template <u32 kItems>
__device__ __forceinline__ void sort_lane_items(const WarpSlots& slots, u32 begin, u32 count) {
    SmallSortItem run[kItems];
    load_run(slots, begin, (int)count, run);
    sort_registers<kIsGuarded>(run, (int)count);
    store_run(slots, begin, (int)count, run);
}

__host__ __device__ constexpr u32 min_items(u32 items) { return items < kLaneItems ? items : kLaneItems; }

// Does the same with the smallest network that has room for `most` items, the most of any lane.
__device__ __forceinline__ void sort_lane_items(const WarpSlots& slots, u32 begin, u32 count, u32 most) {
    if (most <= 8) {
        sort_lane_items<min_items(8)>(slots, begin, count);
    } else if (most <= 16) {
        sort_lane_items<min_items(16)>(slots, begin, count);
    } else {
        sort_lane_items<kLaneItems>(slots, begin, count);
    }
}

// Sorts the first `count` items of a warp, with kItems items for each lane.
template <u32 kItems>
__device__ __forceinline__ void sort_warp_items(const WarpSlots& slots, u32 count) {
    SmallSortItem run[kItems];
    const u32 begin = threadIdx.x % kWarpSize * kItems;
    const int mine = (int)count - (int)begin;
    load_run(slots, begin, mine, run);
    sort_registers<kIsGuarded>(run, mine);
#pragma unroll 1
    for (u32 width = 1; width < kWarpSize && width * kItems < count; width *= 2) {
        merge_lanes<kIsGuarded>(run, width, mine);
    }
    store_run(slots, begin, mine, run);
}

// Does the same with as few items for each lane as do.
template <u32 kItems = 2>
__device__ __forceinline__ void sort_warp(const WarpSlots& slots, u32 count) {
    if constexpr (kItems < kShortItems) {
        if (count > kItems * kWarpSize) {
            sort_warp<2 * kItems>(slots, count);
            return;
        }
    }
    sort_warp_items<kItems>(slots, count);
}

// The places of the items of a warp in the array, item by item.
struct OnePlace {
    static constexpr bool kIsOne = true;

    u64 begin;

    __device__ __forceinline__ u64 of(u32 item) const { return begin + item; }
};

// The same for the segments of all lanes, each of which has `before` items of the warp before it.
struct LanePlaces {
    static constexpr bool kIsOne = false;

    u64 begin;
    u32 before;

    // All lanes call this.
    __device__ __forceinline__ u64 of(u32 item) const {
        u32 owner = 0;
#pragma unroll
        for (u32 step = kWarpSize / 2; step > 0; step /= 2) {
            if (__shfl_sync(kAllLanes, before, (int)(owner + step)) <= item) {
                owner += step;
            }
        }
        return __shfl_sync(kAllLanes, begin, (int)owner) + (item - __shfl_sync(kAllLanes, before, (int)owner));
    }
};

// Whether the items of a warp are copied as quads.
template <typename Places>
constexpr bool kCopiesItemQuads = kCopiesQuads&& Places::kIsOne;

// Loads `count` items of the warp.
template <typename Places>
__device__ __forceinline__ void load_items(
    const WarpSlots& slots, const ElementArray& in, const Places& places, u32 count) {
#if !KEEPS_ORDER
    if constexpr (kCopiesItemQuads<Places>) {
        const QuadRun run(in.keys + places.of(0), count);
        run.load([&](u32 place, Key key) { slots[place].key = order_key(key); });
        __syncwarp();
        return;
    }
#endif
    constexpr u32 kAhead = sizeof(SmallSortItem) <= 8 ? 8 : 4;
    for (u32 base = 0; base < count; base += kAhead * kWarpSize) {
        const u32 first = base + threadIdx.x % kWarpSize;
        SmallSortItem items[kAhead];
#pragma unroll
        for (u32 i = 0; i < kAhead; ++i) {
            const u32 item = first + i * kWarpSize;
            const u64 place = places.of(min_of(item, count - 1));
#if KEEPS_ORDER
            items[i] = item < count ? PlacedKey{item, __builtin_bit_cast(Words<OrderedKey>, in.key(place, false))}
                                    : PlacedKey{};
#else
            items[i] = item < count ? in.load(place) : Element{};
#endif
        }
#pragma unroll
        for (u32 i = 0; i < kAhead; ++i) {
            if (first + i * kWarpSize < count) {
                slots[first + i * kWarpSize] = items[i];
            }
        }
    }
    __syncwarp();
}

// Stores `count` items of the warp, which has read them from `in`.
template <typename Places>
__device__ __forceinline__ void store_items(
    const WarpSlots& slots, const ElementArray& in, const ElementArray& out, const Places& places, u32 count) {
    __syncwarp();
    const u32 lane = threadIdx.x % kWarpSize;
#if KEEPS_ORDER
    // All payloads are read before the first one is stored.
    constexpr u32 kMost = kWarpItems / kWarpSize;
    Payload payloads[kMost];
#pragma unroll
    for (u32 i = 0; i < kMost; ++i) {
        if (i * kWarpSize < count) {
            payloads[i] = in.payload(places.of(slots[min_of(i * kWarpSize + lane, count - 1)].position));
        }
    }
    __syncwarp();
#pragma unroll
    for (u32 i = 0; i < kMost; ++i) {
        const u32 item = i * kWarpSize + lane;
        if (i * kWarpSize < count) {
            const u64 place = places.of(min_of(item, count - 1));
            Element element;
            element.key = slots[min_of(item, count - 1)].key();
            element.payload = payloads[i];
            if (item < count) {
                out.store(place, element);
            }
        }
    }
#else
    if constexpr (kCopiesItemQuads<Places>) {
        const QuadRun run(out.keys + places.of(0), count);
        run.store([&](u32 place) {
            Key key;
            restore_key((OrderedKey)slots[place].key, key);
            return key;
        });
        __syncwarp();
        return;
    }
#pragma unroll 4
    for (u32 first = 0; first < count; first += kWarpSize) {
        const u32 item = first + lane;
        const u64 place = places.of(min_of(item, count - 1));
        if (item < count) {
            out.store(place, slots[item]);
        }
    }
#endif
    __syncwarp();
}
