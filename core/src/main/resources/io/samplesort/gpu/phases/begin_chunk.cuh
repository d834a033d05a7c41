// Prepares a chunk of an array that is sorted in place. Each bucket is told which pages of the array it should take
// first: those where it will finally belong, as estimated from the earlier chunks. So most elements land in the place
// of their bucket, and need not move again before it is sorted. Before the first chunk it is unknown where buckets
// belong, and each bucket gets a part of the pages outside the array, so that blocks do not all look for pages in one
// place.
#pragma once
#include "parts/page_store.cuh"
#include "parts/pages.cuh"

// `pass` is that of the chunk. This takes one block.
extern "C" __global__ void __launch_bounds__(kPageThreads)
    begin_chunk(Pages pages, PageStore store, Pass pass, u64 is_first) {
    follow_previous_kernel();
    u64* warp_totals = (u64*)shared_memory;
    const u32 bucket_count = 1u << pass.log_bucket_count;
    if (is_first != 0) {
        // The pages outside the array are free, except the first ones, of which each bucket has one from the beginning.
        // There is memory for an even number of words.
        const u32 words = 2 * (u32)ceil_div(store.page_count, 2 * kWarpSize);
        for (u32 word = threadIdx.x; word < words; word += kPageThreads) {
            u32 bits = 0;
            for (u32 bit = 0; bit < kWarpSize; ++bit) {
                const u32 page = word * kWarpSize + bit;
                bits |= (page >= pages.array_pages + bucket_count && page < store.page_count ? 1u : 0u) << bit;
            }
            store.free_pages[word] = bits;
        }
        for (u32 bucket = threadIdx.x; bucket < bucket_count; bucket += kPageThreads) {
            const u32 page = (u32)pages.array_pages + bucket;
            store.latest[bucket] = LatestPages::of(0, page, kNoPage);
            tell_page(store, bucket, 0, page, kNoPage);
        }
        if (threadIdx.x == 0) {
            *store.cursor = (u32)(pages.array_pages / (kWarpSize * kWarpSize));
        }
    }
    // All earlier chunks together have as many elements as the buckets have now.
    const u64 first_beside = pages.array_pages + bucket_count;
    double all = 0;
    u64 before = 0;
    for (u32 is_second = 0; is_second < 2; ++is_second) {
        before = 0;
        for (u32 base = 0; base < bucket_count; base += kPageThreads) {
            const u32 bucket = base + threadIdx.x;
            const u64 size = bucket < bucket_count ? pass.write_positions[bucket] : 0;
            u64 total;
            const u64 begin = before + block_exclusive_scan(size, warp_totals, total);
            if (is_second && bucket < bucket_count) {
                const u32 home = all == 0
                    ? (u32)(first_beside + bucket * (store.page_count - first_beside) / bucket_count)
                    : (u32)((double)begin / all * (double)store.whole_pages);
                store.homes[bucket] = home;
                // If elements keep their order, those of this chunk come after those of earlier chunks.
                pass.bucket_begins[bucket] = size;
            }
            before += total;
            __syncthreads();
        }
        all = (double)before;
    }
    if (threadIdx.x == 0) {
        store.homes[bucket_count] = (u32)(all == 0 ? store.page_count : store.whole_pages);
        *store.tickets = 0;
        pass.segment_offsets[1] = pass.element_count;
    }
}
