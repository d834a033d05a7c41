// Checks whether strings are in order.
#pragma once
#include "strings/parts/common_bytes.cuh"

// If they are not, wrong[0] becomes count - i for the first string i that sorts before the one to its left, and
// wrong[1] for the first one whose offsets are wrong.
extern "C" __global__ void check_string_order(const Text strings, u64* wrong) {
    const TextReader text(strings);
    const u64 stride = (u64)gridDim.x * blockDim.x;
    const u64 lane = threadIdx.x % kWarpSize;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i - lane < strings.count; i += stride) {
        const bool is_compared = i > 0 && i < strings.count;
        Rest left{};
        Rest right{};
        if (is_compared) {
            const Span before = text.span(i - 1);
            const Span span = text.span(i);
            left = Rest{before.begin, before.length()};
            right = Rest{span.begin, span.length()};
        }
        const int order = compare_by_warp(text, left, right, is_compared);
        if (is_compared && (strings.is_reversed != 0 ? order < 0 : order > 0)) {
            atomicMax(&wrong[0], strings.count - i);
        }
        if (i < strings.count && text.is_wrong(i)) {
            atomicMax(&wrong[1], strings.count - i);
        }
    }
}
