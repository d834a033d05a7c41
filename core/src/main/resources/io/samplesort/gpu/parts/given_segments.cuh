// The segments of an array that are sorted one by one, as the user gives them.
#pragma once
#include "parts/basics.cuh"

// Segment s is from offset s to just before offset s + 1. Offsets have 4 or 8 bytes and a sign.
//
// The host writes all fields as eight bytes each, by the same names (KernelStructs.UserSegments).
struct UserSegments {
    u8* offsets;  // [segment_count + 1]
    u64 offset_bytes;
    u64 segment_count;
    u64 element_count;

    // Returns an offset. One that is negative becomes larger than any array.
    __device__ __forceinline__ u64 offset(u64 index) const {
        return offset_bytes == sizeof(u32) ? (u64)(long long)((const int*)offsets)[index]
                                           : ((const u64*)offsets)[index];
    }

    __device__ __forceinline__ void set_offset(u64 index, u64 offset) const {
        if (offset_bytes == sizeof(u32)) {
            ((u32*)offsets)[index] = (u32)offset;
        } else {
            ((u64*)offsets)[index] = offset;
        }
    }
};

// Returns where range `range` of kListBlocks ends, which has equally many segments as the others.
__device__ __forceinline__ u64 range_end(const UserSegments& segments, u64 range) {
    return min_of((range + 1) * ceil_div(segments.segment_count, kListBlocks), segments.segment_count);
}

// Calls use(segment, begin, size) for the segments of range `range` of kListBlocks, one for each thread. Threads
// without one pass size 0. All threads make the same calls.
template <typename Use>
__device__ __forceinline__ void for_segments_of_range(const UserSegments& segments, u64 range, const Use& use) {
    const u64 share = ceil_div(segments.segment_count, kListBlocks);
    const u64 end = range_end(segments, range);
    for (u64 base = range * share; base < end; base += blockDim.x) {
        const u64 segment = min_of(base + threadIdx.x, end);
        const u64 begin = segments.offset(segment);
        use(segment, begin, segments.offset(min_of(segment + 1, end)) - begin);
    }
}
