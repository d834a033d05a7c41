// Finds how few bits the numbers of the columns need, and whether the offsets of their strings are right.
#pragma once
#include "columns/parts/key_columns.cuh"

struct NarrowShared {
    u64 least[kRowThreads / kWarpSize];
    u64 greatest[kRowThreads / kWarpSize];
    u64 differing[kRowThreads / kWarpSize];
};
constexpr u32 kNarrowSharedBytes = sizeof(NarrowShared);

__device__ __forceinline__ void combine_by_warp(u64& least, u64& greatest, u64& differing) {
    for (u32 distance = kWarpSize / 2; distance > 0; distance /= 2) {
        least = min_of(least, __shfl_xor_sync(kAllLanes, least, (int)distance));
        greatest = max_of(greatest, __shfl_xor_sync(kAllLanes, greatest, (int)distance));
        differing |= __shfl_xor_sync(kAllLanes, differing, (int)distance);
    }
}

__device__ __forceinline__ void find_wrong_offsets(const KeyColumn& column, ColumnRange& range) {
    const Text strings = column.text();
    const TextReader text(strings);
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < column.count; i += stride) {
        if (text.is_wrong(i)) {
            atomicMax(&range.wrong, column.count - i);
        }
    }
}

// Differences from one number have the same number of trailing zeros as those from any other, so the number of row 0
// will do.
extern "C" __global__ void narrow_columns(const KeyColumn* columns, u64 column_count, ColumnRange* ranges) {
    NarrowShared& shared = *(NarrowShared*)shared_memory;
    const u32 lane = threadIdx.x % kWarpSize;
    const u32 warp = threadIdx.x / kWarpSize;
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 c = 0; c < column_count; ++c) {
        const KeyColumn column = columns[c];
        if (column.has_strings()) {
            find_wrong_offsets(column, ranges[c]);
        }
        if (!column.has_numbers()) {
            continue;
        }
        const u64 reference = column.is_null(0) ? 0 : number_bits(column, 0);
        u64 least = ~0ull;
        u64 greatest = 0;
        u64 differing = 0;
#pragma unroll 4
        for (u64 row = (u64)blockIdx.x * blockDim.x + threadIdx.x; row < column.count; row += stride) {
            if (!column.is_null(row)) {
                const u64 bits = number_bits(column, row);
                least = min_of(least, bits);
                greatest = max_of(greatest, bits);
                differing |= bits - reference;
            }
        }
        combine_by_warp(least, greatest, differing);
        if (lane == 0) {
            shared.least[warp] = least;
            shared.greatest[warp] = greatest;
            shared.differing[warp] = differing;
        }
        __syncthreads();
        if (warp == 0) {
            const bool exists = lane < kRowThreads / kWarpSize;
            least = exists ? shared.least[lane] : ~0ull;
            greatest = exists ? shared.greatest[lane] : 0;
            differing = exists ? shared.differing[lane] : 0;
            combine_by_warp(least, greatest, differing);
            if (lane == 0) {
                atomicMin(&ranges[c].least, least);
                atomicMax(&ranges[c].greatest, greatest);
                atomicOr(&ranges[c].differing, differing);
            }
        }
        __syncthreads();
    }
}
