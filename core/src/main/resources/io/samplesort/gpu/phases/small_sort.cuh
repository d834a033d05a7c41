// The small sort: one block sorts one bucket, and each size class has a launch with blocks of as many threads as its
// buckets need. Blocks take buckets from the queue of their class until it is empty, so the launch does not depend on
// the number of buckets. All size classes but the largest are one kernel: there is less to compile, and launches side
// by side share the instruction cache.
//
// The largest class also has the parts of larger buckets. Parts of equality buckets are copied, and parts of others
// become the runs with which merge_sort begins.
//
// An input that needs no pass is a bucket by itself, which the kernel of its class sorts without queues
// (`sorts_input_alone`), or it becomes a few runs, which rank_runs merges.
#pragma once
#include "parts/queue_sort.cuh"

extern "C" __global__ void __launch_bounds__(
    kSmallSortBound < kMostSmallSortThreads ? kMostSmallSortThreads : kSmallSortBound, kSmallSortBlocks)
    small_sort(ElementArray in, ElementArray out, Queues queues, u64 size_class) {
    sort_class<kFindsAhead, SmallCellSort<false>>(in, out, queues, (u32)size_class);
}

constexpr int kLargestSortThreads = size_class_threads(kLargestClass);

extern "C" __global__ void __launch_bounds__(kLargestSortThreads, small_sort_blocks(kLargestSortThreads))
    small_sort_largest(PassArrays arrays, ElementArray out, Queues queues) {
    run_small_sort<true>([&]() {
        sort_queue<true, SmallCellSort<true>>(
            [&](const Piece<true>& piece) -> const ElementArray& { return arrays.at[piece.array]; },
            sorts_input_alone<true>(queues) ? kKeysAreMapped : queues.last_array != 0, out, queues, kLargestClass);
    });
}
