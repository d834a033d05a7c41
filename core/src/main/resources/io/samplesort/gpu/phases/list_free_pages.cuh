// Lists the free pages before a chunk of an array is divided that is sorted in place, and gives each bucket a range of
// them: those that lie where the bucket belongs in the end, as far as the chunks before this one tell. So most elements
// come to lie in the place of their bucket, and need not move away from there before it is sorted.
#pragma once
#include "parts/pages.cuh"

// The shared memory of the block: a total for each warp.
constexpr u32 kListSharedBytes = kWarpSize * sizeof(u64);

// Returns whether the elements of a page have been moved away, or there were none, and nobody has taken it since.
__device__ __forceinline__ bool is_free(const PageStore& store, const Pages& pages, u64 page, u64 chunk) {
    const u64 read_with = store.pages_a_chunk == 0 ? page % store.chunk_count : page / store.pages_a_chunk;
    const bool is_read = page < store.whole_pages ? read_with < chunk : page >= pages.array_pages;
    return is_read && store.owners[page] == kNobody;
}

// Returns how many of the listed pages come before `page`.
__device__ __forceinline__ u32 listed_before(const PageStore& store, u32 count, u32 page) {
    u32 low = 0;
    u32 high = count;
    while (low < high) {
        const u32 middle = (low + high) / 2;
        if (store.free_pages[middle] < page) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// `pass` is that of the chunk. One block does it.
extern "C" __global__ void __launch_bounds__(kPageThreads) list_free_pages(Pages pages, PageStore store, Pass pass, u64 chunk) {
    u64* warp_totals = (u64*)shared_memory;
    const u64 share = ceil_div(store.page_count, kPageThreads);
    const u64 begin = min_of(threadIdx.x * share, store.page_count);
    const u64 end = min_of(begin + share, store.page_count);
    u64 own = 0;
    for (u64 page = begin; page < end; ++page) {
        own += is_free(store, pages, page, chunk);
    }
    u64 count;
    u64 listed = block_exclusive_scan(own, warp_totals, count);
    for (u64 page = begin; page < end; ++page) {
        if (is_free(store, pages, page, chunk)) {
            store.free_pages[listed++] = (u32)page;
        }
    }
    __syncthreads();
    const u32 bucket_count = 1u << pass.log_bucket_count;
    u64 all = 0;
    for (u32 base = 0; base < bucket_count; base += kPageThreads) {
        const u32 bucket = base + threadIdx.x;
        u64 total;
        block_exclusive_scan(bucket < bucket_count ? pass.write_positions[bucket] : 0, warp_totals, total);
        all += total;
        __syncthreads();
    }
    u64 before = 0;
    for (u32 base = 0; base < bucket_count; base += kPageThreads) {
        const u32 bucket = base + threadIdx.x;
        const u64 size = bucket < bucket_count ? pass.write_positions[bucket] : 0;
        u64 total;
        const u64 begins = before + block_exclusive_scan(size, warp_totals, total);
        if (bucket < bucket_count) {
            const double part = all == 0 ? 0 : (double)begins / (double)all;
            store.range_begins[bucket] = listed_before(store, (u32)count, (u32)(part * (double)store.whole_pages));
            // Where elements keep their order, those of this chunk come behind those of the chunks before it.
            pass.bucket_begins[bucket] = size;
        }
        before += total;
        __syncthreads();
    }
    for (u32 range = threadIdx.x; range <= bucket_count; range += kPageThreads) {
        store.taken[range] = 0;
    }
    if (threadIdx.x == 0) {
        store.range_begins[bucket_count] = listed_before(store, (u32)count, (u32)pages.array_pages);
        store.range_begins[bucket_count + 1] = (u32)count;
        pass.segment_offsets[1] = pass.element_count;
    }
}
