// The second phase of a distribution pass, as in scatter.cuh, for elements that keep the order of equal keys.
#pragma once
#include "parts/ordered_tiles.cuh"

extern "C" __global__ void __launch_bounds__(kDistributionThreads, kDistributionBlocks)
    scatter(ElementArray in, ElementArray out, Pass pass, u32* tickets, void* tile_words) {
    allow_next_kernel();
    scatter_tiles_in_order(FromArray{in}, ToArray{out}, pass, tickets, tile_words);
}
