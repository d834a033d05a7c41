// Puts items in order whose numbers are so few that each has a counter of its own (cell_sort.cuh). All are in order as soon
// as they are in their places.
//
// Where there is a word for each counter, lanes that count in the same one do not wait for each other: the instruction
// that adds one and returns nothing adds for all of them at once. They wait when they take places.
//
// Else two counters share a word, and lanes that count in one word wait for each other. So where many items have the same
// number, each warp counts those of its own by votes, and takes places for all of them at once.
#pragma once
#include "parts/cell_counts.cuh"

// Random `float` values often have a counter of their own and are seldom frequent, so the search would cost them more than
// votes gain. They do without (kVotes).
template <int kItems, typename Item, u32 kCells, bool kVotes>
struct OwnCounters {
    using Counts = CellCounts<kItems, Item, kCells>;
    using Items = PaddedItems<kItems, Item>;

    // Votes pay where so many lanes of a warp have the same number.
    static constexpr u32 kManyLanes = 5;
    static constexpr u32 kNone = ~0u;

    Counts counts;

    // Sorts the items, whose counters are clear and share words. counter_of(item) returns the number of its counter.
    template <typename CounterOf>
    __device__ __forceinline__ void sort(
        const Item (&items)[kItems], u32 count, const CounterOf& counter_of) const {
        const u32 lane = threadIdx.x % kWarpSize;
        const u32 frequent = kVotes ? frequent_counter(items, count, counter_of) : kNone;
        u32 own = 0;
        if (frequent == kNone) {
            Counts::for_each_item(count, [&](int i) { add(counter_of(items[i]), 1); });
        } else {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                const u32 counter = counter_of(items[i]);
                own += __popc(__ballot_sync(kAllLanes, counter == frequent));
                if (counter != frequent) {
                    add(counter, 1);
                }
            }
            if (lane == 0) {
                add(frequent, own);
            }
        }
        __syncthreads();
        counts.template find_starts<true>();
        const Items places{counts.slots, 0};
        if (frequent == kNone) {
            Counts::for_each_item(count, [&](int i) { places[add(counter_of(items[i]), 1)] = items[i]; });
        } else {
            u32 next = __shfl_sync(kAllLanes, lane == 0 ? add(frequent, own) : 0, 0);
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                const u32 counter = counter_of(items[i]);
                const u32 lanes = __ballot_sync(kAllLanes, counter == frequent);
                u32 place = next + __popc(lanes & (1u << lane) - 1);
                if (counter != frequent) {
                    place = add(counter, 1);
                }
                places[place] = items[i];
                next += __popc(lanes);
            }
        }
        __syncthreads();
    }

    // The same where there is a word for each counter.
    template <typename CounterOf>
    __device__ __forceinline__ void sort_by_words(
        const Item (&items)[kItems], u32 count, const CounterOf& counter_of) const {
        Counts::for_each_item(count, [&](int i) { atomicAdd(&counts.cells[counter_of(items[i])], 1u); });
        __syncthreads();
        counts.template find_starts<false>();
        const Items places{counts.slots, 0};
        Counts::for_each_item(
            count, [&](int i) { places[atomicAdd(&counts.cells[counter_of(items[i])], 1u)] = items[i]; });
        __syncthreads();
    }

  private:
    // Adds to a counter and returns what it was.
    __device__ __forceinline__ u32 add(u32 counter, u32 value) const {
        const u32 shift = counter % 2 * 16;
        return atomicAdd(&counts.cells[counter / 2], value << shift) >> shift & 0xffff;
    }

    // Returns the counter of many items of the calling warp, if one is found and no lane of the warp lacks an item. The
    // first items of eight lanes are looked at, which takes less time than __match_any_sync.
    template <typename CounterOf>
    __device__ __forceinline__ static u32 frequent_counter(
        const Item (&items)[kItems], u32 count, const CounterOf& counter_of) {
        if ((threadIdx.x / kWarpSize + 1) * Counts::kWarpItems > count) {
            return kNone;
        }
        constexpr u32 kCandidates = 8;
        const u32 counter = counter_of(items[0]);
        u32 most = kManyLanes - 1;
        u32 frequent = kNone;
#pragma unroll
        for (u32 i = 0; i < kCandidates; ++i) {
            const u32 candidate = __shfl_sync(kAllLanes, counter, (int)(i * (kWarpSize / kCandidates)));
            const u32 lanes = (u32)__popc(__ballot_sync(kAllLanes, counter == candidate));
            frequent = lanes > most ? candidate : frequent;
            most = max_of(most, lanes);
        }
        return frequent;
    }
};
