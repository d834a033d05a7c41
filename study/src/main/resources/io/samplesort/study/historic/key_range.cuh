// The smallest and the greatest key of an input. Some sorts of these years choose pivots or buckets by it; sorts that
// only compare do not need it. Keys must not be NaN, nor zeros of both signs.
#pragma once
#include "elements.cuh"

// Keys as integers of the same order, which atomics can compare.
__device__ __forceinline__ u64 ordered_bits(u32 key) { return key; }

__device__ __forceinline__ u64 ordered_bits(u64 key) { return key; }

__device__ __forceinline__ u64 ordered_bits(float key) {
    const u32 bits = (u32)__float_as_int(key);
    return (int)bits < 0 ? ~bits : bits | 0x80000000u;
}

__device__ __forceinline__ void from_ordered_bits(u64 ordered, u32& key) { key = (u32)ordered; }

__device__ __forceinline__ void from_ordered_bits(u64 ordered, u64& key) { key = ordered; }

__device__ __forceinline__ void from_ordered_bits(u64 ordered, float& key) {
    const u32 bits = (u32)ordered;
    key = __int_as_float((int)((int)bits < 0 ? bits & 0x7fffffffu : ~bits));
}

// Lowers range[0] to the smallest and raises range[1] to the greatest key. The number of blocks is free.
extern "C" __global__ void __launch_bounds__(kThreads) find_range(const Key* keys, u64 count, u64* range) {
    __shared__ u64 lowest;
    __shared__ u64 greatest;
    if (threadIdx.x == 0) {
        lowest = ~0ull;
        greatest = 0;
    }
    __syncthreads();
    u64 my_lowest = ~0ull;
    u64 my_greatest = 0;
    for (u64 i = (u64)blockIdx.x * kThreads + threadIdx.x; i < count; i += (u64)gridDim.x * kThreads) {
        const u64 bits = ordered_bits(keys[i]);
        my_lowest = min_of(my_lowest, bits);
        my_greatest = max_of(my_greatest, bits);
    }
    atomicMin(&lowest, my_lowest);
    atomicMax(&greatest, my_greatest);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicMin(&range[0], lowest);
        atomicMax(&range[1], greatest);
    }
}

// Buckets at equal distances between the smallest and the greatest key, which must differ.
struct Interpolation {
    Key lowest;
    float scale;
    u32 bucket_count;

    __device__ Interpolation(const u64* range, u32 buckets) : bucket_count(buckets) {
        Key greatest;
        from_ordered_bits(range[0], lowest);
        from_ordered_bits(range[1], greatest);
        scale = (float)buckets / (float)(greatest - lowest);
    }

    // Each operation keeps the order of the keys, no matter how it rounds.
    __device__ __forceinline__ u32 bucket(Key key) const {
        return min_of((u32)((float)(key - lowest) * scale), bucket_count - 1);
    }
};
