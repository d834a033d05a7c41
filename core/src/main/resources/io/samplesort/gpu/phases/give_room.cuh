// Gives room to the buckets of the first pass by the counts of count_sample.
#pragma once
#include "parts/rooms.cuh"

// The shared memory of the block: a total for each warp.
constexpr u32 kRoomSharedBytes = kWarpSize * sizeof(u64);

extern "C" __global__ void __launch_bounds__(kSampleThreads) give_room(Pass pass, u64 sample_count) {
    follow_previous_kernel();
    const double elements_a_key = (double)pass.element_count / (double)sample_count;
    assign_rooms(pass, 0, (u64*)shared_memory, [&](u32 bucket) {
        return bucket_room(pass, (u32)pass.write_positions[bucket], elements_a_key, pass.element_count);
    });
}
