// Makes the sort keys of a stratified random sample of elements, whose sorted keys are bounds for a selection.
#pragma once
#include "parts/sample.cuh"

extern "C" __global__ void sample_sort_keys(
    const unsigned char* elements, u64 count, Key* sample, u64 sample_count, u64 seed) {
    const Strata strata(count, (u32)sample_count);
    const u32 stride = gridDim.x * blockDim.x;
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < sample_count; i += stride) {
        const u64 place = strata.random_place(i, (u32)seed + i);
        sample[i] = make_sort_key(elements + place * kIndexedBytes, (u32)place);
    }
}
