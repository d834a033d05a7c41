// Indexes of numbers that lie far apart, because some bits are the same in all of them: whole numbers as `float` have no
// bits below the point, for instance. Without the longest gap of such bits, numbers are in the same order and lie closer.
#pragma once
#include "parts/basics.cuh"

template <typename Number>
struct NumberIndex {
    // Bits that are 0, below one that is not.
    struct Gap {
        u32 begin;
        u32 width;
    };

    // A gap that is smaller changes little.
    static constexpr u32 kGapWorthIt = 2;

    u32 width;  // of the gap
    u32 lower;  // the bits below it
    u32 first;  // the index of the least number, before it is taken off

    __device__ __forceinline__ u32 operator()(Number number) const { return (u32)without_gap(number) - first; }

    // Makes the index of numbers from `least` to `greatest` that differ in the bits `differ`, where `one` is such a number.
    // Returns the index of the greatest. Both ends may lie a little outside: only those bits of them count that differ.
    __device__ __forceinline__ Number make(Number differ, Number one, Number least, Number greatest) {
        const Gap gap = longest_gap(differ);
        const Number alike = (((Number)1 << gap.width) - 1) << gap.begin;
        width = gap.width;
        lower = (1u << gap.begin) - 1;
        const Number smallest = without_gap((least & ~alike) | (one & alike));
        first = (u32)smallest;
        return without_gap((greatest & ~alike) | (one & alike)) - smallest;
    }

    // The same without a gap.
    __device__ __forceinline__ Number make(Number least, Number greatest) {
        width = 0;
        lower = 0;
        first = (u32)least;
        return greatest - least;
    }

    __device__ __forceinline__ static bool is_worth_it(Number differ) {
        // Mostly all bits differ, below the uppermost one.
        return (differ & (differ + 1)) != 0 && longest_gap(differ).width >= kGapWorthIt;
    }

  private:
    __device__ __forceinline__ Number without_gap(Number number) const {
        return ((number >> width) & ~(Number)lower) | (number & lower);
    }

    // Returns the longest gap of those that begin in the lower word.
    __device__ __forceinline__ static Gap longest_gap(u64 bits) {
        Gap longest{0, 0};
        u32 begin = 0;
#pragma unroll 1
        while (bits != 0 && begin < 32) {
            const u32 zeros = (u32)__ffsll((long long)bits) - 1;
            if (zeros > longest.width) {
                longest = Gap{begin, zeros};
            }
            bits >>= zeros;
            const u32 ones = ~bits == 0 ? 63 : (u32)__ffsll((long long)~bits) - 1;
            bits >>= ones;
            begin += zeros + ones;
        }
        return longest;
    }
};
