// Checks whether the offsets of strings are right.
#pragma once
#include "strings/parts/text.cuh"

// If they are not, *wrong becomes count - i for the first string i that ends before it begins, or beyond the bytes.
extern "C" __global__ void check_offsets(const Text strings, u64* wrong) {
    const TextReader text(strings);
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < strings.count; i += stride) {
        if (text.is_wrong(i)) {
            atomicMax(wrong, strings.count - i);
        }
    }
}
