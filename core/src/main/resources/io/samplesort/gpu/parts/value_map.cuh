// Equal cells of a range of `float` values, for the sort of a bucket (cell_sort.cuh) whose keys have many exponents,
// such as the bucket around zero: half of evenly spread values have the greatest exponent, but few of the numbers
// between the ends do. Keys of 64 bits gain nothing from this, and lose registers.
#pragma once
#include "parts/basics.cuh"

// A monotone map of the numbers of keys (float_order.cuh) to cells, by the values of the keys. kZero is the number of
// 0.
template <u32 kZero>
struct ValueMap {
    static constexpr u32 kExponentAt = 23;
    // With fewer exponents, cells of numbers are about as full.
    static constexpr u32 kManyExponents = 4;
    static constexpr u32 kGreatestFinite = 0x7f7fffff;

    float least;
    float scale;  // cells for each unit of a distance

    // Makes the map of the numbers from `least_number` to `greatest_number` to cells 0 to cell_count - 1. Returns
    // whether they have many exponents, and there is such a map.
    __device__ __forceinline__ bool make(u32 least_number, u32 greatest_number, u32 cell_count) {
        if ((greatest_number - least_number) >> kExponentAt < kManyExponents) {
            return false;
        }
        least = value_of(least_number);
        // The margin keeps rounding from producing a cell beyond the last.
        scale = (float)cell_count / (value_of(greatest_number) - least) * (1.0f - 1.0f / (1 << 20));
        return scale > 0 && scale <= __int_as_float((int)kGreatestFinite);
    }

    __device__ __forceinline__ u32 operator()(u32 number) const { return (u32)((value_of(number) - least) * scale); }

  private:
    // Returns the value of a number, or its negative if the order is reversed. A value that is not finite becomes the
    // nearest finite one.
    __device__ __forceinline__ static float value_of(u32 number) {
        const bool is_before = number < kZero;
        const u32 magnitude = is_before ? kZero - number : number - kZero;
        const float value = __int_as_float((int)min_of(magnitude, kGreatestFinite));
        return is_before ? -value : value;
    }
};
