// Finds where the elements of each byte begin, which are the begins of the buckets of a pass. There is a block for each
// segment.
#pragma once
#include "parts/key_values.cuh"
#include "parts/segments.cuh"

constexpr u32 kPlaceSharedBytes = kWarpSize * sizeof(u64);

// `totals` says how often each byte occurs in each segment. `offsets` are the begins of all buckets, and after them the
// number of all elements.
extern "C" __global__ void __launch_bounds__(kByteValues) place_bytes(const u64* totals, u64* offsets, Pass pass) {
    follow_previous_kernel();
    const u32 segment = blockIdx.x;
    const u32 bucket = segment * kByteValues + threadIdx.x;
    const u64 begin = pass.index == 0 ? 0 : pass.segment_offsets[segment];
    u64 total;
    const u64 place = begin + block_exclusive_scan(totals[bucket], (u64*)shared_memory, total);
    offsets[bucket] = place;
    pass.write_positions[bucket] = place;
    if (segment == gridDim.x - 1 && threadIdx.x == 0) {
        offsets[gridDim.x * kByteValues] = begin + total;
    }
    // The input is the only segment of the first pass.
    if (pass.index == 0 && threadIdx.x < 2) {
        pass.segment_offsets[threadIdx.x] = threadIdx.x == 0 ? 0 : total;
    }
}
