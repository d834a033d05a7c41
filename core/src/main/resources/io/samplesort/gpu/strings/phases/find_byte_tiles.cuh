// Finds the strings with which the tiles of a copy begin.
#pragma once
#include "strings/parts/string_target.cuh"

// Writes for each tile of bytes the string to which its first byte belongs, and after the last tile the string that has
// the last byte.
extern "C" __global__ void find_byte_tiles(const StringTarget to, u64 count) {
    const u64 total = *to.total;
    const u64 entries = total == 0 ? 0 : ceil_div(total, kByteTile) + 1;
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 t = (u64)blockIdx.x * blockDim.x + threadIdx.x; t < entries; t += stride) {
        to.byte_tiles[t] = to.string_with(min_of<u64>(t * kByteTile, total - 1), 0, count - 1);
    }
}
