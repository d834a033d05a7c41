// Merging two sorted runs by many threads (merge path: Odeh, Green, Mwassi, Shmueli, Birk 2012): where the diagonal of a
// thread's first output crosses the path of the merge, a binary search finds how many outputs before it come from each
// run. Ties take the first run, so merging is stable.
//
// Every index is bounded by the runs whatever `less` answers, so an order that is no order still merges to a permutation.
#pragma once

// How many of the first `diagonal` outputs come from run a. `Runs` gives a(i) and b(i).
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

// Merges the first `count` outputs of runs items[a, a_end) and items[b, b_end) into registers.
template <int kItems, typename Item>
__device__ __forceinline__ void merge_serially(
    const Item* items, u32 a, u32 a_end, u32 b, u32 b_end, u32 count, Item (&merged)[kItems]) {
    Item a_item = items[min_of(a, a_end - 1)];
    Item b_item = items[min_of(b, b_end - 1)];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
        if (i >= count) {
            break;
        }
        const bool take_b = b < b_end && (a >= a_end || less(b_item, a_item));
        merged[i] = take_b ? b_item : a_item;
        if (take_b) {
            ++b;
        } else {
            ++a;
        }
        if (i + 1 < count) {
            const u32 next = take_b ? min_of(b, b_end - 1) : min_of(a, a_end - 1);
            const Item item = items[next];
            if (take_b) {
                b_item = item;
            } else {
                a_item = item;
            }
        }
    }
}
