// Batcher's two sorting networks, for any count. Each comparator puts the smaller element at the lower place, so
// comparators that reach beyond the last element may be left out, as if the greatest elements lay there. All threads of
// a block call these functions after a barrier, with elements in shared or in device memory. The functions end with a
// barrier.
#pragma once
#include "elements.cuh"

template <typename Elements>
__device__ __forceinline__ void compare_exchange(const Elements& elements, u64 lower, u64 upper) {
    const Element a = elements.load(lower);
    const Element b = elements.load(upper);
    if (less(b, a)) {
        elements.store(lower, b);
        elements.store(upper, a);
    }
}

// Odd-even merge sort merges runs of `run` elements, at first 1, in rounds of comparators between places at `distance`.
template <typename Elements>
__device__ void odd_even_merge_sort(const Elements& elements, u64 count) {
    for (u64 run = 1; run < count; run *= 2) {
        for (u64 distance = run; distance > 0; distance /= 2) {
            const u64 first = distance == run ? 0 : distance;
            for (u64 comparator = threadIdx.x;; comparator += blockDim.x) {
                const u64 lower = first + 2 * (comparator & ~(distance - 1)) + (comparator & (distance - 1));
                const u64 upper = lower + distance;
                if (upper >= count) {
                    break;
                }
                // Both places must lie in the same pair of runs.
                if ((lower ^ upper) < 2 * run) {
                    compare_exchange(elements, lower, upper);
                }
            }
            __syncthreads();
        }
    }
}

// Bitonic sort reads every second run backwards, so that a pair of runs first rises and then falls.
template <typename Elements>
__device__ void bitonic_sort(const Elements& elements, u64 count) {
    for (u64 run = 1; run < count; run *= 2) {
        for (u64 distance = run; distance > 0; distance /= 2) {
            for (u64 comparator = threadIdx.x;; comparator += blockDim.x) {
                const u64 offset = comparator & (distance - 1);
                const u64 begin = 2 * (comparator & ~(distance - 1));
                const u64 lower = begin + offset;
                if (lower >= count) {
                    break;
                }
                const u64 upper = distance == run ? begin + 2 * run - 1 - offset : lower + distance;
                if (upper < count) {
                    compare_exchange(elements, lower, upper);
                }
            }
            __syncthreads();
        }
    }
}
