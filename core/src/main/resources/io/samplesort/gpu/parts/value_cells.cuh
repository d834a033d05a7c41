// Equal cells of a range of floating-point values, by which splitters are found (splitter_grid.cuh). Numbers of keys
// follow the exponents: half of evenly spread values have the greatest exponent, and between a negative and a positive
// value lie all exponents. So most splitters would share few cells of numbers.
//
// A key is turned back into its value, as a `float`, and two multiply-adds give its cell. They round, and values of 64
// bits lose their lowest bits, which does not matter: the cell of a key only has to be monotone, and the same at every
// use. No number is converted, as such instructions take four times as long as others.
#pragma once
#include "parts/basics.cuh"

// Returns a * b + c, rounded once. Results below 0, and NaN, become 0; results above 1 become 1.
__device__ __forceinline__ float saturated_fma(float a, float b, float c) {
#ifdef __CUDA_ARCH__
    float result;
    asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(result) : "f"(a), "f"(b), "f"(c));
    return result;
#else
    const float result = __builtin_fmaf(a, b, c);
    return result > 0 ? min_of(result, 1.0f) : 0.0f;
#endif
}

// A monotone map of the numbers of keys (float_order.cuh) to cells 0 to kCells - 1, by the values of the keys. kZero is
// the number of 0. If the order is reversed, numbers grow like the negatives of values, which are then used instead.
template <auto kZero, u32 kCells>
struct ValueCells {
    using Number = decltype(kZero);

    static constexpr bool kIsReversed = kZero >> (8 * sizeof(Number) - 1) != 0;
    static constexpr bool kIsWide = sizeof(Number) > sizeof(u32);
    static constexpr u32 kGreatestMagnitude = 0x7fffffff;

    // For values of 64 bits, only the upper words are used. Exponents down to this many below the greatest one are
    // distinguished, which fit a `float`.
    static constexpr u32 kExponents = 160;
    static constexpr u32 kExponentAt = 20;  // in the upper word
    static constexpr u32 kFewerBits = 3;    // that the exponent of a `float` has

    float scale;  // fraction of the whole range for each unit of a value
    float offset;

    // Only for values of 64 bits: the upper words of the ends, and the greatest magnitude that counts as 0.
    u32 least;
    u32 greatest;
    u32 lowest;

    // Whether numbers span so many exponents that cells of values differ much from those of numbers.
    __device__ __forceinline__ static bool are_many_exponents(Number least_number, Number greatest_number) {
        constexpr u32 kLogOfFew = kIsWide ? 32 + kExponentAt + 1 : 24;
        return (greatest_number - least_number) >> kLogOfFew != 0;
    }

    // Makes the map of the numbers between two. Returns false if there is none.
    __device__ __forceinline__ bool make(Number least_number, Number greatest_number) {
        if constexpr (kIsWide) {
            least = (u32)(least_number >> 32);
            greatest = (u32)(greatest_number >> 32);
            const u32 most = max_of(magnitude_of(distance_of(least)), magnitude_of(distance_of(greatest)));
            lowest = max_of(most >> kExponentAt, kExponents) - kExponents << kExponentAt;
        }
        const float first = value_of(least_number);
        const float last = value_of(greatest_number);
        // For infinities and NaN this is no positive number.
        const float size = 1.0f / (last - first);
        scale = kIsReversed ? size : -size;
        offset = kIsReversed ? -first * size : last * size;
        return size > 0 && size < 1e38f;
    }

    __device__ __forceinline__ u32 operator()(Number number) const {
        const float part = saturated_fma(value_of(number), scale, offset);
        // The least floats above 0 have the bits of the integers from 1 on, so the bits of such a product are the cell.
        const float last = __int_as_float(kCells - 1);
        return (u32)__float_as_int(kIsReversed ? part * last : fmaf(part, -last, last));
    }

  private:
    // Returns how far a number lies from that of 0, as a signed number: the bits of a value that is not negative, and
    // the complement of the bits of another, without their sign. For the upper words of 64 bits this may be off by one.
    __device__ __forceinline__ static u32 distance_of(u32 number) {
        // In the reversed order the number of -0.0 is the next one after that of 0.0.
        constexpr u32 kFirst = kIsWide ? (u32)((u64)kZero >> 32) : (u32)kZero + (kIsReversed ? 1 : 0);
        return number - kFirst;
    }

    __device__ __forceinline__ static u32 magnitude_of(u32 distance) { return distance ^ (u32)((int)distance >> 31); }

    // Returns the value of a number; for 64 bits, a multiple of the value.
    __device__ __forceinline__ float value_of(Number number) const {
        if constexpr (kIsWide) {
            const u32 upper = max_of(least, min_of(greatest, (u32)(number >> 32)));
            const u32 distance = distance_of(upper);
            const u32 magnitude = max_of(magnitude_of(distance), lowest) - lowest;
            return __int_as_float((int)(magnitude << kFewerBits | (distance & ~kGreatestMagnitude)));
        } else {
            const u32 distance = distance_of(number);
            return __int_as_float((int)(distance ^ ((u32)((int)distance >> 31) & kGreatestMagnitude)));
        }
    }
};

// Other numbers have no such cells, so these functions are never called.
template <u32 kCells>
struct ValueCells<0u, kCells> {
    __device__ static bool are_many_exponents(u64 least_number, u64 greatest_number);
    __device__ bool make(u64 least_number, u64 greatest_number);
    __device__ u32 operator()(u64 number) const;
};
