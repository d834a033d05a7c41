// The scatter of a chunk of an array that is sorted in place: its elements move to the pages of their buckets.
#pragma once
#include "parts/pages.cuh"
#include "parts/scatter_tiles.cuh"

extern "C" __global__ void __launch_bounds__(kDistributionThreads, kDistributionBlocks) scatter_to_pages(
    ElementArray array, Pages chunk, PageStore store, Pass pass) {
    follow_previous_kernel();
    scatter_tiles(FromPages{array, chunk}, ToPages{array, chunk, store}, pass);
}

// The scatter of segments that lie in pages.
extern "C" __global__ void __launch_bounds__(kDistributionThreads, kDistributionBlocks) scatter_from_pages(
    ElementArray array, Pages pages, ElementArray out, Pass pass) {
    allow_next_kernel();
    scatter_tiles(FromPages{array, pages}, ToArray{out}, pass);
}
