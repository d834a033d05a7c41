// The first pass of a sort in place: it reads tiles of a chunk, and writes to the pages of buckets.
#pragma once
#include "parts/page_store.cuh"

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

    // What a thread asks for early, so that nobody waits for it later: the last pages of its buckets, and a ticket.
    template <u32 kShare>
    struct Outlook {
        LatestPages latest[kShare];
        u32 ticket;
    };

    template <u32 kShare>
    __device__ __forceinline__ Outlook<kShare> look_ahead(const Pass& pass) const {
        const u32 bucket_count = 1u << pass.log_bucket_count;
        const u32 share = (bucket_count + kDistributionThreads - 1) / kDistributionThreads;
        const u32 first = threadIdx.x * share;
        Outlook<kShare> outlook;
#pragma unroll
        for (u32 i = 0; i < kShare; ++i) {
            outlook.latest[i].bits = i < share && first + i < bucket_count ? *(volatile u64*)&store.latest[first + i] : 0;
        }
        outlook.ticket = !kKeepsOrder && threadIdx.x == kDistributionThreads - 1 ? atomicAdd(store.tickets, 1u) : 0;
        return outlook;
    }

    // The destination of a bucket is a page, and below that where position 0 of the tile would go in the page. What goes
    // beyond the end of the page goes on in a second one. Rooms have no end here, so their part of shared memory has that.
    //
    // Whoever has the first place of a page takes the page behind it, which will hardly be needed soon. So nobody waits
    // for that: neither this block, which goes on meanwhile, nor others. If somebody needs a page that is not there yet,
    // this block takes its pages first, and then waits for those of others.
    template <typename Shared, u32 kShare>
    __device__ __forceinline__ void publish(
        const Shared& shared, const Pass& pass, const u64 (&places)[kShare], const Outlook<kShare>& outlook) const {
        const u32 bucket_count = 1u << pass.log_bucket_count;
        const u32 share = (bucket_count + kDistributionThreads - 1) / kDistributionThreads;
        const u32 first = threadIdx.x * share;
        // All threads of the block have read the ticket before, and this one is for the tile behind the next one.
        if (!kKeepsOrder && threadIdx.x == kDistributionThreads - 1) {
            shared.tickets[1] = outlook.ticket;
        }
        u32 begun[kShare];
        u32 begun_pages[kShare];
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
                    is_complete =
                        place_bucket(
                            shared, pass, bucket, start, size, places[i], outlook.latest[i], begun[i], begun_pages[i], waits)
                        && is_complete;
                }
            }
            if (waits) {
                break;
            }
            const bool all_complete = __syncthreads_and(is_complete);
#pragma unroll
            for (u32 i = 0; i < kShare; ++i) {
                if (begun[i] != kNobody) {
                    const u32 near = begun_pages[i] == kNotYet ? kNoPage : begun_pages[i];
                    tell_page(store, first + i, begun[i] + 1, take_page(store, first + i, bucket_count, near), near);
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
                const u32 place = (u32)destination + position;
                const bool goes_on = place >= (u32)pages.page_size();
                const u32 in_page = goes_on ? place - (u32)pages.page_size() : place;
                const u32 page = goes_on ? (u32)shared.ends[entry] : (u32)(destination >> 32);
                pages.store(array, page, in_page, shared.elements[position]);
            }
        }
    }

    // A first pass divides whatever there is.
    __device__ __forceinline__ void copy(const Pass&, const Tile&, u8, const Element (&)[kDistributionItems]) const {}

  private:
    // Returns the page of a bucket of this number, as find_page does.
    __device__ __forceinline__ u32 page_of(u32 bucket, u32 number, const LatestPages& latest, bool waits) const {
        const u32 page = latest.page(number);
        return page != kNoPage ? page : find_page(store, bucket, number, waits);
    }

    // Says where the elements of a bucket go. Returns false if it has no page for them yet. `begun` becomes the number of
    // a page if they have its first place, and `begun_page` that page.
    template <typename Shared>
    __device__ __forceinline__ bool place_bucket(
        const Shared& shared, const Pass& pass, u32 bucket, u32 start, u32 size, u64 place,
        const LatestPages& latest, u32& begun, u32& begun_page, bool waits) const {
        const u32 number = page_number(place);
        const u64 skipped = place - number * pages.page_size();
        const bool goes_on = skipped + size > pages.page_size();
        begun = skipped == 0 ? number : goes_on ? number + 1 : kNobody;
        const u32 page = page_of(bucket, number, latest, waits);
        const u32 second = goes_on ? page_of(bucket, number + 1, latest, waits) : 0;
        begun_page = goes_on ? second : page;
        const u32 entry = shared.rows[start / kWarpSize].bucket(start % kWarpSize);
        const bool fits = page != kNoPage && second != kNoPage;
        shared.destinations[entry] = fits ? (u64)page << 32 | ((u32)skipped - start) : kNowhere;
        shared.ends[entry] = second;
        if (!fits) {
            atomicMax(&pass.overflows[0], 1u);
        }
        return page != kNotYet && second != kNotYet;
    }

    __device__ __forceinline__ u32 page_number(u64 place) const { return (u32)(place / kTileSize) >> pages.log_tiles; }
};
