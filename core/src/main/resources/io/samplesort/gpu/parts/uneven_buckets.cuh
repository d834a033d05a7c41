// Which buckets a small sort begins with cells, where these may be of no use: the words of strings are so uneven that
// most buckets have cells with many different words. To find that out takes a tenth of the time of the sort without
// cells, so blocks count such buckets, and leave cells out where there are many of them.
#pragma once
#include "parts/queues.cuh"

struct UnevenBuckets {
    // After the first bucket of each block, at most one in this many is tried in vain.
    static constexpr u32 kFewOf = 16;

    // The bit of an entry's index that says to leave cells out.
    static constexpr u32 kLeaveOut = 1u << 31;

    // Returns the index of an entry of a queue, with that bit if it is to be sorted without cells.
    __device__ __forceinline__ static u32 with_advice(const Queues& queues, u32 queue, u32 index) {
        return *(const volatile u32*)&queues.uneven[queue] > index / kFewOf ? index | kLeaveOut : index;
    }

    // Notes that cells have not sorted a bucket. One thread of the block calls this.
    __device__ __forceinline__ static void note(const Queues& queues, u32 queue) {
        atomicAdd(&queues.uneven[queue], 1u);
    }
};
