// Exchanges the items of a warp before its lanes count in cells (cell_sort.cuh), where neighbours are equal.
#pragma once
#include "parts/block_items.cuh"

// So many lanes with the number of the lane before are many.
constexpr u32 kManyAlike = 16;

// Neighbouring lanes mostly have the same numbers where the input is in order but for a few, and those that count in
// one cell wait for each other. So the lanes of a warp exchange their items then: each gets what lies together.
template <int kItems, typename Item>
__device__ __forceinline__ void spread_neighbours(BlockItems<kItems, Item>& items, Item* slots) {
    using Slots = PaddedItems<kItems, Item>;
    const u32 begin = threadIdx.x / kWarpSize * kWarpSize * kItems;
    if (begin + kWarpSize * kItems > items.count) {
        return;
    }
    const u32 number = (u32)number_of_item(items.own[0]);
    const u32 before = __shfl_up_sync(kAllLanes, number, 1);
    const u32 alike = __popc(__ballot_sync(kAllLanes, number == before));
    if (alike < kManyAlike || alike == kWarpSize) {
        return;
    }
    const Slots places{slots, begin + threadIdx.x % kWarpSize};
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
        places[i * kWarpSize] = items.own[i];
    }
    __syncwarp();
    const Item* own = slots + Slots::slot(threadIdx.x * kItems);
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
        items.own[i] = own[i];
    }
    __syncwarp();
}
