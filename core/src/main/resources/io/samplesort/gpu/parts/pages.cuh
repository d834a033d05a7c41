// The pages of an array that is sorted in place. Its first pass has no second array to write to: it takes the array in
// chunks, and writes each chunk to memory that has been read by then. So a bucket is a list of pages that may lie
// anywhere, and a bucket that grows beyond its last page takes another free one.
//
// A page has whole tiles, so each tile that is read lies in one page, and what a tile has of a bucket goes to two pages
// at most.
#pragma once
#include "parts/bucket_order.cuh"

// Which pages are read, one after another, and where pages lie. They are numbered through: those of the array come
// first, and then those of memory beside it.
//
// The host writes all fields as eight bytes each, by the same names (KernelStructs.Pages).
struct Pages {
    const u32* list;           // the pages in the order in which they are read
    u64 log_tiles;             // log2 of how many tiles a page has
    u64 array_pages;           // pages of the array, the last of which may be shorter
    Key* beside_keys;          // where page 0 would lie if those beside the array went on downwards
    Payload* beside_payloads;

    __device__ __forceinline__ u64 page_size() const { return (u64)kTileSize << log_tiles; }

    // Returns where an element lies, by its place in the order of reading.
    __device__ __forceinline__ u64 find(u64 place) const {
        const u32 tile = (u32)(place / kTileSize);
        const u32 in_page = tile & ((1u << log_tiles) - 1);
        return (((u64)list[tile >> log_tiles] << log_tiles) + in_page) * kTileSize + place % kTileSize;
    }

    // Returns the array that a page lies in which has this place.
    __device__ __forceinline__ ElementArray array_of(const ElementArray& array, u64 place) const {
        return place < array_pages * page_size() ? array : ElementArray{beside_keys, beside_payloads};
    }
};

// Elements of a pass that lie in pages. The places of the pass are those in the order of reading.
struct FromPages {
    const ElementArray& array;
    const Pages& pages;

    __device__ __forceinline__ u64 begin(const Tile& tile) const { return pages.find(tile.begin); }

    __device__ __forceinline__ void load(
        const Pass& pass, const Tile& tile, u64 begin, Element (&elements)[kDistributionItems]) const {
        const Tile placed{tile.segment, begin, tile.count};
        load_tile(pages.array_of(array, begin), pass, placed, elements);
    }
};

// What buckets take their pages from. Free pages stand in a list in the order of their numbers, and each bucket has a
// range of it to itself: those that lie where the bucket belongs in the end. A range behind them has those beside the
// array.
//
// The host writes all fields as eight bytes each, by the same names (KernelStructs.PageStore).
struct PageStore {
    u32* slots;              // [bucket_count * slot_count]: the pages of each bucket, by their number in it
    u64 log_slot_count;      // as many as a bucket can take of a chunk, and more
    u32* owners;             // for each page: its bucket, and in the kPageBits below its number in it; or kNobody
    u32* free_pages;
    u32* range_begins;       // [bucket_count + 2]
    u32* taken;              // [bucket_count + 1]: how many pages of each range have been taken, and some more
    u64 page_count;
    u64 whole_pages;         // of the array
    u64 chunk_count;
    u64 pages_a_chunk;       // where chunks follow each other; 0 where each has every chunk_count-th page
};

constexpr u32 kNobody = ~0u;
constexpr u32 kNoPage = (1u << kPageBits) - 1;

// A slot says how often slots have been used again up to this one, so what an earlier chunk left there is no page of
// this chunk. It is 0 before the first chunk.
__device__ __forceinline__ u32 slot_turn(const PageStore& store, u32 number) {
    return (number >> store.log_slot_count) + 1;
}

__device__ __forceinline__ volatile u32* slot_of(const PageStore& store, u32 bucket, u32 number) {
    return store.slots + ((u64)bucket << store.log_slot_count) + (number & ((1u << store.log_slot_count) - 1));
}

// Takes a free page: one of the bucket's own, else one beside the array, else one of another bucket. There always is
// one, as the host sees to it. A page that a range has lost is never given back, so who finds all ranges empty, one
// after another, knows that there is none.
__device__ inline u32 take_page(const PageStore& store, u32 bucket, u32 bucket_count) {
    for (u32 i = 0; i <= bucket_count; ++i) {
        const u32 range = i == 0 ? bucket : i == 1 ? bucket_count : (bucket + i - 1) % bucket_count;
        const u32 begin = store.range_begins[range];
        const u32 end = store.range_begins[range + 1];
        if (begin < end) {
            const u32 place = begin + atomicAdd(&store.taken[range], 1u);
            if (place < end) {
                return store.free_pages[place];
            }
        }
    }
    return kNoPage;
}

// Gives a bucket its page of this number, and tells all tiles that wait for it.
__device__ __forceinline__ void add_page(const PageStore& store, u32 bucket, u32 number, u32 bucket_count) {
    const u32 page = take_page(store, bucket, bucket_count);
    if (page != kNoPage) {
        store.owners[page] = bucket << kPageBits | number;
    }
    *slot_of(store, bucket, number) = slot_turn(store, number) << kPageBits | page;
}

// Returns a page of a bucket. Some tile has the first place of that page, and adds it without waiting for anybody.
__device__ __forceinline__ u32 wait_for_page(const PageStore& store, u32 bucket, u32 number) {
    volatile u32* slot = slot_of(store, bucket, number);
    u32 word;
    do {
        word = *slot;
    } while (word >> kPageBits != slot_turn(store, number));
    return word & kNoPage;
}

// Elements of a pass that go to pages of their buckets. The places of a bucket are numbered from 0 on, over all chunks.
struct ToPages {
    static constexpr bool kHasRooms = false;

    const ElementArray& array;
    const Pages& pages;
    const PageStore& store;

    // The rooms of buckets have no end here, so their part of shared memory says where a second page goes on: the first
    // position of the tile that goes there, and its number below.
    template <typename Shared, u32 kShare>
    __device__ __forceinline__ void publish(const Shared& shared, const Pass& pass, const u64 (&places)[kShare]) const {
        const u32 bucket_count = 1u << pass.log_bucket_count;
        const u32 share = (bucket_count + kDistributionThreads - 1) / kDistributionThreads;
        const u32 first = threadIdx.x * share;
#pragma unroll
        for (u32 i = 0; i < kShare; ++i) {
            const u32 bucket = first + i;
            const u32 size = i < share && bucket < bucket_count ? shared.starts[bucket + 1] - shared.starts[bucket] : 0;
            if (size != 0) {
                const u32 number = page_number(places[i]);
                const u32 last = page_number(places[i] + size - 1);
                if (places[i] == number * pages.page_size()) {
                    add_page(store, bucket, number, bucket_count);
                }
                if (last != number) {
                    add_page(store, bucket, last, bucket_count);
                }
            }
        }
        // No lane waits before all lanes have added their pages.
        __syncwarp();
#pragma unroll
        for (u32 i = 0; i < kShare; ++i) {
            const u32 bucket = first + i;
            const u32 start = i < share && bucket < bucket_count ? shared.starts[bucket] : 0;
            const u32 size = i < share && bucket < bucket_count ? shared.starts[bucket + 1] - start : 0;
            if (size != 0) {
                const u32 number = page_number(places[i]);
                const u64 skipped = places[i] - number * pages.page_size();
                const u32 page = wait_for_page(store, bucket, number);
                u32 split = ~0u;
                u32 second = 0;
                if (skipped + size > pages.page_size()) {
                    split = start + (u32)(pages.page_size() - skipped);
                    second = wait_for_page(store, bucket, number + 1);
                }
                const u32 entry = shared.rows[start / kWarpSize].bucket(start % kWarpSize);
                const bool fits = page != kNoPage && second != kNoPage;
                shared.destinations[entry] = fits ? page * pages.page_size() + skipped - start : kNowhere;
                shared.ends[entry] = (u64)split << 32 | second;
                if (!fits) {
                    atomicMax(&pass.overflows[0], 1u);
                }
            }
        }
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
    __device__ __forceinline__ u32 page_number(u64 place) const { return (u32)(place / kTileSize) >> pages.log_tiles; }
};
