// The segments of an array that are sorted one by one, as the user gives them.
#pragma once
#include "parts/basics.cuh"

// Segment s is from offset s to just before offset s + 1. Offsets have 4 or 8 bytes and a sign.
//
// The host writes all fields as eight bytes each, by the same names (KernelStructs.UserSegments).
struct UserSegments {
    const u8* offsets;  // [segment_count + 1]
    u64 offset_bytes;
    u64 segment_count;
    u64 element_count;

    // Returns an offset. One that is negative becomes larger than any array.
    __device__ __forceinline__ u64 offset(u64 index) const {
        return offset_bytes == sizeof(u32) ? (u64)(long long)((const int*)offsets)[index]
                                           : ((const u64*)offsets)[index];
    }
};
