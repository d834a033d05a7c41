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

    // Returns whether there are few numbers, all of which lie between these.
    __device__ __forceinline__ static bool are_few(u32 least_number, u32 greatest_number, u32 cell_count) {
        return greatest_number - least_number <= kMostRange * cell_count;
    }

    // Makes the map of keys with numbers between these, of which are few, and with words of second numbers between
    // these, to cells 0 to cell_count - 1.
    __device__ __forceinline__ BothNumbers(
        u32 least_number, u32 greatest_number, u32 least_second_number, u32 greatest_second_number, u32 cell_count)
        : least(least_number), least_second(least_second_number) {
        const u32 range = greatest_number - least_number;
        const u32 second_range = max_of(greatest_second_number - least_second_number, 1u);
        second_shift = (u32)__clz((int)second_range);
        // The uppermost bit of a range is that of the word. Margins keep rounding from making more than there are.
        second_factor = (u32)(9223372036854775808.0f / ((float)(second_range << second_shift) + 1.0f)
            * (1.0f - 1.0f / (1 << 20)));
        bits = 32 - (u32)__clz((int)range);
        const float most = (float)__funnelshift_rc(~0u, range, bits) + 1.0f;
        factor = (u32)((float)cell_count * 4294967296.0f / most * (1.0f - 1.0f / (1 << 20)));
    }

    // Returns where a key lies among those of the bucket, which the functions below take.
    __device__ __forceinline__ u32 place(u32 number, u32 second) const {
        const u32 fraction = __umulhi(second - least_second << second_shift, second_factor) << 1;
        return __funnelshift_rc(fraction, number - least, bits);
    }

    __device__ __forceinline__ u32 cell_at(u32 place) const { return __umulhi(place, factor); }

    // Returns how much of its cell lies before a place, in units of 2^-32.
    __device__ __forceinline__ u32 part_at(u32 place) const { return place * factor; }
};
