// Counts how often each byte occurs. Each lane of a warp has counters of its own, in a bank of its own, which all warps
// of the block share: whatever the bytes are, no two lanes of a warp collide.
#pragma once
#include "parts/key_values.cuh"

struct ByteCounts {
    static constexpr u32 kBytes = kByteValues * kWarpSize * sizeof(u32);

    u32* counters = (u32*)shared_memory;

    // Sets all counters to 0. All threads of the block call this.
    __device__ __forceinline__ void clear() const {
        for (u32 place = threadIdx.x; place < kByteValues * kWarpSize; place += blockDim.x) {
            counters[place] = 0;
        }
        __syncthreads();
    }

    __device__ __forceinline__ void add(u32 byte) const {
        atomicAdd(&counters[byte * kWarpSize + threadIdx.x % kWarpSize], 1u);
    }

    // Adds what the block has counted to the totals. All threads of the block call this.
    __device__ __forceinline__ void publish(u64* totals) const {
        __syncthreads();
        for (u32 byte = threadIdx.x / kWarpSize; byte < kByteValues; byte += blockDim.x / kWarpSize) {
            const u32 sum = warp_sum(counters[byte * kWarpSize + threadIdx.x % kWarpSize]);
            if (threadIdx.x % kWarpSize == 0 && sum != 0) {
                atomicAdd(&totals[byte], (u64)sum);
            }
        }
    }
};
