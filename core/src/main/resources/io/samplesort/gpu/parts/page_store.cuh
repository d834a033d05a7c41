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
    u64* table;          // where the pages of buckets are found (tell_page); 0 before
    u64 log_table_size;
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
        u32 bits = *(volatile u32*)&store.free_pages[word];
        if (word == first_word) {
            bits &= kAllLanes << begin % kWarpSize;
        }
        if (word == last_word) {
            bits &= kAllLanes >> (kWarpSize - 1 - (end - 1) % kWarpSize);
        }
        while (bits != 0) {
            // Those that look at one word at a time begin at different bits.
            const u32 turn = bucket % kWarpSize;
            const u32 above = bits & kAllLanes << turn;
            const u32 bit = __ffs((int)(above != 0 ? above : bits)) - 1;
            if ((atomicAnd(&store.free_pages[word], ~(1u << bit)) >> bit & 1) != 0) {
                if (i != 0) {
                    *cursor = word;
                }
                return word * kWarpSize + bit;
            }
            bits &= ~(1u << bit);
        }
        word = word == last_word ? first_word : word + 1;
    }
    *cursor = word;
    return kNoPage;
}

// Words of bits that a bucket looks at where it belongs before it looks elsewhere.
constexpr u32 kHomeWords = 8;

// How often all pages are looked at before a bucket gives up. There always is a free page, but others may take those
// that are ahead and leave those that are behind.
constexpr u32 kMostSearches = 64;

// Takes a free page: where the bucket belongs if there is one, else beside the array as long as there are any, else
// anywhere.
__device__ inline u32 take_page(const PageStore& store, u32 bucket, u32 bucket_count) {
    u32 page = take_page_between(
        store, store.homes[bucket], store.homes[bucket + 1], &store.cursors[bucket], kHomeWords, bucket);
    for (u32 i = 0; page == kNoPage && i < kMostSearches; ++i) {
        page = take_page_between(store, 0, (u32)store.page_count, &store.cursors[bucket_count], ~0u, bucket);
    }
    return page;
}

// Returns where the search for a page in the table begins.
__device__ __forceinline__ u32 first_entry(const PageStore& store, u32 key) {
    return key * 2654435761u >> (32 - store.log_table_size);
}

// Tells all tiles which page a bucket has as the one of this number. The table has the number of a page in the lower half
// of an entry, and what it is looked for by above. It is never full.
__device__ __forceinline__ void tell_page(const PageStore& store, u32 key, u32 page) {
    if (page != kNoPage) {
        store.owners[page] = key;
    }
    const u32 last = (1u << store.log_table_size) - 1;
    const u64 entry = (u64)(key + 1) << 32 | page;
    u32 place = first_entry(store, key);
    while (atomicCAS(&store.table[place], 0ull, entry) != 0) {
        place = (place + 1) & last;
    }
}

constexpr u32 kNotYet = ~0u;

// Returns the page of a bucket of this number. If nobody has told it yet, returns kNotYet, or waits for it. Some tile has
// the first place of the page before it, and tells it without waiting for anybody.
__device__ __forceinline__ u32 find_page(const PageStore& store, u32 bucket, u32 number, bool waits) {
    const u32 key = bucket << kPageBits | number;
    const u32 last = (1u << store.log_table_size) - 1;
    const u32 first = first_entry(store, key);
    u32 place = first;
    for (;;) {
        const u64 entry = *(volatile u64*)&store.table[place];
        if ((u32)(entry >> 32) == key + 1) {
            return (u32)entry;
        }
        if (entry == 0 && !waits) {
            return kNotYet;
        }
        place = entry == 0 ? first : (place + 1) & last;
    }
}

// Elements of a chunk of the array. A place is that of the order of reading, counted from the beginning of the chunk.
struct FromChunk {
    const ElementArray& array;
    const Pages& pages;
    const PageStore& store;
    u32 first_page;  // of the chunk, in the order of reading

    __device__ __forceinline__ u64 begin(const Tile& tile) const {
        const u32 number = (u32)(tile.begin / kTileSize);
        const u32 in_page = number & ((1u << pages.log_tiles) - 1);
        return (((u64)page_of(tile) << pages.log_tiles) + in_page) * kTileSize;
    }

    __device__ __forceinline__ void load(
        const Pass& pass, const Tile& tile, u64 begin, Element (&elements)[kDistributionItems]) const {
        load_tile(array, pass, Tile{tile.segment, begin, tile.count}, elements);
    }

    // Says that all elements of a tile have been loaded, as the block knows by a barrier. Behind the last tile of a page
    // the page is free. The elements have been put into shared memory, so their loads are over, and no fence is needed.
    __device__ __forceinline__ void release(const Tile& tile) const {
        if (threadIdx.x == 0 && tile.count != 0) {
            const u32 page = page_of(tile);
            const u32 others = (1u << pages.log_tiles) - 1;
            if (page < store.whole_pages && (others == 0 || atomicAdd(&store.loaded_tiles[page], 1u) == others)) {
                atomicOr(&store.free_pages[page / kWarpSize], 1u << page % kWarpSize);
            }
        }
    }

  private:
    __device__ __forceinline__ u32 page_of(const Tile& tile) const {
        return store.page_read(first_page + ((u32)(tile.begin / kTileSize) >> pages.log_tiles));
    }
};

// Elements of a pass that go to pages of their buckets. The places of a bucket are numbered from 0 on, over all chunks.
struct ToPages {
    static constexpr bool kHasRooms = false;

    const ElementArray& array;
    const Pages& pages;
    const PageStore& store;

    // The rooms of buckets have no end here, so their part of shared memory says where a second page goes on: the first
    // position of the tile that goes there, and its number below.
    //
    // Whoever has the first place of a page takes the page behind it, which will hardly be needed soon. So nobody waits
    // for that: neither this block, which goes on meanwhile, nor others. If somebody needs a page that is not there yet,
    // this block takes its pages first, and then waits for those of others.
    template <typename Shared, u32 kShare>
    __device__ __forceinline__ void publish(const Shared& shared, const Pass& pass, const u64 (&places)[kShare]) const {
        const u32 bucket_count = 1u << pass.log_bucket_count;
        const u32 share = (bucket_count + kDistributionThreads - 1) / kDistributionThreads;
        const u32 first = threadIdx.x * share;
        // All threads of the block have read the ticket before, and this one is for the tile behind the next one.
        if (!kKeepsOrder && threadIdx.x == kDistributionThreads - 1) {
            shared.tickets[1] = atomicAdd(store.tickets, 1u);
        }
        u32 begun[kShare];
        bool waits = false;
        for (;;) {
            bool is_complete = true;
#pragma unroll
            for (u32 i = 0; i < kShare; ++i) {
                const u32 bucket = first + i;
                const bool exists = i < share && bucket < bucket_count;
                const u32 start = exists ? shared.starts[bucket] : 0;
                const u32 size = exists ? shared.starts[bucket + 1] - start : 0;
                begun[i] = kNobody;
                if (size != 0) {
                    is_complete = place_bucket(shared, pass, bucket, start, size, places[i], begun[i], waits) && is_complete;
                }
            }
            if (waits) {
                break;
            }
            const bool all_complete = __syncthreads_and(is_complete);
#pragma unroll
            for (u32 i = 0; i < kShare; ++i) {
                if (begun[i] != kNobody) {
                    tell_page(store, (first + i) << kPageBits | (begun[i] + 1), take_page(store, first + i, bucket_count));
                }
            }
            if (all_complete) {
                return;
            }
            // No lane waits before all lanes have taken their pages.
            __syncwarp();
            waits = true;
        }
        __syncthreads();
    }

    __device__ __forceinline__ void write(const ScatterShared& shared) const {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            const u32 position = threadIdx.x + i * kDistributionThreads;
            const u32 entry = shared.rows[position / kWarpSize].bucket(threadIdx.x % kWarpSize);
            const u64 destination = shared.destinations[entry];
            if (!is_nowhere(destination)) {
                const u64 end = shared.ends[entry];
                const u32 split = (u32)(end >> 32);
                const u64 place = position < split ? destination + position
                                                   : (u32)end * pages.page_size() + (position - split);
                pages.array_of(array, place).store_ordered(place, shared.elements[position]);
            }
        }
    }

    // A first pass divides whatever there is.
    __device__ __forceinline__ void copy(const Pass&, const Tile&, u8, const Element (&)[kDistributionItems]) const {}

  private:
    // Says where the elements of a bucket go. Returns false if it has no page for them yet. `begun` becomes the number of
    // a page if they have its first place.
    template <typename Shared>
    __device__ __forceinline__ bool place_bucket(
        const Shared& shared, const Pass& pass, u32 bucket, u32 start, u32 size, u64 place, u32& begun,
        bool waits) const {
        const u32 number = page_number(place);
        const u64 skipped = place - number * pages.page_size();
        const bool goes_on = skipped + size > pages.page_size();
        begun = skipped == 0 ? number : goes_on ? number + 1 : kNobody;
        const u32 page = find_page(store, bucket, number, waits);
        const u32 second = goes_on ? find_page(store, bucket, number + 1, waits) : 0;
        const u32 split = goes_on ? start + (u32)(pages.page_size() - skipped) : ~0u;
        const u32 entry = shared.rows[start / kWarpSize].bucket(start % kWarpSize);
        const bool fits = page != kNoPage && second != kNoPage;
        shared.destinations[entry] = fits ? page * pages.page_size() + skipped - start : kNowhere;
        shared.ends[entry] = (u64)split << 32 | second;
        if (!fits) {
            atomicMax(&pass.overflows[0], 1u);
        }
        return page != kNotYet && second != kNotYet;
    }

    __device__ __forceinline__ u32 page_number(u64 place) const { return (u32)(place / kTileSize) >> pages.log_tiles; }
};
