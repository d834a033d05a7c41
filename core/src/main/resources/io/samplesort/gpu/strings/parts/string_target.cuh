// The target of a copy of strings in another order.
#pragma once
#include "parts/basics.cuh"

// The host writes all fields as eight bytes each, by the same names (KernelStructs.StringTarget).
struct StringTarget {
    u8* bytes;         // aligned to eight bytes
    u8* offsets;       // count + 1 of them
    u64 offset_bytes;  // 4 or 8
    u64* sources;      // [count] the begin of each string in the source
    u64* tiles;        // [tiles of strings] how many bytes they have, then how many lie before them
    u64* byte_tiles;   // [tiles of bytes + 1] the string that has the first byte of each, then that of the last byte
    u64* total;        // how many bytes there are

    __device__ __forceinline__ u64 offset(u64 i) const {
        return offset_bytes == sizeof(u32) ? ((const u32*)offsets)[i] : ((const u64*)offsets)[i];
    }

    // Returns which of the strings from `first` to `last` has the byte at this place. One of them must have it.
    __device__ __forceinline__ u64 string_with(u64 byte, u64 first, u64 last) const {
        while (first < last) {
            const u64 middle = last - (last - first) / 2;
            if (offset(middle) <= byte) {
                first = middle;
            } else {
                last = middle - 1;
            }
        }
        return first;
    }

    __device__ __forceinline__ void set_offset(u64 i, u64 value) const {
        if (offset_bytes == sizeof(u32)) {
            ((u32*)offsets)[i] = (u32)value;
        } else {
            ((u64*)offsets)[i] = value;
        }
    }
};
