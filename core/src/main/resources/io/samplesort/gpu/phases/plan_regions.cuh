// Makes segments of the buckets of a first pass in place, and regions of segments.
#pragma once
#include "parts/pages.cuh"
#include "parts/region_plan.cuh"

// While regions are made: where the segments' parts of the room would begin if all segments had room.
struct PartSums {
    u64* begins;
    u64 count;
    u64 total;

    __device__ __forceinline__ u64 before(u64 segment) const { return segment < count ? begins[segment] : total; }
};

// Joins neighbours to regions, each as large as possible. One warp calls this.
__device__ __forceinline__ u32
make_regions(const PartSums& sums, const Pass& pass, const RegionLimits& limits, RegionPlan* plan) {
    const u32 lane = threadIdx.x % kWarpSize;
    u32 number = 0;
    for (u64 begin = 0; begin < sums.count && number < limits.regions; ++number) {
        const u64 before = sums.before(begin);
        u64 end = begin + 1;
        u32 more = kWarpSize;
        while (more == kWarpSize) {
            const u64 next = end + lane + 1;
            const bool fits = next <= sums.count && next - begin <= limits.region_segments
                && sums.before(next) - before <= limits.region_room;
            const u32 too_large = ~__ballot_sync(kAllLanes, fits);
            more = too_large == 0 ? kWarpSize : __ffs((int)too_large) - 1;
            end += more;
        }
        for (u64 base = begin; base < end; base += kWarpSize) {
            const u64 segment = base + lane;
            const u64 part_begin = sums.before(segment);
            const u64 part_end = sums.before(segment + 1);
            __syncwarp();
            if (segment < end) {
                pass.part_begins[segment] = part_begin - before;
                pass.part_ends[segment] = part_end - before;
            }
            __syncwarp();
        }
        if (lane == 0) {
            Region& region = plan->regions()[number];
            region.first_segment = begin;
            region.last_segment = end;
            region.begin = pass.segment_offsets[begin];
            region.count = pass.segment_offsets[end] - pass.segment_offsets[begin];
        }
        begin = end;
        if (begin < sums.count && number + 1 == limits.regions) {
            return 0;
        }
    }
    return number;
}

// This takes one block. `first` is the pass whose buckets these are, and `pass` the one that divides the segments.
//
// An equality bucket may be larger than a segment can be: it is divided, as any of its elements may come first. If
// another bucket has to be divided, its parts are not in order.
extern "C" __global__ void __launch_bounds__(kPageThreads)
    plan_regions(Pages pages, Pass first, Pass pass, RegionLimits limits, RegionPlan* plan) {
    follow_previous_kernel();
    u64* warp_totals = (u64*)shared_memory;
    const u32 bucket_count = 1u << first.log_bucket_count;
    u64* begins = (u64*)pass.segment_begins;
    u8* marks = (u8*)pass.segment_marks;
    const bool is_complete = first.overflows[0] == 0;
    u64 segments = 0;
    u64 first_page = 0;
    u64 elements = 0;
    u64 room = 0;
    bool is_in_order = true;
    for (u32 base = 0; base < bucket_count; base += kPageThreads) {
        const u32 bucket = base + threadIdx.x;
        const u64 size = bucket < bucket_count && is_complete ? first.write_positions[bucket] : 0;
        const bool is_equality = bucket < bucket_count && (first.bucket_marks[bucket] & kIsEquality) != 0;
        const u64 whole = size / limits.elements;
        const u64 rest = size % limits.elements;
        const auto part_for = [&](u64 count) {
            return count == 0 ? 0 : room_for(count, limits.part_room) + limits.part_buckets;
        };
        u64 total;
        u64 segment = segments + block_exclusive_scan<u64>(whole + (rest != 0), warp_totals, total);
        segments += total;
        __syncthreads();
        const u64 page = first_page + block_exclusive_scan<u64>(ceil_div(size, pages.page_size()), warp_totals, total);
        first_page += total;
        __syncthreads();
        const u64 offset = elements + block_exclusive_scan<u64>(size, warp_totals, total);
        elements += total;
        __syncthreads();
        const u64 whole_part = part_for(limits.elements);
        u64 part = room + block_exclusive_scan<u64>(whole * whole_part + part_for(rest), warp_totals, total);
        room += total;
        is_in_order = is_in_order && (is_equality || whole + (rest != 0) <= 1);
        for (u64 taken = 0; taken < size && segment < limits.segments; taken += limits.elements) {
            pass.segment_offsets[segment] = offset + taken;
            pass.segment_moved[segment] = offset + taken;
            begins[segment] = page * pages.page_size() + taken;
            marks[segment] = is_equality ? kIsEquality : 0;
            pass.part_begins[segment] = part;
            part += whole_part;
            ++segment;
        }
        __syncthreads();
    }
    const bool fits = segments <= limits.segments;
    for (u64 segment = (fits ? segments : 0) + threadIdx.x; segment <= limits.segments; segment += kPageThreads) {
        pass.segment_offsets[segment] = fits ? elements : 0;
        if (segment < limits.segments) {
            pass.segment_moved[segment] = fits ? elements : 0;
            begins[segment] = 0;
            marks[segment] = 0;
            pass.part_begins[segment] = 0;
            pass.part_ends[segment] = 0;
        }
    }
    // Clears the rest, since the host reads the maximum number of regions.
    for (u64 word = threadIdx.x; word < limits.regions * sizeof(Region) / sizeof(u64); word += kPageThreads) {
        ((u64*)plan->regions())[word] = 0;
    }
    const bool all_in_order = __syncthreads_and(is_in_order);
    if (threadIdx.x < kWarpSize) {
        const u32 regions = make_regions(PartSums{pass.part_begins, fits ? segments : 0, room}, pass, limits, plan);
        if (threadIdx.x == 0) {
            plan->region_count = regions;
            plan->is_in_order = all_in_order;
            plan->settled = 0;
            plan->moved_elements = 0;
            plan->lacks_pages = 0;
            for (u32 number = 0; number < regions; ++number) {
                // A segment begins with a page.
                plan->regions()[number].first_page = begins[plan->regions()[number].first_segment] / pages.page_size();
            }
        }
    }
}
