// The first pass of a sort in place: it reads tiles of a chunk, and writes to the pages of buckets.
#pragma once
#include "parts/page_store.cuh"
#include "parts/pages.cuh"

// Elements of a chunk of the array. A tile begins at a place in the order of reading, counted from the beginning of the
// chunk; if elements need not keep their order, `begin` is the number of the tile there instead.
struct FromChunk {
    const ElementArray& array;
    const Pages& pages;
    const PageStore& store;
    u32 first_page;  // of the chunk, in the order of reading

    __device__ __forceinline__ u64 begin(const Tile& tile) const {
        const u32 in_page = number_of(tile) & ((1u << pages.log_tiles) - 1);
        return (((u64)page_of(tile) << pages.log_tiles) + in_page) * kTileSize;
    }

    __device__ __forceinline__ void load(
        const Pass& pass, const Tile& tile, u64 begin, Element (&elements)[kDistributionItems]) const {
        load_tile(array, pass, Tile{tile.segment, begin, tile.count}, elements);
    }

    // Makes the keys of a tile ready to be compared.
    __device__ __forceinline__ void order(const Pass& pass, Element (&elements)[kDistributionItems]) const {
        order_tile(pass, elements);
    }

    // Counts the loaded tiles of the page, once the block knows by a barrier that all elements of this tile have been
    // loaded: they have been put into shared memory, so their loads are over, and no fence is needed. Returns how many
    // there were before, which takes a while.
    __device__ __forceinline__ u32 count_loaded(const Tile& tile) const {
        return threadIdx.x == 0 && pages.log_tiles != 0 ? atomicAdd(&store.loaded_tiles[page_of(tile)], 1u) : 0;
    }

    // Frees the page after its last tile.
    __device__ __forceinline__ void release(const Tile& tile, u32 loaded_before) const {
        if (threadIdx.x == 0 && loaded_before == (1u << pages.log_tiles) - 1) {
            const u32 page = page_of(tile);
            if (page < store.whole_pages) {
                atomicOr(&store.free_pages[page / kWarpSize], 1u << page % kWarpSize);
            }
        }
    }

  private:
    __device__ __forceinline__ u32 page_of(const Tile& tile) const {
        return store.page_read(first_page + (number_of(tile) >> pages.log_tiles));
    }

    __device__ __forceinline__ static u32 number_of(const Tile& tile) {
        return (u32)(KEEPS_ORDER ? tile.begin / kTileSize : tile.begin);
    }
};

// Elements of a pass that go to pages of their buckets. The places of a bucket are numbered from 0 on, over all chunks.
struct ToPages {
    static constexpr bool kHasRooms = false;

    const ElementArray& array;
    const Pages& pages;
    const PageStore& store;

    // What a thread requests early, so that no thread waits for it later: the last pages of its buckets, and a ticket.
    template <u32 kShare>
    struct Outlook {
        LatestPages latest[kShare];
        u32 ticket;
    };

    // The pages that a thread has begun, for each of its buckets.
    template <u32 kShare>
    struct Begun {
        u32 first_bucket;
        u32 numbers[kShare];  // of the pages in their buckets; or kNobody
        u32 pages[kShare];
    };

    template <u32 kShare>
    __device__ __forceinline__ Outlook<kShare> look_ahead(const Pass& pass) const {
        const u32 bucket_count = 1u << pass.log_bucket_count;
        const u32 share = (bucket_count + kDistributionThreads - 1) / kDistributionThreads;
        const u32 first = threadIdx.x * share;
        Outlook<kShare> outlook;
#pragma unroll
        for (u32 i = 0; i < kShare; ++i) {
            outlook.latest[i].bits =
                i < share && first + i < bucket_count ? *(volatile u64*)&store.latest[first + i] : 0;
        }
        outlook.ticket = !KEEPS_ORDER && threadIdx.x == kDistributionThreads - 1 ? atomicAdd(store.tickets, 1u) : 0;
        return outlook;
    }

    // The destination of a bucket has a page, and in the bits below it the place in the page where position 0 of the
    // tile would go. Elements beyond the end of the page continue in a second one. Rooms have no end here, so their
    // part of shared memory holds the second page. If an element is only a key, a destination is the address where
    // position 0 would go, in kAddressBits, and above that the first position that belongs to the second page.
    //
    // The block that has the first place of a page takes the page after it, which is seldom needed soon. So no block
    // waits for that: neither this one, which takes it while it writes the tile, nor others. If a thread of this block
    // needs a page that does not exist yet, the block first takes its own pages, and then waits for those of others.
    template <typename Shared, u32 kShare>
    __device__ __forceinline__ Begun<kShare> publish(
        const Shared& shared, const Pass& pass, const u64 (&places)[kShare], const Outlook<kShare>& outlook) const {
        const u32 bucket_count = 1u << pass.log_bucket_count;
        const u32 share = (bucket_count + kDistributionThreads - 1) / kDistributionThreads;
        const u32 first = threadIdx.x * share;
        // All threads of the block have read the previous ticket, and this one is for the tile after the next one.
        if (!KEEPS_ORDER && threadIdx.x == kDistributionThreads - 1) {
            shared.tickets[1] = outlook.ticket;
        }
        Begun<kShare> begun{first};
        const auto place_buckets = [&](bool waits) {
            bool is_complete = true;
#pragma unroll
            for (u32 i = 0; i < kShare; ++i) {
                const u32 bucket = first + i;
                const bool exists = i < share && bucket < bucket_count;
                const u32 start = exists ? shared.starts[bucket] : 0;
                const u32 size = exists ? shared.starts[bucket + 1] - start : 0;
                begun.numbers[i] = kNobody;
                if (size != 0) {
                    is_complete = place_bucket(
                                      shared, pass, bucket, start, size, places[i], outlook.latest[i], begun.numbers[i],
                                      begun.pages[i], waits)
                        && is_complete;
                }
            }
            return is_complete;
        };
        if (!__syncthreads_and(place_buckets(false))) {
            take_pages(begun);
            // No lane waits before all lanes have taken their pages.
            __syncwarp();
            place_buckets(true);
#pragma unroll
            for (u32 i = 0; i < kShare; ++i) {
                begun.numbers[i] = kNobody;
            }
            __syncthreads();
        }
        return begun;
    }

    // Writes a tile that is in bucket order, and takes the pages after those that it has begun.
    template <u32 kShare>
    __device__ __forceinline__ void write(const ScatterShared& shared, const Begun<kShare>& begun) const {
        // The data for the first search arrives while the tile is written.
        const u32 takers = __ballot_sync(kAllLanes, begun.numbers[0] != kNobody);
        const PageSearch search = takers == 0 ? PageSearch() : search_for(begun, 0, takers);
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            const u32 position = threadIdx.x + i * kDistributionThreads;
            const u32 entry = shared.rows[position / kWarpSize].bucket(threadIdx.x % kWarpSize);
            const u64 destination = shared.destinations[entry];
            if (is_nowhere(destination)) {
                continue;
            }
            if constexpr (kKnowsAddresses) {
                const bool goes_on = position >= destination >> kAddressBits;
                const u64 address = (goes_on ? shared.ends[entry] : destination) & (1ull << kAddressBits) - 1;
                ElementArray{(Key*)address, nullptr}.store_ordered(position, shared.elements[position]);
            } else {
                const u32 place = (u32)destination + position;
                const bool goes_on = place >= (u32)pages.page_size();
                const u32 in_page = goes_on ? place - (u32)pages.page_size() : place;
                const u32 page = goes_on ? (u32)shared.ends[entry] : (u32)(destination >> 32);
                pages.store(array, page, in_page, shared.elements[position]);
            }
        }
        const u32 first_takers = __ballot_sync(kAllLanes, begun.numbers[0] != kNobody);
        if (first_takers != 0) {
            take_page(begun, 0, first_takers, search);
        }
        take_pages(begun, first_takers & first_takers - 1);
    }

    // Never called: a first pass divides every input.
    __device__ __forceinline__ void copy(const Pass&, const Tile&, u8, const Element (&)[kDistributionItems]) const {}

  private:
    static constexpr bool kKnowsAddresses = !HAS_PAYLOAD;
    static constexpr u32 kAddressBits = 48;
    static_assert(kTileSize < 1u << (63 - kAddressBits), "no position looks like kNowhere");

    // Calls `use` for the first of some lanes of a warp: for the bucket that takes a page, and the page before it.
    template <u32 kShare, typename Use>
    __device__ __forceinline__ auto with_taker(const Begun<kShare>& begun, u32 i, u32 takers, const Use& use) const {
        const u32 taker = __ffs((int)takers) - 1;
        const u32 near = begun.pages[i] == kNotYet ? kNoPage : begun.pages[i];
        return use(
            taker, __shfl_sync(kAllLanes, begun.first_bucket + i, (int)taker),
            __shfl_sync(kAllLanes, near, (int)taker));
    }

    // Begins the search of that lane for the page after the one that its bucket has begun.
    template <u32 kShare>
    __device__ __forceinline__ PageSearch search_for(const Begun<kShare>& begun, u32 i, u32 takers) const {
        return with_taker(begun, i, takers, [&](u32, u32 bucket, u32 near) { return PageSearch(store, bucket, near); });
    }

    // Takes the page of that search.
    template <u32 kShare>
    __device__ __forceinline__ void take_page(
        const Begun<kShare>& begun, u32 i, u32 takers, const PageSearch& search) const {
        with_taker(begun, i, takers, [&](u32 taker, u32 bucket, u32 near) {
            const u32 page = search.take(store, bucket, near);
            if (threadIdx.x % kWarpSize == taker) {
                tell_page(store, bucket, begun.numbers[i] + 1, page, near);
            }
        });
    }

    // Does so for all lanes that need a page, one after another; there is hardly ever more than one. `first_takers` are
    // the lanes that need one for their first bucket.
    template <u32 kShare>
    __device__ __forceinline__ void take_pages(const Begun<kShare>& begun, u32 first_takers) const {
#pragma unroll
        for (u32 i = 0; i < kShare; ++i) {
            u32 takers = i == 0 ? first_takers : __ballot_sync(kAllLanes, begun.numbers[i] != kNobody);
            for (; takers != 0; takers &= takers - 1) {
                take_page(begun, i, takers, search_for(begun, i, takers));
            }
        }
    }

    template <u32 kShare>
    __device__ __forceinline__ void take_pages(const Begun<kShare>& begun) const {
        take_pages(begun, __ballot_sync(kAllLanes, begun.numbers[0] != kNobody));
    }

    // Returns the page of a bucket with this number, as find_page does.
    __device__ __forceinline__ u32 page_of(u32 bucket, u32 number, const LatestPages& latest, bool waits) const {
        const u32 page = latest.page(number);
        return page != kNoPage ? page : find_page(store, bucket, number, waits);
    }

    // Says where the elements of a bucket go. Returns false if it has no page for them yet. If the elements have the
    // first place of a page, `begun` becomes its number and `begun_page` the page.
    template <typename Shared>
    __device__ __forceinline__ bool place_bucket(
        const Shared& shared, const Pass& pass, u32 bucket, u32 start, u32 size, u64 place, const LatestPages& latest,
        u32& begun, u32& begun_page, bool waits) const {
        const u32 number = page_number(place);
        const u64 skipped = place - number * pages.page_size();
        const bool goes_on = skipped + size > pages.page_size();
        begun = skipped == 0 ? number : goes_on ? number + 1 : kNobody;
        const u32 page = page_of(bucket, number, latest, waits);
        const u32 second = goes_on ? page_of(bucket, number + 1, latest, waits) : 0;
        begun_page = goes_on ? second : page;
        const u32 entry = shared.rows[start / kWarpSize].bucket(start % kWarpSize);
        const bool fits = page != kNoPage && second != kNoPage;
        if constexpr (kKnowsAddresses) {
            const u64 before = (skipped - start) * sizeof(Key);
            const u64 end = goes_on ? start + (pages.page_size() - skipped) : kTileSize;
            shared.destinations[entry] = pages.key_address(array, page) + before | end << kAddressBits;
            shared.ends[entry] = pages.key_address(array, second) + before - pages.page_size() * sizeof(Key);
        } else {
            shared.destinations[entry] = (u64)page << 32 | ((u32)skipped - start);
            shared.ends[entry] = second;
        }
        if (!fits) {
            shared.destinations[entry] = kNowhere;
            atomicMax(&pass.overflows[0], 1u);
        }
        return page != kNotYet && second != kNotYet;
    }

    __device__ __forceinline__ u32 page_number(u64 place) const { return (u32)(place / kTileSize) >> pages.log_tiles; }
};
