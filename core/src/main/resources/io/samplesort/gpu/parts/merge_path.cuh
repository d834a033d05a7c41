// Many threads merge two sorted runs (merge path: Odeh, Green, Mwassi, Shmueli, Birk 2012). The diagonal of a thread's
// first output crosses the path of the merge, and a binary search along it finds how many outputs before it come from
// each run. Ties take the first run, so merging is stable.
//
// Whatever `less` answers, every index stays within the runs, so even an order that contradicts itself merges to a
// permutation.
#pragma once
#include "parts/basics.cuh"

// Returns how many of the first `diagonal` outputs come from run a.
template <typename Index, typename A, typename B>
__device__ __forceinline__ Index merge_path(const A& a, Index a_count, const B& b, Index b_count, Index diagonal) {
    Index low = diagonal > b_count ? diagonal - b_count : 0;
    Index high = min_of(diagonal, a_count);
    while (low < high) {
        const Index middle = (low + high) / 2;
        if (less(b[diagonal - 1 - middle], a[middle])) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

// Merges the first kItems outputs of runs [a, a_end) and [b, b_end) of `items` into registers, where b follows a. Ties
// take run a here, too. If the runs have fewer items, the rest of `merged` is meaningless. Past the end of a run this
// reads an unused item of the same pair of runs, and not of the next pair, which others may be writing.
template <int kItems, typename Items, typename Item>
__device__ __forceinline__ void merge_serially(
    const Items& items, u32 a, u32 a_end, u32 b, u32 b_end, Item (&merged)[kItems]) {
    const u32 last = b_end - 1;
    Item a_item = items[min_of(a, last)];
    Item b_item = items[min_of(b, last)];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
        const bool take_b = b < b_end && (a >= a_end || less(b_item, a_item));
        merged[i] = take_b ? b_item : a_item;
        b += take_b ? 1 : 0;
        a += take_b ? 0 : 1;
        const Item next = items[min_of(take_b ? b : a, last)];
        b_item = take_b ? next : b_item;
        a_item = take_b ? a_item : next;
    }
}
