// Does the same as scatter_to_pages.cuh for elements that keep the order of equal keys.
#pragma once
#include "parts/ordered_tiles.cuh"
#include "parts/to_pages.cuh"

extern "C" __global__ void __launch_bounds__(kDistributionThreads, kDistributionBlocks) scatter_to_pages(
    ElementArray array, Pages pages, PageStore store, Pass pass, u64 first_page, u32* tickets, void* tile_words) {
    follow_previous_kernel();
    scatter_tiles_in_order(
        FromChunk{array, pages, store, (u32)first_page}, ToPages{array, pages, store}, pass, tickets, tile_words);
}

extern "C" __global__ void __launch_bounds__(kDistributionThreads, kDistributionBlocks)
    scatter_from_pages(ElementArray array, Pages pages, ElementArray out, Pass pass, u32* tickets, void* tile_words) {
    allow_next_kernel();
    scatter_tiles_in_order(FromPages{array, pages}, ToRoom{{out}}, pass, tickets, tile_words);
    wait_for_previous_kernel();
}
