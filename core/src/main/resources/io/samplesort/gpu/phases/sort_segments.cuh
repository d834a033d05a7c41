// Sorts the short segments of an array, each warp those of one group after another (short_segments.cuh). The small sort
// takes longer ones from its queues (list_segments.cuh).
#pragma once
#include "parts/short_segments.cuh"

// What the lanes of a warp sort.
struct LaneItems {
    u32 before;  // items of the lanes before the calling one
    u32 mine;    // items of the calling lane
    u32 most;    // the most of any lane
    u32 all;
};

template <typename Places>
__device__ __forceinline__ void sort_lane_segments(
    const WarpSlots& slots, const ElementArray& in, const ElementArray& out, const Places& places,
    const LaneItems& items) {
    load_items(slots, in, places, items.all);
    sort_lane_items(slots, items.before, items.mine, items.most);
    store_items(slots, in, out, places, items.all);
}

// Sorts the segments that one lane can sort, at most one of each lane: `size` elements from `begin` on.
__device__ __forceinline__ void sort_lane_segments(
    const WarpSlots& slots, const ElementArray& in, const ElementArray& out, u64 begin, u64 size) {
    const bool is_mine = size <= kLaneItems;
    const u32 mine = is_mine ? (u32)size : 0;
    const u32 most = warp_max(mine);
    if (most < 2) {
        return;
    }
    const u32 inclusive = warp_inclusive_scan(mine);
    const u32 before = inclusive - mine;
    const u32 count = __shfl_sync(kAllLanes, inclusive, kWarpSize - 1);
    const LaneItems items{before, mine, most, count};
    if (__all_sync(kAllLanes, is_mine)) {
        sort_lane_segments(slots, in, out, OnePlace{__shfl_sync(kAllLanes, begin, 0)}, items);
    } else {
        sort_lane_segments(slots, in, out, LanePlaces{begin, before}, items);
    }
}

extern "C" __global__ void __launch_bounds__(kSegmentThreads, kSegmentBlocks)
    sort_segments(ElementArray in, ElementArray out, UserSegments segments, u64 log_group) {
    follow_previous_kernel();
    const u32 lane = threadIdx.x % kWarpSize;
    const WarpSlots slots{(SmallSortItem*)(shared_memory + threadIdx.x / kWarpSize * kWarpSlotBytes)};
    const u64 group = blockIdx.x * (u64)(kSegmentThreads / kWarpSize) + threadIdx.x / kWarpSize;
    // Lanes beyond the group, or beyond the last segment, have an empty one at its end.
    const u64 first = group << log_group;
    const u64 end = min_of(first + (1ull << log_group), segments.segment_count);
    if (first >= end) {
        return;
    }
    const u64 segment = min_of(first + lane, end);
    const u64 begin = segments.offset(segment);
    const u64 size = segments.offset(min_of(segment + 1, end)) - begin;
    sort_lane_segments(slots, in, out, begin, size);
    const bool is_sorted_by_warp = size > kLaneItems && size <= kShortItems * kWarpSize;
    for (u32 lanes = __ballot_sync(kAllLanes, is_sorted_by_warp); lanes != 0; lanes &= lanes - 1) {
        const int owner = __ffs((int)lanes) - 1;
        const OnePlace places{__shfl_sync(kAllLanes, begin, owner)};
        const u32 count = (u32)__shfl_sync(kAllLanes, size, owner);
        load_items(slots, in, places, count);
        sort_warp(slots, count);
        store_items(slots, in, out, places, count);
    }
}
