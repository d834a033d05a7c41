// Cells for a bucket with few different numbers, whose keys are wider than their numbers. All numbers have the same
// number of cells, up to one, and the second number of a key chooses among these. If the lowest bits of all numbers are
// the same, numbers in between have no cells.
#pragma once
#include "parts/basics.cuh"

struct BothNumbers {
    // The numbers may span at most this many times the number of cells.
    static constexpr u32 kMostRange = 2;

    u32 number_factor;  // the distance between the places of numbers that differ by 1
    u32 number_base;    // the place of number 0
    u32 least_second;
    u32 second_shift;
    u32 second_factor;  // the same for shifted second numbers, in units of 2^-32

    // Returns whether numbers that all lie between these are few.
    __device__ __forceinline__ static bool are_few(u32 least_number, u32 greatest_number, u32 cell_count) {
        return greatest_number - least_number <= kMostRange * cell_count;
    }

    // Makes the map for keys whose numbers lie between these and are few, and differ only in the bits `differ`, and
    // whose words of second numbers lie between these.
    __device__ __forceinline__
    BothNumbers(u32 least_number, u32 greatest_number, u32 differ, u32 least_second_number, u32 greatest_second_number)
        : least_second(least_second_number) {
        // Margins keep rounding from producing invalid places, or places of the next number.
        constexpr float kAll = 2147483648.0f * (1.0f - 1.0f / (1 << 20));
        const u32 alike_bits = differ == 0 ? 0 : (u32)__ffs((int)differ) - 1;
        const u32 steps = greatest_number - least_number >> alike_bits;
        number_factor = (u32)quotient(kAll, (float)(steps + 1)) >> alike_bits;
        number_base = 0 - least_number * number_factor;
        // The shift makes the uppermost bit of the range the uppermost bit of the word.
        const u32 second_range = max_of(greatest_second_number - least_second_number, 1u);
        second_shift = (u32)__clz((int)second_range);
        const float width = (float)(number_factor << alike_bits);
        second_factor = (u32)(width * quotient(2.0f * kAll, (float)(second_range << second_shift) + 1.0f));
    }

    // Returns the place of a key among those of the bucket, in units of 2^-31.
    __device__ __forceinline__ u32 place(u32 number, u32 second) const {
        return number * number_factor + number_base + __umulhi(second - least_second << second_shift, second_factor);
    }

    // Returns in which of `cell_count` cells a place lies.
    __device__ __forceinline__ static u32 cell_at(u32 place, u32 cell_count) { return __umulhi(place, 2 * cell_count); }

    // Returns how much of its cell lies before a place, in units of 2^-32.
    __device__ __forceinline__ static u32 part_at(u32 place, u32 cell_count) { return place * (2 * cell_count); }
};
