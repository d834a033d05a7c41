// Finds out whether the part of an array that lies on one GPU is in order, or in the opposite order, and leaves it
// unchanged. What several GPUs do with an array in order depends on the parts of all of them.
#pragma once
#include "phases/find_order.cuh"

// `search` must be 0 before this; its guess is the order of all elements afterwards. If `asked` is an order and not
// kInNoOrder, only that order is checked, without a first look at a few keys.
extern "C" __global__ void __launch_bounds__(kOrderThreads)
    check_order(ElementArray in, u64 count, u64 asked, OrderSearch* search) {
    const u32 order = asked == kInNoOrder ? guess_order(in, count) : (u32)asked;
    if (order == kInNoOrder) {
        return;
    }
    const bool fits = look_at_all<false>(in, in, count, order, search);
    // A block that has stopped early is not counted.
    if (__syncthreads_and(fits) && threadIdx.x == 0 && atomicAdd(&search->done, 1u) == gridDim.x - 1) {
        search->guess = order;
    }
}
