// How many bytes the keys of rows have.
#pragma once
#include "columns/parts/key_columns.cuh"

constexpr u32 kMeasureRowsSharedBytes = kRowThreads / kWarpSize * sizeof(u64);

// A single thread looks for bytes to escape in strings up to this length, and a whole warp in longer ones.
constexpr u64 kLongString = 512;

// Returns how many bytes of a string are escaped. All lanes of a warp call this, with strings of one column.
__device__ __forceinline__ u64 escaped_bytes_of_lanes(const TextReader& text, Span span) {
    const u32 lane = threadIdx.x % kWarpSize;
    const bool is_long = span.length() > kLongString;
    u64 result = is_long ? 0 : escaped_bytes(text, span, 0, kWordBytes);
    for (u32 wanted = __ballot_sync(kAllLanes, is_long); wanted != 0; wanted &= wanted - 1) {
        const int served = __ffs((int)wanted) - 1;
        const Span string{__shfl_sync(kAllLanes, span.begin, served), __shfl_sync(kAllLanes, span.end, served)};
        const u64 own = escaped_bytes(text, string, lane * kWordBytes, kWarpSize * kWordBytes);
        const u64 all = __shfl_sync(kAllLanes, warp_inclusive_scan(own), kWarpSize - 1);
        result = (int)lane == served ? all : result;
    }
    return result;
}

// Writes for each row how many bytes of its tile lie before it, and how many bytes each tile has. One block for each
// tile.
extern "C" __global__ void measure_rows(
    const KeyColumn* columns, u64 column_count, u64 fixed_bytes, u64 count, u8* offsets, u64 offset_bytes, u64* tiles) {
    u64* totals = (u64*)shared_memory;
    constexpr u32 kRows = kTieTile / kRowThreads;
    const u64 begin = (u64)blockIdx.x * kTieTile;
    u64 lengths[kRows];
#pragma unroll
    for (u32 k = 0; k < kRows; ++k) {
        lengths[k] = begin + k * kRowThreads + threadIdx.x < count ? fixed_bytes : 0;
    }
    for (u64 c = 0; c < column_count; ++c) {
        const KeyColumn& column = columns[c];
        if (!column.has_strings()) {
            continue;
        }
        const Text strings = column.text();
        const TextReader text(strings);
#pragma unroll
        for (u32 k = 0; k < kRows; ++k) {
            const u64 row = begin + k * kRowThreads + threadIdx.x;
            const bool has_string = row < count && !column.is_null(row);
            const Span span = has_string ? text.span(row) : Span{0, 0};
            lengths[k] += span.length();
            if (column.is_terminated != 0) {
                lengths[k] += escaped_bytes_of_lanes(text, span) + has_string;
            }
        }
    }
    u64 before = 0;
#pragma unroll
    for (u32 k = 0; k < kRows; ++k) {
        const u64 row = begin + k * kRowThreads + threadIdx.x;
        u64 total;
        const u64 offset = before + block_exclusive_scan(lengths[k], totals, total);
        if (row < count) {
            if (offset_bytes == sizeof(u32)) {
                ((u32*)offsets)[row] = (u32)offset;
            } else {
                ((u64*)offsets)[row] = offset;
            }
        }
        before += total;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        tiles[blockIdx.x] = before;
    }
}
