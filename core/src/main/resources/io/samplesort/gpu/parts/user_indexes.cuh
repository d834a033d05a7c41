// The user's indexes, which are ints or longs.
#pragma once
#include "parts/basics.cuh"

struct Permutation {
    const u8* indexes;
    u64 index_bytes;

    __device__ __forceinline__ u64 operator()(u64 i) const {
        return index_bytes == sizeof(u32) ? ((const u32*)indexes)[i] : ((const u64*)indexes)[i];
    }
};

__device__ __forceinline__ void store_index(u8* indexes, u64 index_bytes, u64 place, u64 index) {
    if (index_bytes == sizeof(u32)) {
        ((u32*)indexes)[place] = (u32)index;
    } else {
        ((u64*)indexes)[place] = index;
    }
}
