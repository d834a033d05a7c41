// Sorting networks over the items that a warp has in registers: each lane sorts its own items, then shuffles merge the
// runs of neighbouring lanes.
#pragma once
#include "parts/exchange.cuh"

// Networks that are guarded touch only items below `count`. The others may have pads from there on. Sorts by an
// untrusted order have no pads.
template <bool kIsGuarded = !kOrderIsTrusted>
__device__ __forceinline__ bool may_touch(int index, int count) {
    return !kIsGuarded || index < count;
}

// Batcher's merge exchange (Knuth, TAOCP 5.2.2, algorithm M).
template <bool kIsGuarded = !kOrderIsTrusted, int kWires, typename Item>
__device__ __forceinline__ void sort_registers(Item (&items)[kWires], int count) {
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
                    compare_exchange(items[i], items[i + d], may_touch<kIsGuarded>(i + d, count));
                }
            }
        }
    }
}

// Sorts items that first rise and then fall, or the other way round (a bitonic sequence; Batcher 1968).
template <bool kIsGuarded = !kOrderIsTrusted, int kWires, typename Item>
__device__ __forceinline__ void merge_registers(Item (&items)[kWires], int count) {
#pragma unroll
    for (int d = kWires / 2; d > 0; d /= 2) {
#pragma unroll
        for (int i = 0; i < kWires; ++i) {
            if ((i & d) == 0) {
                compare_exchange(items[i], items[i + d], may_touch<kIsGuarded>(i + d, count));
            }
        }
    }
}

// Merges runs of `width` lanes each, with kItems items for each lane, into runs of 2 * width lanes. There are `count`
// items from the first one of this lane on. The loop over the distances is not unrolled, since the code has to stay in
// the instruction cache.
template <bool kIsGuarded = !kOrderIsTrusted, int kItems, typename Item>
__device__ __forceinline__ void merge_lanes(Item (&items)[kItems], u32 width, int count) {
    const u32 lane = threadIdx.x % kWarpSize;
    bool upper = (lane & width) != 0;
    // The second run is read backwards, so that its last, largest items are compared with the first, smallest ones of
    // the other run.
    const int mirrored_count = count + ((int)lane - (int)(lane ^ (2 * width - 1))) * kItems;
#pragma unroll
    for (int i = 0; i < kItems / 2; ++i) {
        const int j = kItems - 1 - i;
        const Item partner_of_i = shuffle_xor(items[j], 2 * width - 1);
        const Item partner_of_j = shuffle_xor(items[i], 2 * width - 1);
        keep_side(
            items[i], partner_of_i, upper,
            upper ? may_touch<kIsGuarded>(i, count) : may_touch<kIsGuarded>(j, mirrored_count));
        keep_side(
            items[j], partner_of_j, upper,
            upper ? may_touch<kIsGuarded>(j, count) : may_touch<kIsGuarded>(i, mirrored_count));
    }
#pragma unroll 1
    for (u32 distance = width / 2; distance > 0; distance /= 2) {
        upper = (lane & distance) != 0;
        const int upper_count = upper ? count : count - (int)distance * kItems;
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            keep_side(items[i], shuffle_xor(items[i], distance), upper, may_touch<kIsGuarded>(i, upper_count));
        }
    }
    merge_registers<kIsGuarded>(items, count);
}
