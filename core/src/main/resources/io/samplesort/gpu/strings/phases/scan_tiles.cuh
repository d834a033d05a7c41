// Sums over tiles.
#pragma once

constexpr u32 kScanTilesSharedBytes = kScanThreads / kWarpSize * sizeof(u64);

// Turns the numbers of the tiles into sums over the tiles before each, and tells the sum over all. One block.
extern "C" __global__ void scan_tiles(u64* tiles, u64 count, u64* sum) {
    u64* totals = (u64*)shared_memory;
    u64 before = 0;
    for (u64 begin = 0; begin < count; begin += blockDim.x) {
        const u64 i = begin + threadIdx.x;
        u64 total;
        const u64 sum_before = block_exclusive_scan(i < count ? tiles[i] : 0, totals, total);
        if (i < count) {
            tiles[i] = before + sum_before;
        }
        before += total;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        *sum = before;
    }
}
