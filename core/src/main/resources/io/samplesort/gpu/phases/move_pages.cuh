// Moves pages to free pages: pages outside the array into the array, and pages out of the place of a bucket that is
// about to be sorted.
#pragma once
#include "parts/pages.cuh"
#include "parts/region_plan.cuh"

// A page has one block at a time for each of its tiles. Sources are numbered as `from` says, and targets as `to` does;
// no page is both. If `is_apart`, they have nothing to do with the previous kernel. This kernel still ends after that
// one, so whatever follows this one also follows that.
extern "C" __global__ void __launch_bounds__(kDistributionThreads)
    move_pages(ElementArray array, Pages from, Pages to, const PageMove* moves, const u64* move_count, u64 is_apart) {
    allow_next_kernel();
    if (is_apart == 0) {
        wait_for_previous_kernel();
    }
    const u64 tiles = *move_count << from.log_tiles;
    for (u64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const PageMove move = moves[tile >> from.log_tiles];
        const u32 in_page = (u32)tile & ((1u << from.log_tiles) - 1);
        const u64 skipped = (u64)in_page * kTileSize;
        if (skipped >= move.count) {
            continue;
        }
        const PageTile in = from.tile(array, ((u32)move.source << from.log_tiles) + in_page);
        const PageTile out = to.tile(array, ((u32)move.target << to.log_tiles) + in_page);
        const u32 count = (u32)min_of<u64>(kTileSize, move.count - skipped);
        Element elements[kDistributionItems];
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            // Past the end, the last element is loaded, so that all loads are in flight at once.
            elements[i] = in.load(min_of<u32>(threadIdx.x + i * kDistributionThreads, count - 1));
        }
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            const u32 index = threadIdx.x + i * kDistributionThreads;
            if (index < count) {
                out.store(index, elements[i]);
            }
        }
    }
    // One block is enough for that; the others end and leave room for the next kernel.
    if (blockIdx.x == 0) {
        wait_for_previous_kernel();
    }
}
