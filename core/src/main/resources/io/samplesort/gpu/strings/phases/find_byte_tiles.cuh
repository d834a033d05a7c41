// Which strings the tiles of a copy begin with.
#pragma once

// Tells each tile of bytes which string its first byte belongs to.
extern "C" __global__ void find_byte_tiles(const StringTarget to, u64 count) {
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        const u64 end = to.offset(i + 1);
        for (u64 tile = ceil_div(to.offset(i), kByteTile); tile * kByteTile < end; ++tile) {
            to.byte_tiles[tile] = i;
        }
    }
}
