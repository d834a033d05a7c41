// Adds up numbers of tiles.
#pragma once
#include "parts/basics.cuh"

constexpr u32 kScanTilesSharedBytes = kTileScanThreads / kWarpSize * sizeof(u64);
// The tiles of a thread at a time. These are many, since one block does everything.
constexpr u32 kScannedTiles = 8;

// Turns the numbers of the tiles into sums over the tiles before each, and writes the sum over all. This takes one
// block.
extern "C" __global__ void scan_tiles(u64* tiles, u64 count, u64* sum) {
    u64* totals = (u64*)shared_memory;
    u64 before = 0;
    for (u64 begin = 0; begin < count; begin += kScannedTiles * kTileScanThreads) {
        const u64 first = begin + kScannedTiles * threadIdx.x;
        u64 values[kScannedTiles];
        u64 own = 0;
#pragma unroll
        for (u32 k = 0; k < kScannedTiles; ++k) {
            values[k] = first + k < count ? tiles[first + k] : 0;
        }
#pragma unroll
        for (u32 k = 0; k < kScannedTiles; ++k) {
            const u64 value = values[k];
            values[k] = own;
            own += value;
        }
        u64 total;
        const u64 sum_before = before + block_exclusive_scan(own, totals, total);
#pragma unroll
        for (u32 k = 0; k < kScannedTiles; ++k) {
            if (first + k < count) {
                tiles[first + k] = sum_before + values[k];
            }
        }
        before += total;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        *sum = before;
    }
}
