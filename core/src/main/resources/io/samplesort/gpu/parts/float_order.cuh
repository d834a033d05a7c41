// Java's order of floating-point numbers (Double.compare): -0.0 comes before 0.0, and NaN comes last. Numbers become
// integers in the same order when they are first looked at, and numbers again, bit for bit, when they are last stored.
// Comparing integers takes one instruction; comparing numbers in this order takes several.
//
// Flipping all bits of the negative numbers and the sign of the others puts all in order except the NaNs with a sign,
// which come out lowest. Subtracting the number of these NaNs moves them, around zero, to the other NaNs at the end.
// This is written as a choice between two expressions: with masks made of the sign, the compiler spilled registers.
#pragma once

constexpr unsigned kNegativeNaNs = 0x7fffffu;
constexpr unsigned long long kNegativeDoubleNaNs = 0xfffffffffffffull;

__device__ __forceinline__ unsigned order_key(float number) {
    const unsigned bits = (unsigned)__float_as_int(number);
    return (int)bits < 0 ? ~bits - kNegativeNaNs : bits + (0x80000000u - kNegativeNaNs);
}

__device__ __forceinline__ void restore_key(unsigned ordered, float& number) {
    const unsigned flipped = ordered + kNegativeNaNs;
    number = __int_as_float((int)((int)flipped < 0 ? flipped ^ 0x80000000u : ~flipped));
}

__device__ __forceinline__ unsigned long long order_key(double number) {
    const unsigned long long bits = (unsigned long long)__double_as_longlong(number);
    return (long long)bits < 0 ? ~bits - kNegativeDoubleNaNs : bits + (0x8000000000000000ull - kNegativeDoubleNaNs);
}

__device__ __forceinline__ void restore_key(unsigned long long ordered, double& number) {
    const unsigned long long flipped = ordered + kNegativeDoubleNaNs;
    number = __longlong_as_double((long long)((long long)flipped < 0 ? flipped ^ 0x8000000000000000ull : ~flipped));
}

// Integers need no mapping.
template <typename T>
__device__ __forceinline__ T order_key(T key) {
    return key;
}

template <typename T>
__device__ __forceinline__ void restore_key(T ordered, T& key) {
    key = ordered;
}
