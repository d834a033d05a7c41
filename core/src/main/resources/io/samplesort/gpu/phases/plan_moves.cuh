// Decides which pages move in a sort in place, and where to. First the pages in the work area move to free pages. Then
// the regions are taken one after another. The elements of a region are divided into the work area, which leaves their
// pages free. Other pages that lie where the region belongs move to free pages after it, and the region is written
// there.
//
// There is always a free page: each bucket after a region needs at most one page more than its elements fill, and the
// page area has that many.
#pragma once
#include "parts/last_begin.cuh"
#include "parts/page_store.cuh"
#include "parts/pages.cuh"
#include "parts/region_plan.cuh"

// Returns the words of bits for this many pages.
__host__ __device__ constexpr u32 page_words(u32 pages) { return (pages + kWarpSize - 1) / kWarpSize; }

// The shared memory of the block: totals of warps, counters, a bit for each page, set if it is free, and one for each
// word of these, set if it may have any, the places of the first page of each bucket and of each region in the list and
// the end of the list, the number of elements in the last page of each bucket, and the place of each region.
__host__ __device__ constexpr u32 moves_shared_bytes(u32 bucket_count, u32 regions, u32 pages) {
    return kWarpSize * sizeof(u64) + 2 * sizeof(u64) + 4 * sizeof(u32)
        + (page_words(pages) + page_words(page_words(pages)) + (bucket_count + 1) + bucket_count + (regions + 1)
           + regions)
        * sizeof(u32);
}

// The state that the threads of the block share. Pages are numbered: those of the array come first, and after them
// those of the page area.
struct MovePlan {
    // How many pages a thread looks up at once.
    static constexpr u32 kAtOnce = 4;

    u64* moved_elements;
    u32* move_count;
    u32* needed;     // pages that have to move in a step
    u32* available;  // pages that are free after the region
    u32* lacks_pages;
    u32* free_pages;
    u32* free_words;
    u32* bucket_firsts;
    u32* last_sizes;
    u32* region_firsts;
    u32* homes;
    u32 bucket_count;
    u32 region_count;
    u32 page_count;
    const Pages& pages;
    const PageStore& store;  // its owners are the places of pages of the array in the list
    u32* list;
    PageMove* moves;

    // Returns the first word from `word` on that may have set bits, or the number of words.
    __device__ u32 next_word(u32 word) const {
        const u32 end = page_words(page_count);
        while (word < end) {
            const u32 bits = *(volatile u32*)&free_words[word / kWarpSize] & kAllLanes << word % kWarpSize;
            if (bits != 0) {
                return word / kWarpSize * kWarpSize + __ffs((int)bits) - 1;
            }
            word = (word / kWarpSize + 1) * kWarpSize;
        }
        return end;
    }

    // Takes a free page from `lowest` on, in the first word from `word` on that has any; returns kNoPage if there is
    // none. No page may become free meanwhile.
    __device__ u32 take_from(u32 word, u32 lowest) const {
        PageStore free = store;
        free.free_pages = free_pages;
        for (word = next_word(word); word < page_words(page_count); word = next_word(word + 1)) {
            const u32 bits = *(volatile u32*)&free_pages[word];
            if (bits == 0) {
                atomicAnd(&free_words[word / kWarpSize], ~(1u << word % kWarpSize));
                continue;
            }
            const u32 page = take_page_of(free, word, bits & bits_between(word, lowest, page_count), threadIdx.x);
            if (page != kNoPage) {
                return page;
            }
        }
        return kNoPage;
    }

    // Takes the first free page from `home` on, or else from `lowest` on; returns kNoPage if there is none.
    __device__ u32 take(u32 home, u32 lowest) const {
        const u32 page = take_from(home / kWarpSize, lowest);
        return page != kNoPage ? page : take_from(lowest / kWarpSize, lowest);
    }

    // Moves page `source`, which has a place in the list, to a free one from `lowest` on; if possible, to one where its
    // region belongs or after that.
    __device__ void move(u32 source, u32 place, u32 lowest) const {
        const u32 target = take(max_of(homes[last_begin(region_firsts, region_count, place)], lowest), lowest);
        if (target == kNoPage) {
            *lacks_pages = 1;
            return;
        }
        const u32 bucket = last_begin(bucket_firsts, bucket_count, place);
        const u64 count = place + 1 == bucket_firsts[bucket + 1] ? last_sizes[bucket] : pages.page_size();
        moves[atomicAdd(move_count, 1u)] = PageMove{source, target, count};
        atomicAdd(moved_elements, count);
        list[place] = target;
        if (source < pages.array_pages) {
            store.owners[source] = kNobody;
        }
        if (target < pages.array_pages) {
            store.owners[target] = place;
        }
    }

    // Frees the pages of a region that lie from page `from` on.
    __device__ void leave(u32 region, u32 from) const {
        const u32 end = region_firsts[region + 1];
        for (u32 first = region_firsts[region] + threadIdx.x; first < end; first += kAtOnce * kPageThreads) {
            u32 left[kAtOnce];
#pragma unroll
            for (u32 i = 0; i < kAtOnce; ++i) {
                const u32 place = first + i * kPageThreads;
                left[i] = place < end ? list[place] : 0;
            }
#pragma unroll
            for (u32 i = 0; i < kAtOnce; ++i) {
                if (first + i * kPageThreads < end && left[i] >= from) {
                    const u32 word = left[i] / kWarpSize;
                    atomicOr(&free_pages[word], 1u << left[i] % kWarpSize);
                    atomicOr(&free_words[word / kWarpSize], 1u << word % kWarpSize);
                }
            }
        }
    }

    // Calls `use` for each page from `begin` to `end` that belongs to a region after this one, and for its place. The
    // threads of a warp first collect their few pages, so the warp takes only as long as the thread with most of them.
    template <typename Use>
    __device__ void for_strangers(u32 region, u32 begin, u32 end, const Use& use) const {
        for (u32 first = begin + threadIdx.x; first < end; first += kAtOnce * kPageThreads) {
            u32 places[kAtOnce];
#pragma unroll
            for (u32 i = 0; i < kAtOnce; ++i) {
                const u32 page = first + i * kPageThreads;
                places[i] = page < end ? store.owners[page] : kNobody;
            }
            u32 strangers = 0;
#pragma unroll
            for (u32 i = 0; i < kAtOnce; ++i) {
                strangers |= (places[i] != kNobody && places[i] >= region_firsts[region + 1] ? 1u : 0u) << i;
            }
            for (; strangers != 0; strangers &= strangers - 1) {
                const u32 next = __ffs((int)strangers) - 1;
                u32 place = places[0];
#pragma unroll
                for (u32 i = 1; i < kAtOnce; ++i) {
                    place = i == next ? places[i] : place;
                }
                use(first + next * kPageThreads, place);
            }
        }
    }
};

// Takes a region, and frees its place. As long as other pages are free, none moves to where the region lies, so the
// step need not wait until the region has been divided.
__device__ __forceinline__ void take_region(const MovePlan& plan, u32 number, Region& region) {
    const u64 page_size = plan.pages.page_size();
    const u32 begin = (u32)(region.begin / page_size);
    const u32 end = (u32)ceil_div(region.begin + region.count, page_size);
    const u32 whole_end = min_of(end, (u32)plan.store.whole_pages);
    const u32 moved_before = *plan.move_count;
    for (u32 word = begin / kWarpSize + threadIdx.x; word <= (end - 1) / kWarpSize; word += kPageThreads) {
        plan.free_pages[word] &= ~bits_between(word, begin, end);
    }
    __syncthreads();
    u32 needed = 0;
    plan.for_strangers(number, begin, whole_end, [&](u32, u32) { ++needed; });
    u32 available = 0;
    for (u32 word = end / kWarpSize + threadIdx.x; word < page_words(plan.page_count); word += kPageThreads) {
        available += __popc(plan.free_pages[word] & bits_between(word, end, plan.page_count));
    }
    needed = warp_sum(needed);
    available = warp_sum(available);
    if (threadIdx.x % kWarpSize == 0) {
        atomicAdd(plan.needed, needed);
        atomicAdd(plan.available, available);
    }
    __syncthreads();
    const bool is_behind = *plan.needed > *plan.available;
    if (is_behind) {
        plan.leave(number, end);
        __syncthreads();
    }
    if (*plan.needed != 0) {
        plan.for_strangers(number, begin, whole_end, [&](u32 page, u32 place) { plan.move(page, place, end); });
    }
    __syncthreads();
    if (!is_behind) {
        plan.leave(number, end);
    }
    if (threadIdx.x == 0) {
        region.moves = *plan.move_count - moved_before;
        region.moves_behind = is_behind;
        *plan.needed = 0;
        *plan.available = 0;
    }
    __syncthreads();
}

// This takes one block. `pages` and `store` are those of the first pass, and `first` is that pass. The store has the
// place of each page in the list, and `listed` is the list. It is copied to `list` and changed there, so that `list`
// finally has the pages of each region at the time when the region is divided.
extern "C" __global__ void __launch_bounds__(kPageThreads, 1) plan_moves(
    Pages pages, PageStore store, Pass first, const u32* listed, u32* list, PageMove* moves, RegionPlan* plan,
    u64 area_pages, u64 most_regions) {
    follow_previous_kernel();
    u64* warp_totals = (u64*)shared_memory;
    u64* moved_elements = warp_totals + kWarpSize;
    u32* counters = (u32*)(moved_elements + 2);
    u32* free_pages = counters + 4;
    const u32 bucket_count = 1u << first.log_bucket_count;
    const u32 region_count = (u32)plan->region_count;
    const u32 array_pages = (u32)pages.array_pages;
    const u32 page_count = array_pages + (u32)area_pages;
    u32* free_words = free_pages + page_words(page_count);
    u32* bucket_firsts = free_words + page_words(page_words(page_count));
    u32* last_sizes = bucket_firsts + bucket_count + 1;
    u32* region_firsts = last_sizes + bucket_count;
    u32* homes = region_firsts + most_regions + 1;
    if (threadIdx.x < 4) {
        counters[threadIdx.x] = 0;
    }
    if (threadIdx.x == 0) {
        *moved_elements = 0;
    }
    // The page area is still empty.
    for (u32 word = threadIdx.x; word < page_words(page_count); word += kPageThreads) {
        const u32 in_array =
            word * kWarpSize < array_pages ? store.free_pages[word] & bits_between(word, 0, array_pages) : 0;
        const u32 in_area = (word + 1) * kWarpSize > array_pages ? bits_between(word, array_pages, page_count) : 0;
        free_pages[word] = in_array | in_area;
        if (word % kWarpSize == 0) {
            free_words[word / kWarpSize] = kAllLanes;
        }
    }
    u32 list_end = 0;
    for (u32 base = 0; base < bucket_count; base += kPageThreads) {
        const u32 bucket = base + threadIdx.x;
        const u64 size = bucket < bucket_count ? first.write_positions[bucket] : 0;
        const u32 count = (u32)ceil_div(size, pages.page_size());
        u64 total;
        const u32 before = list_end + (u32)block_exclusive_scan<u64>(count, warp_totals, total);
        if (bucket < bucket_count) {
            bucket_firsts[bucket] = before;
            last_sizes[bucket] = (u32)(size - (count == 0 ? 0 : count - 1) * pages.page_size());
        }
        list_end += (u32)total;
        __syncthreads();
    }
    for (u32 number = threadIdx.x; number < region_count; number += kPageThreads) {
        const Region& region = plan->regions()[number];
        region_firsts[number] = (u32)region.first_page;
        homes[number] = (u32)ceil_div(region.begin, pages.page_size());
    }
    if (threadIdx.x == 0) {
        bucket_firsts[bucket_count] = list_end;
        region_firsts[region_count] = list_end;
    }
    if (region_count == 0) {
        return;
    }
    for (u32 place = threadIdx.x; place < list_end; place += kPageThreads) {
        list[place] = listed[place];
    }
    __syncthreads();
    const MovePlan shared{moved_elements, counters,      counters + 1, counters + 2,  counters + 3, free_pages,
                          free_words,     bucket_firsts, last_sizes,   region_firsts, homes,        bucket_count,
                          region_count,   page_count,    pages,        store,         list,         moves};
    for (u32 page = array_pages + threadIdx.x; page < store.page_count; page += kPageThreads) {
        const u32 place = store.owners[page];
        if (place != kNobody) {
            shared.move(page, place, 0);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        plan->settled = *shared.move_count;
    }
    for (u32 number = 0; number < region_count; ++number) {
        take_region(shared, number, plan->regions()[number]);
    }
    if (threadIdx.x == 0) {
        plan->moved_elements = *moved_elements;
        plan->lacks_pages = *shared.lacks_pages;
    }
}
