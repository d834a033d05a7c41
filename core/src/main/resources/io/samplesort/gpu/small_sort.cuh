// The small sort: one block a bucket, one kernel a size class, each with as many threads as its buckets need. Blocks walk
// the queue of their class, so the launch does not depend on how many buckets there are.
#pragma once

// How many blocks the registers of one multiprocessor must allow: merges wait for shared memory most of the time, so more
// warps pay even where a few registers less cost an instruction here and there.
__host__ __device__ constexpr int small_sort_blocks(int threads) {
    return threads < kSmallSortResidentThreads ? kSmallSortResidentThreads / threads : 1;
}

template <int kThreads>
__device__ void small_sort(const ElementArray& in, const ElementArray& out, const Queues& queues, u32 size_class) {
    using Sort = BlockSort<kThreads, kSmallSortItems, Element>;
    Element* elements = (Element*)shared_memory;
    const u32 queue_size = queues.sizes[size_class];
    const u32* queue = queues.entries + size_class * queues.capacity;
    for (u32 i = blockIdx.x; i < queue_size; i += gridDim.x) {
        const u32 entry = queue[i];
        const u64 bucket = entry & ~kNoSort;
        const u64 begin = queues.bucket_offsets[bucket];
        const u32 count = (u32)(queues.bucket_offsets[bucket + 1] - begin);
        if (entry & kNoSort) {
            for (u32 index = threadIdx.x; index < count; index += kThreads) {
                out.store(begin + index, in.load(begin + index));
            }
            continue;
        }
        Sort::sort(elements, count, [&](u32 index) { return in.load(begin + index); });
        for (u32 index = threadIdx.x; index < count; index += kThreads) {
            out.store(begin + index, elements[index]);
        }
        __syncthreads();
    }
}

extern "C" __global__ void __launch_bounds__(kSmallSortThreads, small_sort_blocks(kSmallSortThreads))
    small_sort_0(ElementArray in, ElementArray out, Queues queues) {
    small_sort<kSmallSortThreads>(in, out, queues, 0);
}

extern "C" __global__ void __launch_bounds__(kSmallSortThreads * 2, small_sort_blocks(kSmallSortThreads * 2))
    small_sort_1(ElementArray in, ElementArray out, Queues queues) {
    small_sort<kSmallSortThreads * 2>(in, out, queues, 1);
}

extern "C" __global__ void __launch_bounds__(kSmallSortThreads * 4, small_sort_blocks(kSmallSortThreads * 4))
    small_sort_2(ElementArray in, ElementArray out, Queues queues) {
    small_sort<kSmallSortThreads * 4>(in, out, queues, 2);
}

extern "C" __global__ void __launch_bounds__(kSmallSortThreads * 8, small_sort_blocks(kSmallSortThreads * 8))
    small_sort_3(ElementArray in, ElementArray out, Queues queues) {
    small_sort<kSmallSortThreads * 8>(in, out, queues, 3);
}
