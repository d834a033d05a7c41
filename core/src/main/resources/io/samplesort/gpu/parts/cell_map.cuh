// Equal cells of a range of numbers, by which a bucket is sorted (cell_sort.cuh) and splitters are found
// (splitter_grid.cuh).
#pragma once
#include "parts/basics.cuh"

// A monotone map of the numbers from `least` on to cells.
template <typename Number>
struct CellMap {
    Number least;
    u32 shift;   // how many lowest bits of a distance are dropped so that it fits a word
    u32 factor;  // cells for each distance, in units of 2^-32

    // Returns the map of the numbers from `least` to `greatest` to cells 0 to cell_count - 1.
    __device__ __forceinline__ static CellMap of(Number least, Number greatest, u32 cell_count) {
        u32 shift = 0;
        u32 most = (u32)(greatest - least);
        if constexpr (sizeof(Number) > sizeof(u32)) {
            const u32 upper = (u32)((greatest - least) >> 32);
            shift = 32 - __clz((int)upper);
            most = __funnelshift_rc(most, upper, shift);
        }
        // The margin keeps rounding from producing a cell beyond the last.
        const float scale = quotient((float)cell_count * 4294967296.0f * (1.0f - 1.0f / (1 << 20)), (float)most + 1.0f);
        return CellMap{least, shift, most < cell_count ? ~0u : (u32)scale};
    }

    // Returns the map that gives each number a cell of its own, if there are no more numbers than `number_count`;
    // otherwise the same map as of().
    __device__ __forceinline__ static CellMap of_each(Number least, Number greatest, u32 cell_count, u32 number_count) {
        // With this factor, each distance is reduced by 1.
        return greatest - least < number_count ? CellMap{(Number)(least - 1), 0, ~0u} : of(least, greatest, cell_count);
    }

    __device__ __forceinline__ u32 operator()(Number number) const {
        const Number distance = number - least;
        if constexpr (sizeof(Number) == sizeof(u32)) {
            return __umulhi(distance, factor);
        } else {
            return __umulhi(__funnelshift_rc((u32)distance, (u32)(distance >> 32), shift), factor);
        }
    }
};
