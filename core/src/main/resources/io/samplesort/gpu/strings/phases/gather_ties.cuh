// Between two rounds, moves the strings of larger groups together.
#pragma once
#include "strings/parts/tie_tile.cuh"

// There is one block for each tile of the round, which has the numbers of tied strings and groups before it.
extern "C" __global__ void gather_ties(
    const Round round, const Text text, const u64* tile_counts, u64 tiles, const TiedStrings to) {
    const u64 before = tile_counts[blockIdx.x];
    const u64 behind = blockIdx.x + 1 < tiles ? tile_counts[blockIdx.x + 1] : round.state->tied;
    if (before == behind) {
        return;
    }
    TieTile& tile = *(TieTile*)shared_memory;
    const u64 begin = (u64)blockIdx.x * kTieTile;
    find_heads(round, begin, tile);
    const u32 lane = threadIdx.x % kWarpSize;
    // This first counts the strings in each row of a warp's width, and then finds where each of them goes.
    for (u32 i = threadIdx.x; i < kTieTile; i += kTieThreads) {
        TiedString tied{};
        if (begin + i < round.count) {
            tied = tied_string(round, text, begin, i, tile);
        }
        const u32 large = __ballot_sync(kAllLanes, tied.tie == Tie::kLarge);
        const u32 heads = __ballot_sync(kAllLanes, tied.tie == Tie::kLarge && tied.is_head);
        if (lane == 0) {
            tile.rows[i / kWarpSize] = (u64)__popc(large) | (u64)__popc(heads) << kGroupShift;
        }
    }
    __syncthreads();
    u64 total;
    const u64 row_total = threadIdx.x < kTieTileWords ? tile.rows[threadIdx.x] : 0;
    const u64 row_before = block_exclusive_scan(row_total, tile.totals, total);
    if (threadIdx.x < kTieTileWords) {
        tile.rows[threadIdx.x] = before + row_before;
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < kTieTile; i += kTieThreads) {
        TiedString tied{};
        if (begin + i < round.count) {
            tied = tied_string(round, text, begin, i, tile);
        }
        const bool is_large = tied.tie == Tie::kLarge;
        const u32 large = __ballot_sync(kAllLanes, is_large);
        const u32 heads = __ballot_sync(kAllLanes, is_large && tied.is_head);
        if (!is_large) {
            continue;
        }
        const u64 in_rows_before = tile.rows[i / kWarpSize];
        const u32 lanes_before = (1u << lane) - 1;
        const u64 at = (u32)in_rows_before + __popc(large & lanes_before);
        // The string's own head counts, too.
        const u64 heads_until = (in_rows_before >> kGroupShift) + __popc(heads & (lanes_before << 1 | 1));
        const u64 group = heads_until - 1;
        const u32 string = round.string(begin + i);
        to.strings[at] = string;
        to.places[at] = (u32)round.place(begin + i);
        to.groups[at] = (u32)group;
        if (tied.is_head) {
            to.firsts[group] = string;
            to.depths[group] = shared_bytes(round, text, round.word(begin + i));
            to.skips[group] = ~0ull;
        }
    }
}
