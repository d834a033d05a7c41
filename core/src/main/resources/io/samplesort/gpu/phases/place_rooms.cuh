// Gives each bucket of the first pass a part of the memory that is free by the time its group of buckets is divided
// further. Groups come one after another in the order of their buckets, so the free memory is
// - the head: memory that nothing else uses, and right after it the array that the first pass wrote, up to the begin of
//   the group there: the buckets before it are in their place by then;
// - the tails: the arrays of the result, from the end of the group in the result on.
// The host makes the groups small enough for that. If a group is larger than its part of the sample suggests, segments
// without room stay where they lie.
#pragma once
#include "parts/segments.cuh"

// The begins of groups: group g has the segments from begins[g] to just before begins[g + 1].
struct Groups {
    u64 begins[kMaxGroups + 1];
};

// The free memory, as places in the array that later passes write, which is as large as all memory. The host writes all
// fields as eight bytes each, by the same names (KernelStructs.FreePlaces).
struct FreePlaces {
    u64 head_begin;
    u64 head_size;          // without the array that the first pass wrote
    u64 tail_begin;         // where element 0 of the result lies; a tail may be used except for its first elements
    u64 tail_size;          // of the whole array, in elements as passes write them; 0 if it must not be used
    u64 second_tail_begin;  // the same for a second array
    u64 second_tail_size;
    u64 result_elements;  // of the result for one element of a tail
    u64 room;             // what a part takes for each element of its bucket
    u64 buckets;          // and in addition to that
};

// The shared memory of the block: a total for each warp, and a sum for each segment.
__host__ __device__ constexpr u32 place_shared_bytes(u32 segment_count) {
    return (kWarpSize + segment_count + 1) * sizeof(u64);
}

// Places segment `segment` of a group from `first` to `last`: `sums` says what the segments before each one need. Each
// piece of memory takes as many segments as fit, one after another. Returns whether there was a piece for it.
__device__ __forceinline__ bool place_segment(
    const u64* sums, u32 segment, u32 first, u32 last, const u64 (&begins)[3], const u64 (&ends)[3], u64& place) {
    for (u32 piece = 0; piece < 3; ++piece) {
        const u64 size = ends[piece] > begins[piece] ? ends[piece] - begins[piece] : 0;
        u32 low = first;
        u32 high = last;
        while (low < high) {
            const u32 middle = (low + high + 1) / 2;
            if (sums[middle] - sums[first] <= size) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        if (segment < low) {
            place = begins[piece] + sums[segment] - sums[first];
            return true;
        }
        first = low;
    }
    return false;
}

extern "C" __global__ void __launch_bounds__(kSampleThreads) place_rooms(Pass pass, Groups groups, FreePlaces places) {
    u64* warp_totals = (u64*)shared_memory;
    u64* sums = warp_totals + kWarpSize;
    follow_previous_kernel();
    const u32 count = (u32)pass.segment_count;
    u64 sum = 0;
    for (u32 base = 0; base < count; base += kSampleThreads) {
        const u32 segment = base + threadIdx.x;
        u64 need = 0;
        if (segment < count && (pass.segment_marks[segment] & kStays) == 0) {
            const u64 size = pass.segment_offsets[segment + 1] - pass.segment_offsets[segment];
            need = size == 0 ? 0 : room_for(size, places.room) + places.buckets;
        }
        u64 total;
        const u64 before = block_exclusive_scan(need, warp_totals, total);
        if (segment < count) {
            sums[segment] = sum + before;
        }
        sum += total;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        sums[count] = sum;
    }
    __syncthreads();
    for (u32 segment = threadIdx.x; segment < count; segment += kSampleThreads) {
        u32 group = 0;
        while (groups.begins[group + 1] <= segment) {
            ++group;
        }
        const u32 first = (u32)groups.begins[group];
        const u32 last = (u32)groups.begins[group + 1];
        const u64 written = ceil_div(pass.segment_offsets[last], places.result_elements);
        const u64 begins[3] = {places.head_begin, places.tail_begin + written, places.second_tail_begin + written};
        const u64 ends[3] = {
            places.head_begin + places.head_size + (pass.segment_begins[first] & ~kStaysApart),
            places.tail_begin + places.tail_size, places.second_tail_begin + places.second_tail_size};
        u64 begin = 0;
        const bool is_placed = place_segment(sums, segment, first, last, begins, ends, begin);
        pass.part_begins[segment] = begin;
        pass.part_ends[segment] = begin + (is_placed ? sums[segment + 1] - sums[segment] : 0);
    }
}
