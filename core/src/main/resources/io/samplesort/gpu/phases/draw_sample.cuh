// Copies a stratified random sample of the elements of one GPU, for the splitters of an exchange between GPUs. The
// elements stay in the user's form.
#pragma once
#include "parts/sample.cuh"

extern "C" __global__ void draw_sample(
    const unsigned char* elements, u64 element_bytes, u64 count, unsigned char* sample, u64 sample_count, u64 seed) {
    const Strata strata(count, (u32)sample_count);
    const u32 stride = gridDim.x * blockDim.x;
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < sample_count; i += stride) {
        const unsigned char* from = elements + strata.random_place(i, (u32)seed + i) * element_bytes;
        unsigned char* to = sample + i * element_bytes;
        for (u64 byte = 0; byte < element_bytes; ++byte) {
            to[byte] = from[byte];
        }
    }
}
