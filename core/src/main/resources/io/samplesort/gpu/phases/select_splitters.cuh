// Phase 1 of a distribution pass (paper, Section 4): splitters are chosen for each segment, and buckets get their room.
#pragma once
#include "parts/order_search.cuh"
#include "parts/primitives.cuh"
#include "parts/splitter_choice.cuh"

// If the sort looks for order, `search` is the state of that search, and two launches choose the splitters of the first
// pass. The one that `is_early` runs during the search, and ends early if the input may be in order. In that case the
// other launch, after all kernels that use order, chooses splitters if they are needed; otherwise it just ends after
// the first one.
extern "C" __global__ void __launch_bounds__(kSampleThreads, 1) select_splitters(
    ElementArray in, Pass pass, u64 seed, u64 sample_count_limit, u64 parts, u64 gives_room, OrderSearch* search,
    u64 is_early) {
    allow_next_kernel();
    if (is_early == 0) {
        wait_for_previous_kernel();
        if (search != nullptr && is_in_no_order(search)) {
            if (blockIdx.x == 0 && threadIdx.x == 0) {
                await_number(&search->chosen, parts);
            }
            return;
        }
    }
    const bool is_input = pass.index == 0;
    bool goes_on = true;
    choose_splitters(
        [&](u64 place) { return in.key(place, !is_input); }, pass, seed, sample_count_limit, parts, gives_room != 0,
        [&]() {
            if (is_early != 0) {
                await_look(search);
                goes_on = is_in_no_order(search);
            }
            return goes_on;
        });
    if (is_early != 0) {
        // What follows these blocks also follows find_order.
        wait_for_previous_kernel();
        __syncthreads();
        if (goes_on && threadIdx.x == 0) {
            __threadfence();
            atomicAdd(&search->chosen, 1u);
        }
    }
}
