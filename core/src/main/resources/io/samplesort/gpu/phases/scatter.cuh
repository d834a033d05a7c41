// The second phase of a distribution pass: elements move to their buckets (phase 4 of the paper, Section 4, without the
// phases that count before it). Equal keys do not keep their order.
#pragma once
#include "parts/scatter_tiles.cuh"

extern "C" __global__ void __launch_bounds__(kDistributionThreads, kDistributionBlocks)
    scatter(ElementArray in, ElementArray out, Pass pass) {
    allow_next_kernel();
    TileSlots slots(pass, blockIdx.x, gridDim.x);
    scatter_tiles(FromArray{in}, ToArray{out}, pass, slots);
}
