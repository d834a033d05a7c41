// What a block of the small sort knows of the bucket that it sorts and of the next one, in shared memory. The items of
// the next one stand behind three loads, each of which needs the one before it: the index of an entry in the queue, the
// entry, and where its bucket lies. The first thread asks for each while the block sorts, so nobody waits for them, and
// then the cache fetches the items.
#pragma once
#include "parts/primitives.cuh"
#include "parts/queues.cuh"

// Copies a number from global to shared memory while the thread goes on, where the GPU can do so.
__device__ __forceinline__ void copy_meanwhile(u64* target, const u64* source) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(shared_address(target)),
                 "l"(__cvta_generic_to_global(source))
                 : "memory");
#else
    *target = *source;
#endif
}

// Has the second-level cache fetch the line of an address.
__device__ __forceinline__ void fetch_line(const void* place) {
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(place)));
#endif
}

// Waits for all copies that this thread has asked for. Others see them behind a barrier.
__device__ __forceinline__ void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// A bucket that one block sorts. The host counts the bytes (SharedMemory).
struct KnownBucket {
    u64 begin;  // where it lies
    u64 place;  // where it belongs
    u64 end;    // of where it belongs
    u64 entry;  // in the queue
    u32 index;  // of the entry
    u32 total;  // how many entries the queue has

    // Returns 0 if the block does not sort it, or there is none.
    __device__ __forceinline__ u32 size() const { return (u32)(end - place); }
};

// The next bucket of a block, as it is found. A sort by cells takes the steps, each behind another barrier.
struct NextBucket {
    const Queues& queues;
    const ElementArray& in;
    u32 queue;
    KnownBucket* bucket;
    u32 index;  // as the first thread knows it, which may still wait for it
    bool is_known;

    // Says which entry is next, and asks for it.
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

    // Asks where the bucket lies.
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

    // Behind the next barrier all threads know the bucket.
    __device__ __forceinline__ void await_place() const {
        if (threadIdx.x == 0) {
            wait_for_copies();
        }
    }

    // Has the cache fetch the bucket, which is known now.
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

    // Does what is left to do behind ask_for_entry(). This is a barrier.
    __device__ __forceinline__ void find() {
        ask_for_place();
        await_place();
        __syncthreads();
        is_known = true;
    }
};

// What a sort takes that is not followed by another one.
struct NoNextBucket {
    __device__ __forceinline__ void ask_for_entry() const {}
    __device__ __forceinline__ void ask_for_place() const {}
    __device__ __forceinline__ void await_place() const {}
    __device__ __forceinline__ void fetch() const {}
};
