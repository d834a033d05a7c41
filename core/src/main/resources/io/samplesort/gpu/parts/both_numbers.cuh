// Cells of keys that are wider than their numbers, of a bucket with few different numbers. Each number that occurs has as
// many cells as the next one, but for one that a sample has shown to be frequent, which has its share. Second numbers
// say which of these a key goes to.
#pragma once
#include "parts/basics.cuh"

struct BothNumbers {
    static constexpr u32 kNone = ~0u;

    u32 frequent;        // the place of the frequent number, or kNone
    u32 cells;           // of each other number, in units of 2^-16, as what follows
    u32 frequent_cells;  // of the frequent number
    u32 least_second;
    u32 second_shift;
    u32 second_factor;  // parts of the range of second numbers, in units of 2^-31

    // Makes the map of `number_count` numbers with upper words of second numbers between these to cells
    // 0 … cell_count - 1, at most 2^15. The number at the place `number` was seen `seen` times in a sample of kWarpSize.
    __device__ __forceinline__ BothNumbers(
        u32 number_count, u32 number, u32 seen, u32 least, u32 greatest, u32 cell_count)
        : least_second(least) {
        const bool is_frequent = seen >= kFewSeen;
        const u32 others = number_count - (is_frequent ? 1 : 0);
        frequent = is_frequent ? number : kNone;
        const u32 all = cell_count << 16;
        frequent_cells = !is_frequent ? 0 : others == 0 ? all : all / kWarpSize * min_of(seen, kWarpSize - 1);
        cells = (all - frequent_cells) / max_of(others, 1u);
        const u32 range = greatest - least;
        second_shift = (u32)__clz((int)range);
        // The uppermost bit of a range is that of the word. The margin keeps rounding from making more than there are.
        second_factor =
            (u32)(9223372036854775808.0f / ((float)(range << second_shift) + 1.0f) * (1.0f - 1.0f / (1 << 20)));
    }

    // Returns where a key lies, in cells of 2^16, by the place and the rank of its number and its second number.
    __device__ __forceinline__ u32 place(u32 number, u32 rank, u32 second) const {
        const u32 fraction = __umulhi(second - least_second << second_shift, second_factor) << 1;
        const bool is_frequent = number == frequent;
        // Nothing is behind kNone.
        const bool is_behind = number > frequent;
        const u32 before = (rank - (is_behind ? 1 : 0)) * cells + (is_behind ? frequent_cells : 0);
        return before + __umulhi(fraction, is_frequent ? frequent_cells : cells);
    }

  private:
    static constexpr u32 kFewSeen = 3;
};
