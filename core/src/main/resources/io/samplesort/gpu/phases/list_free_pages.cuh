// Prepares a chunk of an array that is sorted in place: lists the pages that are read, and those that are free. Each
// bucket gets a range of the free pages: those that lie where the bucket belongs in the end, as far as the chunks before
// this one tell. So most elements come to lie in the place of their bucket, and need not move away from there before it
// is sorted.
#pragma once
#include "parts/pages.cuh"

// The shared memory of the block: a total for each warp, and for each row of 32 pages which of them are free and how
// many are before it.
__host__ __device__ constexpr u32 list_shared_bytes(u32 page_count) {
    return kWarpSize * sizeof(u64) + ((page_count + kWarpSize - 1) / kWarpSize + 1) * 2 * sizeof(u32);
}

// The free pages of an array, once they have been found.
struct FreePages {
    u32* rows;
    u32* before;
    u32 row_count;

    // Returns how many free pages come before `page`.
    __device__ u32 before_page(u32 page) const {
        const u32 row = min_of(page / kWarpSize, row_count);
        return before[row] + (row < row_count ? __popc(rows[row] & ((1u << page % kWarpSize) - 1)) : 0);
    }
};

// Returns whether the elements of a page have been moved away, or there were none, and nobody has taken it since.
__device__ __forceinline__ bool is_free(const PageStore& store, const Pages& pages, u32 page, u32 chunk) {
    const u32 read_with = store.pages_a_chunk == 0 ? page % (u32)store.chunk_count : page / (u32)store.pages_a_chunk;
    const bool is_read = page < store.whole_pages ? read_with < chunk : page >= pages.array_pages;
    return is_read && page < store.page_count && store.owners[page] == kNobody;
}

// Finds the free pages. Each warp takes every 32nd row.
__device__ __forceinline__ u32 find_free_pages(
    const FreePages& free, const PageStore& store, const Pages& pages, u32 chunk, u32* warp_totals) {
    const u32 lane = threadIdx.x % kWarpSize;
    constexpr u32 kWarps = kPageThreads / kWarpSize;
#pragma unroll 8
    for (u32 row = threadIdx.x / kWarpSize; row < free.row_count; row += kWarps) {
        const u32 found = __ballot_sync(kAllLanes, is_free(store, pages, row * kWarpSize + lane, chunk));
        if (lane == 0) {
            free.rows[row] = found;
        }
    }
    __syncthreads();
    u32 before = 0;
    for (u32 base = 0; base <= free.row_count; base += kPageThreads) {
        const u32 row = base + threadIdx.x;
        u32 total;
        const u32 sum =
            before + block_exclusive_scan<u32>(row < free.row_count ? __popc(free.rows[row]) : 0, warp_totals, total);
        if (row <= free.row_count) {
            free.before[row] = sum;
        }
        before += total;
        __syncthreads();
    }
    for (u32 row = threadIdx.x / kWarpSize; row < free.row_count; row += kWarps) {
        const u32 bits = free.rows[row];
        if (bits >> lane & 1) {
            store.free_pages[free.before[row] + __popc(bits & ((1u << lane) - 1))] = row * kWarpSize + lane;
        }
    }
    return before;
}

// `pass` is that of the chunk, and `list` what it reads. One block does it.
extern "C" __global__ void __launch_bounds__(kPageThreads)
    list_free_pages(u32* list, Pages pages, PageStore store, Pass pass, u64 chunk, u64 chunk_pages) {
    u64* warp_totals = (u64*)shared_memory;
    FreePages free;
    free.row_count = (u32)ceil_div(store.page_count, kWarpSize);
    free.rows = (u32*)(warp_totals + kWarpSize);
    free.before = free.rows + free.row_count;
    for (u32 index = threadIdx.x; index < chunk_pages; index += kPageThreads) {
        list[index] = store.pages_a_chunk == 0 ? index * (u32)store.chunk_count + (u32)chunk
                                               : (u32)(chunk * store.pages_a_chunk) + index;
    }
    if (threadIdx.x == 0 && chunk + 1 == store.chunk_count) {
        // Here are the elements behind the whole pages, if there are any.
        list[chunk_pages] = (u32)store.whole_pages;
    }
    follow_previous_kernel();
    const u32 count = find_free_pages(free, store, pages, (u32)chunk, (u32*)warp_totals);
    const u32 bucket_count = 1u << pass.log_bucket_count;
    // All chunks before this one have as many elements as the buckets have by now.
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
                const double part = all == 0 ? 0 : (double)begin / all;
                store.range_begins[bucket] = free.before_page((u32)(part * (double)store.whole_pages));
                // Where elements keep their order, those of this chunk come behind those of the chunks before it.
                pass.bucket_begins[bucket] = size;
            }
            before += total;
            __syncthreads();
        }
        all = (double)before;
    }
    for (u32 range = threadIdx.x; range <= bucket_count; range += kPageThreads) {
        store.taken[range] = 0;
    }
    if (threadIdx.x == 0) {
        store.range_begins[bucket_count] = free.before_page((u32)pages.array_pages);
        store.range_begins[bucket_count + 1] = count;
        pass.segment_offsets[1] = pass.element_count;
    }
}
