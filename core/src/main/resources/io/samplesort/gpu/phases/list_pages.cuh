// Lists the pages of all buckets, one bucket after another, when the first pass of a sort in place is over.
#pragma once
#include "parts/page_store.cuh"
#include "parts/pages.cuh"

// The shared memory of a block: a total for each warp, and the place of each bucket's first page in the list.
__host__ __device__ constexpr u32 list_shared_bytes(u32 bucket_count) {
    return kWarpSize * sizeof(u64) + (bucket_count + 1) * sizeof(u32);
}

// Each thread has a page. After this, `owners` has the place in the list instead of the owner. Pages that buckets have
// taken ahead are free again.
extern "C" __global__ void __launch_bounds__(kPageThreads)
    list_pages(Pages pages, PageStore store, Pass pass, u32* list) {
    follow_previous_kernel();
    u32* warp_totals = (u32*)shared_memory;
    u32* firsts = (u32*)(shared_memory + kWarpSize * sizeof(u64));
    const u32 bucket_count = 1u << pass.log_bucket_count;
    u32 before = 0;
    for (u32 base = 0; base < bucket_count; base += kPageThreads) {
        const u32 bucket = base + threadIdx.x;
        const u32 count = bucket < bucket_count ? (u32)ceil_div(pass.write_positions[bucket], pages.page_size()) : 0;
        u32 total;
        const u32 first = before + block_exclusive_scan(count, warp_totals, total);
        if (bucket < bucket_count) {
            firsts[bucket] = first;
        }
        before += total;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        firsts[bucket_count] = before;
    }
    __syncthreads();
    const u32 page = blockIdx.x * kPageThreads + threadIdx.x;
    if (page < store.page_count) {
        const u32 owner = store.owners[page];
        if (owner != kNobody) {
            const u32 bucket = owner >> kPageBits;
            const u32 place = firsts[bucket] + (owner & kNoPage);
            if (place < firsts[bucket + 1]) {
                list[place] = page;
                store.owners[page] = place;
            } else {
                store.owners[page] = kNobody;
                atomicOr(&store.free_pages[page / kWarpSize], 1u << page % kWarpSize);
            }
        }
    }
}
