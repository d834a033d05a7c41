// Finishes the offsets of strings in another order.
#pragma once
#include "strings/parts/string_target.cuh"

// Adds to each offset the bytes before its tile.
extern "C" __global__ void place_strings(const StringTarget to, u64 count) {
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i <= count; i += stride) {
        to.set_offset(i, i == count ? *to.total : to.tiles[i / kTieTile] + to.offset(i));
    }
}
