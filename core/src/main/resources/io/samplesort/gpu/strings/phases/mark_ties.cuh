// After a round, writes the permutation as far as it is known, hands out small groups and counts the strings that are
// left.
#pragma once
#include "parts/user_indexes.cuh"
#include "strings/parts/tie_tile.cuh"

// There is one block for each tile. `tile_counts` gets the strings of larger groups in the lower half, and how many
// such groups begin in the tile in the upper half. `small` has room for all strings.
extern "C" __global__ void mark_ties(
    const Round round, const Text text, u8* permutation, u64 index_bytes, u64* small, u64* tile_counts) {
    if (round.state->wrong != 0) {
        if (threadIdx.x == 0) {
            tile_counts[blockIdx.x] = 0;
        }
        return;
    }
    TieTile& tile = *(TieTile*)shared_memory;
    const u64 begin = (u64)blockIdx.x * kTieTile;
    find_heads(round, begin, tile);
    u64 large = 0;
    u64 small_count = 0;
    for (u32 i = threadIdx.x; i < kTieTile && begin + i < round.count; i += kTieThreads) {
        store_index(permutation, index_bytes, round.place(begin + i), round.string(begin + i));
        const TiedString tied = tied_string(round, text, begin, i, tile);
        if (tied.tie == Tie::kLarge) {
            large += 1 + ((u64)tied.is_head << kGroupShift);
        } else if (tied.tie == Tie::kSmall && tied.is_head) {
            small_count += tied.size;
        }
    }
    u64 all_large;
    block_exclusive_scan(large, tile.totals, all_large);
    __syncthreads();
    u64 all_small;
    const u64 small_before = block_exclusive_scan(small_count, tile.totals, all_small);
    if (threadIdx.x == 0) {
        tile_counts[blockIdx.x] = all_large;
        tile.base = all_small == 0 ? 0 : atomicAdd(&round.state->small_members, all_small);
    }
    __syncthreads();
    if (small_count == 0) {
        return;
    }
    u64 at = tile.base + small_before;
    for (u32 i = threadIdx.x; i < kTieTile && begin + i < round.count; i += kTieThreads) {
        const TiedString tied = tied_string(round, text, begin, i, tile);
        if (tied.tie == Tie::kSmall && tied.is_head) {
            for (u64 before = 0; before < tied.size; ++before) {
                small[at++] = (begin + i + before) | before << kBeforeShift | (u64)tied.size << kSizeShift;
            }
        }
    }
}
