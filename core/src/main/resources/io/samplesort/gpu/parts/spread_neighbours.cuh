// Exchanges the items of a warp before its lanes count in cells (cell_sort.cuh), if neighbours are equal.
#pragma once
#include "parts/block_items.cuh"

// From this many on, lanes with the same number as the lane before count as many.
constexpr u32 kManyAlike = 16;

// In an input that is almost in order, neighbouring lanes usually have the same numbers, and lanes that count in one
// cell wait for each other. In that case the lanes of a warp exchange their items, so that each lane has consecutive
// items.
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
