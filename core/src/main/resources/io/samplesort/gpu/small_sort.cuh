// The small sort: one block a bucket, one launch a size class, each with as many threads as its buckets need. Blocks take
// buckets from the queue of their class until it is empty, so the launch does not depend on how many there are. All size
// classes but the largest are one kernel: less to compile, and launches side by side share the instruction cache.
#pragma once

// How many blocks the registers of one multiprocessor must allow: more warps hide the latency of shared memory, as long as
// the items of a thread stay in its registers.
__host__ __device__ constexpr int small_sort_blocks(int threads) {
    return threads < kSmallSortResidentThreads ? kSmallSortResidentThreads / threads : 1;
}

struct SmallBucket {
    u64 begin;   // where it lies
    u64 offset;  // where it belongs
    u32 size;
    bool no_sort;

    __device__ SmallBucket(const Queues& queues, u32 size_class, u32 index) {
        const u32 entry = queues.entries[size_class * queues.capacity + index];
        const u64 bucket = entry & ~kNoSort;
        begin = queues.bucket_begins[bucket];
        offset = queues.bucket_offsets[bucket];
        size = (u32)(queues.bucket_offsets[bucket + 1] - offset);
        no_sort = (entry & kNoSort) != 0;
    }
};

// The small sorts of the size classes have nothing to do with each other, so each begins while the one before it is running:
// `is_first` waits for the phase before the small sort, and lets no other begin until that has ended.
__device__ __forceinline__ void sort_buckets(
    const ElementArray& in, const ElementArray& out, const Queues& queues, u32 size_class, bool is_first) {
    using Sort = BlockSort<kSmallSortItems, Element>;
    Element* elements = (Element*)shared_memory;
    // Two, used in turn: the block may still be reading one when its first thread writes the next.
    u32* next_index = (u32*)(shared_memory + Sort::shared_bytes());
    if (is_first) {
        wait_for_previous_kernel();
    }
    allow_next_kernel();
    u32 turn = 0;
    for (u32 i = blockIdx.x; i < queues.sizes[size_class]; i = next_index[turn], turn ^= 1) {
        // Taken one by one: buckets differ in size and multiprocessors in speed, an equal share for each block took 10%
        // longer. The atomic is under way while the block sorts.
        if (threadIdx.x == 0) {
            next_index[turn] = gridDim.x + atomicAdd(&queues.taken[size_class], 1u);
        }
        const SmallBucket bucket(queues, size_class, i);
        if (bucket.no_sort) {
            for (u32 index = threadIdx.x; index < bucket.size; index += blockDim.x) {
                out.store(bucket.offset + index, in.load_ordered(bucket.begin + index));
            }
        } else {
            const ElementArray source = in.from(bucket.begin);
            const auto sorted = Sort::sort(
                elements, bucket.size, [&](u32 base, u32 offset) { return source.from(base).load_ordered(offset); });
            // Read again: while the block sorts, its registers are for elements.
            const SmallBucket same(queues, size_class, i);
            const ElementArray target = out.from(same.offset);
            Sort::for_each(sorted, same.size, [&](u32 base, u32 offset, const Element& element) {
                target.from(base).store(offset, element);
            });
        }
        __syncthreads();
    }
    // It ends no earlier than the one before it, so whatever comes after the last one comes after all of them.
    wait_for_previous_kernel();
}

// Blocks of several sizes share the registers, so the bound is their number in all: as many threads a block as make it up.
constexpr int kSmallSortBlocks = small_sort_blocks(kSmallSortThreads * 4);
constexpr int kSmallSortBound = kSmallSortResidentThreads / kSmallSortBlocks / 32 * 32;

extern "C" __global__ void __launch_bounds__(
    kSmallSortBound < kSmallSortThreads * 4 ? kSmallSortThreads * 4 : kSmallSortBound, kSmallSortBlocks)
    small_sort(ElementArray in, ElementArray out, Queues queues, u64 size_class, u64 is_first) {
    sort_buckets(in, out, queues, (u32)size_class, is_first != 0);
}

extern "C" __global__ void __launch_bounds__(kSmallSortThreads * 8, small_sort_blocks(kSmallSortThreads * 8))
    small_sort_largest(ElementArray in, ElementArray out, Queues queues, u64 size_class, u64 is_first) {
    sort_buckets(in, out, queues, (u32)size_class, is_first != 0);
}
