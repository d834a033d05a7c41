// Prefix sums over a table in device memory. Each block turns its chunk into sums within the chunk and stores the sum
// of the chunk. The host makes these sums be summed up in the same way, and then added to the chunks.
#pragma once
#include "elements.cuh"

constexpr u32 kScanThreads = 256;
constexpr u32 kScanItems = 8;

extern "C" __global__ void __launch_bounds__(kScanThreads) scan_chunks(u32* values, u64 count, u32* chunk_sums) {
    __shared__ u32 sums[kScanThreads];
    __shared__ u32 chunk[kScanThreads * kScanItems];
    const u64 begin = (u64)blockIdx.x * kScanThreads * kScanItems;
    for (u32 i = threadIdx.x; i < kScanThreads * kScanItems; i += kScanThreads) {
        chunk[i] = begin + i < count ? values[begin + i] : 0;
    }
    __syncthreads();
    u32 mine = 0;
    for (u32 i = 0; i < kScanItems; ++i) {
        mine += chunk[threadIdx.x * kScanItems + i];
    }
    u32 total;
    u32 sum = block_exclusive_scan(mine, sums, total);
    for (u32 i = 0; i < kScanItems; ++i) {
        const u32 value = chunk[threadIdx.x * kScanItems + i];
        chunk[threadIdx.x * kScanItems + i] = sum;
        sum += value;
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < kScanThreads * kScanItems && begin + i < count; i += kScanThreads) {
        values[begin + i] = chunk[i];
    }
    if (threadIdx.x == 0) {
        chunk_sums[blockIdx.x] = total;
    }
}

extern "C" __global__ void __launch_bounds__(kScanThreads)
    add_chunk_sums(u32* values, u64 count, const u32* chunk_sums) {
    const u64 begin = (u64)blockIdx.x * kScanThreads * kScanItems;
    for (u32 i = threadIdx.x; i < kScanThreads * kScanItems && begin + i < count; i += kScanThreads) {
        values[begin + i] += chunk_sums[blockIdx.x];
    }
}
