// How the first pass of a sort in place finds memory to write to. A page is free as soon as all its elements have been
// loaded, and a bucket that grows beyond its last page takes a free one.
//
// There always is a free page. A block that takes one has the elements of a tile in shared memory, and the tiles that
// blocks have taken and not released are few (ChunkPlan.mostBlocks). All other elements that have been loaded lie in
// pages of buckets. So beside those that are full there are two pages for each bucket at most, one of which has been
// taken ahead, and the memory beside the array has more.
#pragma once
#include "parts/pages.cuh"

// The host writes all fields as eight bytes each, by the same names (KernelStructs.PageStore).
struct PageStore {
    u64* told;           // [bucket_count << log_told_pages]: pages of each bucket by their numbers (tell_page); 0 before
    u64 log_told_pages;
    u64* latest;         // [bucket_count]: the last two pages of each bucket (LatestPages)
    u32* owners;         // for each page: its bucket, and in the kPageBits below its number in it; or kNobody
    u32* free_pages;     // a bit for each page
    u32* homes;          // [bucket_count + 1]: where each bucket belongs in the end, in pages of the array
    u32* cursors;        // [bucket_count + 1]: where free pages are looked for, in words; the last one is of no bucket
    u32* loaded_tiles;   // for each page, if a page has several tiles: how many have been loaded; 0 before
    u32* tickets;        // how many tiles of the chunk have been taken
    u64 page_count;      // of the array and beside it
    u64 whole_pages;     // of the array
    u64 strides;         // pages are read in so many rounds through the array, each of which has
    u64 pages_a_stride;  // so many pages

    // Returns which page comes at this place in the order of reading.
    __device__ __forceinline__ u32 page_read(u32 place) const {
        const u32 in_strides = (u32)(strides * pages_a_stride);
        return place < in_strides ? place % (u32)pages_a_stride * (u32)strides + place / (u32)pages_a_stride : place;
    }
};

constexpr u32 kNobody = ~0u;
constexpr u32 kNoPage = (1u << kPageBits) - 1;

// Words of bits that a bucket looks at where it belongs before it looks elsewhere.
constexpr u32 kHomeWords = 8;

// Takes a free page of those from `begin` to `end` in a word of bits; returns kNoPage if there is none.
__device__ __forceinline__ u32 take_page_of(
    const PageStore& store, u32 word, u32 bits, u32 begin, u32 end, u32 bucket) {
    if (word == begin / kWarpSize) {
        bits &= kAllLanes << begin % kWarpSize;
    }
    if (word == (end - 1) / kWarpSize) {
        bits &= kAllLanes >> (kWarpSize - 1 - (end - 1) % kWarpSize);
    }
    while (bits != 0) {
        // Those that look at one word at a time begin at different bits.
        const u32 turn = bucket % kWarpSize;
        const u32 above = bits & kAllLanes << turn;
        const u32 bit = __ffs((int)(above != 0 ? above : bits)) - 1;
        if ((atomicAnd(&store.free_pages[word], ~(1u << bit)) >> bit & 1) != 0) {
            return word * kWarpSize + bit;
        }
        bits &= ~(1u << bit);
    }
    return kNoPage;
}

// Looks for a free page from `begin` to `end`, in so many words of bits at most, and takes it. Begins where the last
// search has ended, as what comes before that has mostly been taken.
__device__ inline u32 take_page_between(
    const PageStore& store, u32 begin, u32 end, volatile u32* cursor, u32 most_words, u32 bucket) {
    if (begin >= end) {
        return kNoPage;
    }
    const u32 first_word = begin / kWarpSize;
    const u32 last_word = (end - 1) / kWarpSize;
    u32 word = min_of(max_of(*cursor, first_word), last_word);
    for (u32 i = 0; i < most_words && i <= last_word - first_word; ++i) {
        const u32 bits = *(volatile u32*)&store.free_pages[word];
        const u32 page = take_page_of(store, word, bits, begin, end, bucket);
        if (page != kNoPage) {
            if (i != 0) {
                *cursor = word;
            }
            return page;
        }
        word = word == last_word ? first_word : word + 1;
    }
    *cursor = word;
    return kNoPage;
}

// How often all pages are looked at before a bucket gives up. There always is a free page, but others may take those
// that are ahead and leave those that are behind.
constexpr u32 kMostSearches = 64;

// Takes a free page: where the bucket belongs if there is one, else beside the array as long as there are any, else
// anywhere. Looks beside page `near` first, which the bucket has taken last, or kNoPage. So the bits come at the same
// time as the bounds.
__device__ inline u32 take_page(const PageStore& store, u32 bucket, u32 bucket_count, u32 near) {
    const u32 word = near == kNoPage ? 0 : near / kWarpSize;
    const u32 bits = *(volatile u32*)&store.free_pages[word];
    const u32 begin = store.homes[bucket];
    const u32 end = store.homes[bucket + 1];
    u32 page = kNoPage;
    if (begin <= near && near < end) {
        page = take_page_of(store, word, bits, begin, end, bucket);
    }
    if (page == kNoPage) {
        page = take_page_between(store, begin, end, &store.cursors[bucket], kHomeWords, bucket);
    }
    for (u32 i = 0; page == kNoPage && i < kMostSearches; ++i) {
        page = take_page_between(store, 0, (u32)store.page_count, &store.cursors[bucket_count], ~0u, bucket);
    }
    return page;
}

// The last pages of a bucket in one word: the number of the last one, that page, and the one before it.
struct LatestPages {
    u64 bits;

    __device__ static u64 of(u32 number, u32 page, u32 before) {
        return (u64)number << 2 * kPageBits | (u64)page << kPageBits | before;
    }

    // Returns the page of this number; kNoPage if it is neither of the two.
    __device__ __forceinline__ u32 page(u32 number) const {
        const u32 last = (u32)(bits >> 2 * kPageBits);
        return number == last  ? (u32)(bits >> kPageBits) & kNoPage
            : number + 1 == last ? (u32)bits & kNoPage
                                 : kNoPage;
    }
};

// Returns the word of `told` for a page of a bucket.
__device__ __forceinline__ u64* told_word(const PageStore& store, u32 bucket, u32 number) {
    const u32 place = number & ((1u << store.log_told_pages) - 1);
    return &store.told[((u64)bucket << store.log_told_pages) + place];
}

// Tells all tiles which page a bucket has as the one of this number, and which one before it, if that is not kNoPage. A
// word of `told` has the page in its lower half, and one more than its number above. Pages share the words, and the
// later one stays, so that a word says whether it is too early or too late for a page. Nothing here waits.
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

// Returns the page of a bucket of this number, or kNotYet, for a block that was so late that a later page has its word.
__device__ inline u32 find_overtaken_page(const PageStore& store, u32 bucket, u32 number) {
    for (u32 page = 0; page < store.page_count; ++page) {
        if (*(volatile u32*)&store.owners[page] == (bucket << kPageBits | number)) {
            return page;
        }
    }
    return kNotYet;
}

// Returns the page of a bucket of this number. If nobody has told it yet, returns kNotYet, or waits for it. Some tile has
// the first place of the page before it, and tells it without waiting for anybody.
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
