// The unit that a block of the small sort takes from a queue: a bucket, or in the largest class a part of one.
#pragma once
#include "parts/queues.cuh"
#include "parts/segments.cuh"

// Returns whether the launch has the whole input and no queues. In that case `capacity` is the number of elements that
// a block sorts, and the parts of a larger input become runs.
template <bool kIsLargest>
__device__ __forceinline__ bool sorts_input_alone(const Queues& queues) {
    return kIsLargest && queues.sizes == nullptr;
}

template <bool kIsLargest>
struct Piece {
    u64 begin;   // where it lies
    u64 offset;  // where it belongs
    u32 size;
    u32 array;  // where it lies, as PassArrays numbers the arrays
    bool no_sort;
    bool is_run;  // continued by merge_sort or rank_runs

    __device__ Piece(const Queues& queues, u32 queue, u32 index) : is_run(false) {
        if (sorts_input_alone<kIsLargest>(queues)) {
            begin = index * queues.capacity;
            offset = begin;
            size = (u32)min_of(queues.capacity, queues.element_count - begin);
            array = 0;
            no_sort = false;
            is_run = queues.capacity < queues.element_count;
            return;
        }
        const QueueEntry entry{*queues.entry(queue, index)};
        const u32 bucket = entry.bucket();
        begin = queues.bucket_begins[bucket];
        offset = queues.bucket_offsets[bucket];
        no_sort = entry.no_sort();
        u64 all = queues.bucket_offsets[bucket + 1] - offset;
        if constexpr (kIsLargest) {
            array = entry.array();
            begin &= ~kStaysApart;
            is_run = !no_sort && all > kSmallSortLimit;
            const u64 most = part_size(all, no_sort);
            const u64 first = entry.part() * most;
            begin += first;
            offset += first;
            all = min_of(most, all - first);
        }
        size = (u32)all;
    }
};

// Copies `count` equal elements. If they are the same bit by bit, only the first one is read.
__device__ __forceinline__ void copy_equal(const ElementArray& in, const ElementArray& out, u32 count) {
    if constexpr (kEqualElementsAreIdentical) {
        const Element element = in.load_ordered(0);
        for (u32 index = threadIdx.x; index < count; index += blockDim.x) {
            out.store(index, element);
        }
    } else {
        // All loads come before the first store, as the compiler cannot know that they read different memory.
        constexpr u32 kCopies = 4;
        for (u32 first = threadIdx.x; first < count; first += kCopies * blockDim.x) {
            Element elements[kCopies];
#pragma unroll
            for (u32 i = 0; i < kCopies; ++i) {
                elements[i] = in.load_ordered(min_of(first + i * blockDim.x, count - 1));
            }
#pragma unroll
            for (u32 i = 0; i < kCopies; ++i) {
                if (first + i * blockDim.x < count) {
                    out.store(first + i * blockDim.x, elements[i]);
                }
            }
        }
    }
}
