// Indexes of numbers that lie far apart, because some bits are the same in all of them: whole numbers as `float` have
// no bits below the point, for instance. Without the longest gap of such bits, numbers are in the same order and lie
// closer.
#pragma once
#include "parts/basics.cuh"

struct NumberIndex {
    // If the least and the greatest number differ in one of these bits, there is no gap that changes much.
    static constexpr u32 kBitsOfGaps = 14;

    u32 width;  // of the gap
    u32 lower;  // the bits below it
    u32 first;  // the index of the least number, before it is taken off

    __device__ __forceinline__ u32 operator()(u32 number) const { return without_gap(number) - first; }

    // Makes the index of numbers from `least` to `greatest`. Returns that of the greatest.
    __device__ __forceinline__ u32 make(u32 least, u32 greatest) {
        width = 0;
        lower = 0;
        first = least;
        return greatest - least;
    }

    // The same where they differ in the bits `differ` alone.
    __device__ __forceinline__ u32 make(u32 least, u32 greatest, u32 differ) {
        find_gap(differ);
        first = without_gap(least);
        return without_gap(greatest) - first;
    }

  private:
    __device__ __forceinline__ u32 without_gap(u32 number) const {
        return (number >> width & ~lower) | (number & lower);
    }

    // Finds the longest run of bits that are 0, below one that is not.
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
            // Both at once may be as many as a word has bits.
            bits >>= zeros;
            bits >>= 1;
            begin += zeros + 1;
        }
    }
};
