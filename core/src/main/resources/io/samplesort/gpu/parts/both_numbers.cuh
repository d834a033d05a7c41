// Cells of keys that are wider than their numbers, of a bucket with few different numbers. Each number has as many cells
// as the next one, or nearly one, and second numbers say which of these a key goes to.
#pragma once
#include "parts/basics.cuh"

struct BothNumbers {
    // Only so many times the number of cells may a number be greater than the least one.
    static constexpr u32 kMostRange = 2;

    u32 least;
    u32 least_second;
    u32 second_shift;
    u32 second_factor;  // parts of the range of second numbers, in units of 2^-31
    u32 bits;           // of the greatest distance between numbers
    u32 factor;         // cells for each unit of what place() returns, in units of 2^-32

    // Makes the map of keys whose numbers differ in the lower words alone, and have upper words of second numbers between
    // these, to cells 0 … cell_count - 1. Returns false if there may be too many numbers, or second numbers are not
    // known to differ.
    __device__ __forceinline__ bool make(
        u32 least_number, u32 greatest_number, u32 least_second_number, u32 greatest_second_number, u32 cell_count) {
        const u32 range = greatest_number - least_number;
        const u32 second_range = greatest_second_number - least_second_number;
        if (range > kMostRange * cell_count || second_range == 0) {
            return false;
        }
        least = least_number;
        least_second = least_second_number;
        second_shift = (u32)__clz((int)second_range);
        // The uppermost bit of a range is that of the word. Margins keep rounding from making more than there are.
        second_factor = (u32)(9223372036854775808.0f / ((float)(second_range << second_shift) + 1.0f)
            * (1.0f - 1.0f / (1 << 20)));
        bits = 32 - (u32)__clz((int)range);
        const float most = (float)__funnelshift_rc(~0u, range, bits) + 1.0f;
        factor = (u32)((float)cell_count * 4294967296.0f / most * (1.0f - 1.0f / (1 << 20)));
        return true;
    }

    // Returns where a key lies among those of the bucket, which the functions below take.
    __device__ __forceinline__ u32 place(u32 number, u32 second) const {
        return __funnelshift_rc(fraction(second), number - least, bits);
    }

    // Returns the part of the range of second numbers that lies before one, in units of 2^-32.
    __device__ __forceinline__ u32 fraction(u32 second) const {
        return __umulhi(second - least_second << second_shift, second_factor) << 1;
    }

    __device__ __forceinline__ u32 cell_at(u32 place) const { return __umulhi(place, factor); }

    // Returns how much of its cell lies before a place, in units of 2^-32.
    __device__ __forceinline__ u32 part_at(u32 place) const { return place * factor; }
};
