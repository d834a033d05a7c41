// The validity bits of rows in another order.
#pragma once
#include "parts/user_indexes.cuh"

// Bit i of `to` becomes bit permutation[i] of `from`, counted from the least significant bit of the first byte on. The
// bits after the last row become 0. A warp makes 32 bits at a time.
extern "C" __global__ void gather_validity(const u8* permutation, u64 index_bytes, const u8* from, u8* to, u64 count) {
    const Permutation row_at{permutation, index_bytes};
    const u64 stride = (u64)gridDim.x * blockDim.x;
    const u32 lane = threadIdx.x % kWarpSize;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i - lane < count; i += stride) {
        const u64 row = i < count ? row_at(i) : 0;
        const bool is_valid = i < count && (from[row / 8] >> row % 8 & 1) != 0;
        const u32 bits = __ballot_sync(kAllLanes, is_valid);
        if (lane % 8 == 0 && i < count) {
            to[i / 8] = (u8)(bits >> lane);
        }
    }
}
