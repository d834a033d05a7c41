// Indexes for numbers that lie far apart because some bits are the same in all of them: whole numbers as `float`, for
// instance, have no bits below the point. Without the longest gap of such bits, numbers keep their order and lie closer
// together.
#pragma once
#include "parts/basics.cuh"

struct NumberIndex {
    // If the least and the greatest number differ in one of these bits, no gap is long enough to change much.
    static constexpr u32 kBitsOfGaps = 14;

    u32 width;  // of the gap
    u32 lower;  // the bits below it
    u32 first;  // the index of the least number, which is subtracted

    __device__ __forceinline__ u32 operator()(u32 number) const { return without_gap(number) - first; }

    // Makes the index of numbers from `least` to `greatest`. Returns that of the greatest.
    __device__ __forceinline__ u32 make(u32 least, u32 greatest) {
        width = 0;
        lower = 0;
        first = least;
        return greatest - least;
    }

    // Does the same for numbers that differ only in the bits `differ`.
    __device__ __forceinline__ u32 make(u32 least, u32 greatest, u32 differ) {
        find_gap(differ);
        first = without_gap(least);
        return without_gap(greatest) - first;
    }

  private:
    __device__ __forceinline__ u32 without_gap(u32 number) const {
        return (number >> width & ~lower) | (number & lower);
    }

    // Finds the longest run of 0 bits below a 1 bit.
    __device__ __forceinline__ void find_gap(u32 bits) {
        width = 0;
        lower = 0;
        u32 begin = 0;
#pragma unroll 1
        while (bits != 0) {
            const u32 zeros = (u32)__ffs((int)bits) - 1;
            if (zeros > width) {
                width = zeros;
                lower = (1u << begin) - 1;
            }
            // Two shifts, as a single one might have as many bits as a word.
            bits >>= zeros;
            bits >>= 1;
            begin += zeros + 1;
        }
    }
};
