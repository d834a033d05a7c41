// Tells which buckets have few different numbers, if keys are wider than their numbers. The small sort sorts these in
// another way (repeat_sort.cuh), in a kernel of its own.
#pragma once
#include "parts/both_numbers.cuh"
#include "parts/splitter_tree.cuh"

static_assert(
    kTellsFewNumbers
        == (kSmallSortCells > 0 && kKeysAreNumbers && (KEEPS_ORDER || !kNumbersAreWholeKeys) && kSmallSortItems <= 8),
    "the host knows which keys are wider than their numbers");

// Returns whether a bucket has few different numbers for a block of `threads`, judged by the splitters around it. The
// first and the last bucket of a segment have only one splitter, so they are taken to be like their neighbours.
__device__ __forceinline__ bool has_few_numbers(const OrderedKey* tree, u32 bucket, u32 bucket_count, u32 threads) {
    if (bucket_count < 4) {
        return false;
    }
    const u32 last = bucket_count - 2;
    const u32 high = min_of(max_of(bucket, 1u), last);
    const auto number_at = [&](u32 index) { return number_of(tree[splitter_node(index, bucket_count)]); };
    return number_at(high) - number_at(high - 1) <= BothNumbers::kMostRange * threads * kSmallSortCells;
}
