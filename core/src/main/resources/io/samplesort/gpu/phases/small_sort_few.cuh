// The small sort of buckets with few different numbers (few_numbers.cuh), which are in queues of their own. Sorts of
// 16-byte structs take 2 to 4 percent longer with both ways to sort in one kernel, and 1 to 2 in two loops of one
// kernel.
#pragma once
#include "parts/queue_sort.cuh"

extern "C" __global__ void __launch_bounds__(
    kSmallSortBound < kMostSmallSortThreads ? kMostSmallSortThreads : kSmallSortBound, kSmallSortBlocks)
    small_sort_few(ElementArray in, ElementArray out, Queues queues, u64 size_class) {
    sort_class<kFindsAhead, SmallRepeatSort>(in, out, queues, (u32)size_class + kSizeClassCount);
}
