// Phase 1 of a distribution pass (paper, Section 4): splitters are chosen for each segment, and buckets get their room.
#pragma once
#include "parts/order_search.cuh"
#include "parts/splitter_choice.cuh"

// Where order is looked for meanwhile, by the kernel before this one, `search` is what is known of it. Elsewhere it is
// null.
extern "C" __global__ void __launch_bounds__(kSampleThreads, 1) select_splitters(
    ElementArray in, Pass pass, u64 seed, u64 sample_count_limit, u64 parts, u64 gives_room,
    OrderSearch* search) {
    allow_next_kernel();
    if (search == nullptr) {
        wait_for_previous_kernel();
    }
    const bool is_input = pass.index == 0;
    choose_splitters(
        [&](u64 place) { return in.key(place, !is_input); }, pass, seed, sample_count_limit, parts, gives_room != 0,
        [&]() {
            if (search != nullptr) {
                count_block(&search->drawn);
            }
        });
    if (search != nullptr) {
        // What comes behind these blocks comes behind find_order, too.
        wait_for_previous_kernel();
        count_block(&search->chosen);
    }
}
