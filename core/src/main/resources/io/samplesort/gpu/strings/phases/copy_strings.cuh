// Copies the bytes of strings in another order.
#pragma once
#include "strings/parts/string_target.cuh"
#include "strings/parts/tile_units.cuh"

constexpr u32 kCopyWarps = kCopyThreads / kWarpSize;
constexpr u32 kCopySharedBytes = kCopyWarps * kByteTile;

// Reads at random places wait for memory, so many threads wait at once.
constexpr u32 kCopyBlocks = 5;

// Copies the bytes. A warp takes tiles of the target, which it puts together in shared memory of its own.
extern "C" __global__ void __launch_bounds__(kCopyThreads, kCopyBlocks)
    copy_strings(const Text from, const StringTarget to, u64 count) {
    const u32 lane = threadIdx.x % kWarpSize;
    const u32 warp = threadIdx.x / kWarpSize;
    u64* tile = (u64*)(shared_memory + warp * kByteTile);
    const TextReader text(from);
    const u64 total = *to.total;
    const u64 tiles = ceil_div(total, kByteTile);
    for (u32 w = lane; w < kByteTile / sizeof(u64); w += kWarpSize) {
        tile[w] = 0;
    }
    __syncwarp();
    for (u64 t = (u64)blockIdx.x * kCopyWarps + warp; t < tiles; t += (u64)gridDim.x * kCopyWarps) {
        const u64 begin = t * kByteTile;
        const u32 bytes = (u32)min_of<u64>(kByteTile, total - begin);
        const u64 last = to.byte_tiles[t + 1];
        for (u64 first = to.byte_tiles[t]; first <= last;) {
            const u64 i = first + lane;
            TilePart part{};
            if (i <= last) {
                const u64 offset = to.offset(i);
                part.begin = offset < begin ? 0 : (u32)min_of<u64>(offset - begin, bytes);
                part.end = (u32)min_of<u64>(to.offset(i + 1) - begin, bytes);
                part.origin = (u64)from.bytes + to.sources[i] + begin - offset;
            }
            first += kWarpSize;
            if (__ballot_sync(kAllLanes, part.begin != part.end) != 0) {
                copy_parts(text, part, (u32*)tile);
            } else if (first <= last) {
                // There may be any number of empty strings.
                first = to.string_with(to.offset(first), first, last);
            }
        }
        __syncwarp();
        // Memory that has been written out becomes zero again, for the next tile.
        for (u32 w = lane; w * sizeof(u64) < bytes; w += kWarpSize) {
            const u64 word = tile[w];
            const u32 at = w * sizeof(u64);
            tile[w] = 0;
            if (at + sizeof(u64) <= bytes) {
                *(u64*)(to.bytes + begin + at) = word;
            } else {
                for (u32 i = 0; at + i < bytes; ++i) {
                    to.bytes[begin + at + i] = (u8)(word >> 8 * i);
                }
            }
        }
        __syncwarp();
    }
}
