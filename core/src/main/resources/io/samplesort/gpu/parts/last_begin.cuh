// Finds the part to which a place belongs, by the begins of the parts.
#pragma once
#include "parts/basics.cuh"

// Returns the last of `count` entries that is `place` or less; the first one if there is none.
template <typename Place>
__device__ __forceinline__ u32 last_begin(const Place* begins, u32 count, Place place) {
    u32 low = 0;
    u32 high = count;
    while (high - low > 1) {
        const u32 middle = (low + high) / 2;
        if (begins[middle] <= place) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
