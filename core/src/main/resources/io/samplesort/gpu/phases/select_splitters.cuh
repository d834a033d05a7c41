// Phase 1 of a distribution pass (paper, Section 4): splitters are chosen for each segment, and buckets get their room.
#pragma once
#include "parts/order_search.cuh"
#include "parts/primitives.cuh"
#include "parts/splitter_choice.cuh"

// Where order is looked for, `search` is what is known of it, and two launches choose the splitters of the first pass.
// The one that `is_early` runs while others look, and ends early if the input may be in order. The other one, behind
// all that makes use of order, chooses splitters then if they are needed, and ends behind the first one otherwise.
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
        // What comes behind these blocks comes behind find_order, too.
        wait_for_previous_kernel();
        __syncthreads();
        if (goes_on && threadIdx.x == 0) {
            __threadfence();
            atomicAdd(&search->chosen, 1u);
        }
    }
}
