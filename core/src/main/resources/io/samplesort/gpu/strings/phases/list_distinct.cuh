// Lists the different strings in order, and how many are equal to each.
#pragma once
#include "parts/user_indexes.cuh"

constexpr u32 kDistinctTileWords = kTieTile / kWarpSize;

// A tile of strings in order. A string that differs from the one before is a head. Its equal strings reach to the next
// head, which may lie in a later tile. This is in shared memory.
struct DistinctTile {
    u64 totals[kTieThreads / kWarpSize];
    u64 behind;                      // the place of the first head after the tile
    u64 before[kDistinctTileWords];  // how many heads lie before each word, from the first tile on
    u32 heads[kDistinctTileWords];   // bit by bit
};
constexpr u32 kDistinctSharedBytes = sizeof(DistinctTile);

// Returns the place of the first head after a tile, which has the number `rank`. There must be one.
__device__ __forceinline__ u64 find_head(const u32* heads, const u64* tiles, u64 tile_count, u64 rank) {
    // The last tile that begins with that number or a lower one has it: earlier tiles of the same number are empty.
    u64 low = blockIdx.x + 1;
    u64 high = tile_count;
    while (high - low > 1) {
        const u64 middle = low + (high - low) / 2;
        if (tiles[middle] <= rank) {
            low = middle;
        } else {
            high = middle;
        }
    }
    u64 word = low * kDistinctTileWords;
    while (heads[word] == 0) {
        ++word;
    }
    return word * kWarpSize + (u32)__ffs((int)heads[word]) - 1;
}

// Returns the place of the first head after string i of the tile.
__device__ __forceinline__ u64 next_head(const DistinctTile& tile, u64 begin, u32 i) {
    u32 word = i / kWarpSize;
    u32 ahead = tile.heads[word] & (~1u << i % kWarpSize);
    while (ahead == 0) {
        if (++word == kDistinctTileWords) {
            return tile.behind;
        }
        ahead = tile.heads[word];
    }
    return begin + word * kWarpSize + (u32)__ffs((int)ahead) - 1;
}

// There is one block for each tile. `tiles` has how many heads lie before each tile, and `*total` the number of all
// heads. Equal strings come in the order of their indexes, so each listed index is that of the first of them.
extern "C" __global__ void list_distinct(
    const u32* heads, const u64* tiles, u64 tile_count, const u64* total, const u32* permutation, u64 count,
    u8* indexes, u8* counts, u64 index_bytes) {
    DistinctTile& tile = *(DistinctTile*)shared_memory;
    const u64 begin = (u64)blockIdx.x * kTieTile;
    const u64 first = tiles[blockIdx.x];
    const u64 behind = blockIdx.x + 1 < tile_count ? tiles[blockIdx.x + 1] : *total;
    if (first == behind) {
        return;
    }
    if (threadIdx.x == 0) {
        tile.behind = behind == *total ? count : find_head(heads, tiles, tile_count, behind);
    }
    const u32 own = threadIdx.x < kDistinctTileWords ? heads[begin / kWarpSize + threadIdx.x] : 0;
    u64 all;
    const u64 before = block_exclusive_scan((u64)__popc(own), tile.totals, all);
    if (threadIdx.x < kDistinctTileWords) {
        tile.heads[threadIdx.x] = own;
        tile.before[threadIdx.x] = first + before;
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < kTieTile; i += kTieThreads) {
        const u32 word = tile.heads[i / kWarpSize];
        const u32 bit = 1u << i % kWarpSize;
        if ((word & bit) != 0) {
            const u64 rank = tile.before[i / kWarpSize] + (u32)__popc((word & (bit - 1)));
            store_index(indexes, index_bytes, rank, permutation[begin + i]);
            store_index(counts, index_bytes, rank, next_head(tile, begin, i) - (begin + i));
        }
    }
}
