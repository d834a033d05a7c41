// Java's order of floating-point numbers (Double.compare): -0.0 before 0.0, all NaNs equal and last. Branch-free.
#pragma once

__device__ __forceinline__ bool float_less(float a, float b) {
    const bool a_is_number = a == a;
    const bool zeros_in_order = a == b && __float_as_int(a) < __float_as_int(b);
    return (a_is_number && !(a >= b)) || zeros_in_order;
}

__device__ __forceinline__ bool float_less(double a, double b) {
    const bool a_is_number = a == a;
    const bool zeros_in_order = a == b && __double_as_longlong(a) < __double_as_longlong(b);
    return (a_is_number && !(a >= b)) || zeros_in_order;
}
