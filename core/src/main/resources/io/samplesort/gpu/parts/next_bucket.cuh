// What a block of the small sort knows about its bucket and the next one, in shared memory. Finding the items of the
// next bucket takes three loads, each of which needs the result of the one before: the index of an entry in the queue,
// the entry, and the place of its bucket. The first thread requests each while the block sorts, so no thread waits for
// them, and then the cache fetches the items.
#pragma once
#include "parts/async_copy.cuh"
#include "parts/primitives.cuh"
#include "parts/queues.cuh"

// Makes the second-level cache fetch the line of an address.
__device__ __forceinline__ void fetch_line(const void* place) {
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(place)));
#endif
}

// A bucket that one block sorts. The host counts the bytes (SharedMemory).
struct KnownBucket {
    u64 begin;  // where it lies
    u64 place;  // where it belongs
    u64 end;    // where that ends
    u64 entry;  // in the queue
    u32 index;  // of the entry
    u32 total;  // how many entries the queue has

    // Returns 0 if the block does not sort it, or there is none.
    __device__ __forceinline__ u32 size() const { return (u32)(end - place); }
};

// The next bucket of a block while it is being found. A sort by cells takes the steps, each after another barrier.
struct NextBucket {
    const Queues& queues;
    const ElementArray& in;
    u32 queue;
    KnownBucket* bucket;
    u32 index;  // known to the first thread, which may still wait for it
    bool is_known;

    // Says which entry is next, and requests it.
    __device__ __forceinline__ void ask_for_entry() const {
        if (threadIdx.x != 0) {
            return;
        }
        bucket->index = index;
        if (index < bucket->total) {
            copy_meanwhile(&bucket->entry, queues.entry(queue, index));
        } else {
            bucket->entry = kNoSort;
        }
    }

    // Requests the place of the bucket.
    __device__ __forceinline__ void ask_for_place() const {
        if (threadIdx.x != 0) {
            return;
        }
        wait_for_copies();
        const QueueEntry entry{bucket->entry};
        if (entry.no_sort()) {
            bucket->begin = 0;
            bucket->place = 0;
            bucket->end = 0;
        } else {
            copy_meanwhile(&bucket->begin, &queues.bucket_begins[entry.bucket()]);
            copy_meanwhile(&bucket->place, &queues.bucket_offsets[entry.bucket()]);
            copy_meanwhile(&bucket->end, &queues.bucket_offsets[entry.bucket() + 1]);
        }
    }

    // Waits for the place. After the next barrier all threads know the bucket.
    __device__ __forceinline__ void await_place() const {
        if (threadIdx.x == 0) {
            wait_for_copies();
        }
    }

    // Makes the cache fetch the bucket, which is known now.
    __device__ __forceinline__ void fetch() {
        is_known = true;
        constexpr u32 kLine = 128;
        constexpr u32 kStep = sizeof(Element) * kSmallSortItems < kLine ? kSmallSortItems : kLine / sizeof(Element);
        const u32 size = bucket->size();
        const u64 begin = bucket->begin;
#pragma unroll
        for (u32 i = 0; i < kSmallSortItems; i += kStep) {
            const u32 item = threadIdx.x * kSmallSortItems + i;
            if (item < size) {
                fetch_line(in.from(begin + item).keys);
            }
        }
    }

    // Does all steps after ask_for_entry(). This is a barrier.
    __device__ __forceinline__ void find() {
        ask_for_place();
        await_place();
        __syncthreads();
        is_known = true;
    }
};

// Stands in for the next bucket in sorts that no other follows.
struct NoNextBucket {
    __device__ __forceinline__ void ask_for_entry() const {}
    __device__ __forceinline__ void ask_for_place() const {}
    __device__ __forceinline__ void await_place() const {}
    __device__ __forceinline__ void fetch() const {}
};
