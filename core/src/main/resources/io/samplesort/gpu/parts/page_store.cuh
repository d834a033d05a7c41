// How the first pass of a sort in place finds memory to write to. A page is free as soon as all its elements have been
// loaded, and a bucket that grows beyond its last page takes a free one.
//
// There is always a free page. A block that takes one has the elements of a tile in shared memory, and blocks have
// taken few tiles that they have not released (ChunkPlan.mostBlocks). All other elements that have been loaded lie in
// pages of buckets. So in addition to full pages there are at most two pages for each bucket, one of which has been
// taken ahead, and the memory outside the array has more than these.
#pragma once
#include "parts/basics.cuh"

// The host writes all fields as eight bytes each, by the same names (KernelStructs.PageStore).
struct PageStore {
    u64* told;  // [bucket_count << log_told_pages]: pages of each bucket by their numbers (tell_page); all 0 before
    u64 log_told_pages;
    u64* latest;         // [bucket_count]: the last two pages of each bucket (LatestPages)
    u32* owners;         // for each page: its bucket, and in the kPageBits below its number in it; or kNobody
    u32* free_pages;     // a bit for each page
    u32* homes;          // [bucket_count + 1]: where each bucket finally belongs, in pages of the array
    u32* cursor;         // where the search for any free page begins, in words for each lane of a warp
    u32* loaded_tiles;   // for each page, if a page has several tiles: how many have been loaded; 0 before
    u32* tickets;        // how many tiles of the chunk have been taken
    u64 page_count;      // in the array and outside it
    u64 whole_pages;     // of the array
    u64 strides;         // how many rounds through the array read its pages
    u64 pages_a_stride;  // how many pages a round has
    u64 stride_factor;   // 2^32 divided by that, rounded up

    // Returns which page comes at this place in the order of reading.
    __device__ __forceinline__ u32 page_read(u32 place) const {
        // All threads compute this for each tile, and a division would take long.
        const u32 round = (u32)(place * stride_factor >> 32);
        return round < (u32)strides ? (place - round * (u32)pages_a_stride) * (u32)strides + round : place;
    }
};

constexpr u32 kNobody = ~0u;
constexpr u32 kNoPage = (1u << kPageBits) - 1;

// Returns the bits of those pages of a word that are from `begin` to `end`.
__device__ __forceinline__ u32 bits_between(u32 word, u32 begin, u32 end) {
    const u32 low = word * kWarpSize;
    const u32 first = begin > low ? min_of(begin - low, kWarpSize) : 0;
    const u32 behind = end > low ? min_of(end - low, kWarpSize) : 0;
    return first < behind ? kAllLanes >> (kWarpSize - behind) & kAllLanes << first : 0;
}

// Returns the first set bit from `turn` on, or else the first one below. So warps that search the same pages at a time
// begin at different ones.
__device__ __forceinline__ u32 first_bit(u32 bits, u32 turn) {
    const u32 above = bits & kAllLanes << turn % kWarpSize;
    return __ffs((int)(above != 0 ? above : bits)) - 1;
}

// Takes one of the pages of a word that were read as free; returns kNoPage if others have taken all of them.
__device__ __forceinline__ u32 take_page_of(const PageStore& store, u32 word, u32 bits, u32 turn) {
    while (bits != 0) {
        const u32 bit = first_bit(bits, turn);
        const u32 free = atomicAnd(&store.free_pages[word], ~(1u << bit));
        if ((free >> bit & 1) != 0) {
            return word * kWarpSize + bit;
        }
        bits &= free;
    }
    return kNoPage;
}

// Takes a free page from `begin` to `end` in the words from `first_word` on, one for each lane of the warp; returns
// kNoPage if there is none. So a search takes as long as two successive accesses to global memory.
__device__ __forceinline__ u32
take_page_of_window(const PageStore& store, u32 first_word, u32 bits, u32 begin, u32 end, u32 turn) {
    const u32 word = first_word + threadIdx.x % kWarpSize;
    bits &= bits_between(word, begin, end);
    u32 words = __ballot_sync(kAllLanes, bits != 0);
    while (words != 0) {
        const u32 taker = first_bit(words, turn);
        const u32 own = threadIdx.x % kWarpSize == taker ? take_page_of(store, word, bits, turn) : kNoPage;
        const u32 page = __shfl_sync(kAllLanes, own, (int)taker);
        if (page != kNoPage) {
            return page;
        }
        words &= ~(1u << taker);
    }
    return kNoPage;
}

// Returns the bits of a word for each lane, from `first_word` on.
__device__ __forceinline__ u32 free_bits(const PageStore& store, u32 first_word) {
    const u32 word = first_word + threadIdx.x % kWarpSize;
    return word < ceil_div(store.page_count, kWarpSize) ? *(volatile u32*)&store.free_pages[word] : 0;
}

// How often all pages are searched before a bucket gives up. There is always a free page, but other blocks may take
// pages ahead of the search and free pages behind it.
constexpr u32 kMostSearches = 64;

// Takes any free page. The search begins where the last one ended, as most pages before that have been taken.
__device__ inline u32 take_any_page(const PageStore& store, u32 turn) {
    const u32 windows = (u32)ceil_div(store.page_count, kWarpSize * kWarpSize);
    const u32 last = __shfl_sync(kAllLanes, *(volatile u32*)store.cursor, 0);
    for (u32 i = 0; i < kMostSearches * windows; ++i) {
        const u32 window = (last + i) % windows;
        const u32 first_word = window * kWarpSize;
        const u32 page =
            take_page_of_window(store, first_word, free_bits(store, first_word), 0, (u32)store.page_count, turn);
        if (page != kNoPage) {
            if (i != 0 && threadIdx.x % kWarpSize == 0) {
                *(volatile u32*)store.cursor = window;
            }
            return page;
        }
    }
    return kNoPage;
}

// What a warp requests before it takes a page for a bucket: words of bits around page `near`, the last one that the
// bucket has taken (or kNoPage), and where the bucket belongs. All loads are in flight at the same time, and no thread
// waits for them before they are used.
struct PageSearch {
    u32 bits;
    u32 begin;
    u32 end;

    __device__ __forceinline__ PageSearch() {}

    __device__ __forceinline__ PageSearch(const PageStore& store, u32 bucket, u32 near)
        : bits(free_bits(store, first_word(near))), begin(store.homes[bucket]), end(store.homes[bucket + 1]) {}

    // Takes a free page: one where the bucket belongs if there is any, else one close to that, where other buckets of
    // its region belong, else one outside the array, else any page.
    __device__ __forceinline__ u32 take(const PageStore& store, u32 bucket, u32 near) const {
        const bool is_home = begin <= near && near < end;
        const u32 first = first_word(is_home ? near : begin);
        const u32 words = is_home ? bits : free_bits(store, first);
        u32 page = take_page_of_window(store, first, words, begin, end, bucket);
        if (page == kNoPage && begin < store.whole_pages) {
            page = take_page_of_window(store, first, words, 0, (u32)store.whole_pages, kBefore);
        }
        return page != kNoPage ? page : take_any_page(store, bucket);
    }

  private:
    // How many of the examined words lie before that of the page.
    static constexpr u32 kBefore = kWarpSize / 2;

    __device__ __forceinline__ static u32 first_word(u32 near) {
        return near == kNoPage ? 0 : max_of(near / kWarpSize, kBefore) - kBefore;
    }
};

// The last pages of a bucket in one word: the number of the last one, that page, and the one before it.
struct LatestPages {
    u64 bits;

    __device__ static u64 of(u32 number, u32 page, u32 before) {
        return (u64)number << 2 * kPageBits | (u64)page << kPageBits | before;
    }

    // Returns the page of this number; kNoPage if it is neither of the two.
    __device__ __forceinline__ u32 page(u32 number) const {
        const u32 last = (u32)(bits >> 2 * kPageBits);
        return number == last ? (u32)(bits >> kPageBits) & kNoPage : number + 1 == last ? (u32)bits & kNoPage : kNoPage;
    }
};

// Returns the word of `told` for a page of a bucket.
__device__ __forceinline__ u64* told_word(const PageStore& store, u32 bucket, u32 number) {
    const u32 place = number & ((1u << store.log_told_pages) - 1);
    return &store.told[((u64)bucket << store.log_told_pages) + place];
}

// Tells all tiles which page a bucket has under this number, and which one under the number before, if that is not
// kNoPage. A word of `told` has the page in its lower half, and one more than its number in the upper half. Pages share
// the words, and the later one stays, so that a word says whether it is too early or too late for a page. Nothing here
// waits.
__device__ __forceinline__ void tell_page(const PageStore& store, u32 bucket, u32 number, u32 page, u32 before) {
    if (page != kNoPage) {
        *(volatile u32*)&store.owners[page] = bucket << kPageBits | number;
    }
    atomicMax(told_word(store, bucket, number), (u64)(number + 1) << 32 | page);
    if (page != kNoPage && before != kNoPage) {
        atomicMax(&store.latest[bucket], LatestPages::of(number, page, before));
    }
}

constexpr u32 kNotYet = ~0u;

// Returns the page of a bucket with this number, or kNotYet. This is for a block that was so late that a later page has
// taken the word.
__device__ inline u32 find_overtaken_page(const PageStore& store, u32 bucket, u32 number) {
    for (u32 page = 0; page < store.page_count; ++page) {
        if (*(volatile u32*)&store.owners[page] == (bucket << kPageBits | number)) {
            return page;
        }
    }
    return kNotYet;
}

// Returns the page of a bucket with this number. If no tile has told it yet, returns kNotYet, or waits for it. The tile
// that has the first place of the page before it tells it, without waiting for any other.
__device__ __forceinline__ u32 find_page(const PageStore& store, u32 bucket, u32 number, bool waits) {
    u32 page = kNotYet;
    do {
        const u64 entry = *(volatile u64*)told_word(store, bucket, number);
        const u32 told = (u32)(entry >> 32);
        if (told == number + 1) {
            return (u32)entry;
        }
        if (told > number) {
            page = find_overtaken_page(store, bucket, number);
        }
    } while (waits && page == kNotYet);
    return page;
}
