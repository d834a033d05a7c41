// Merges pieces of sorted runs in a block's shared memory, one piece of each run. Each round merges pairs, until one
// run is left. The rounds are those of the small sort (rotated_merge.cuh), in which a lane has items of one run only.
// So each piece begins at the items of a lane, and its last lane is filled up with pads, which sort after everything
// else.
#pragma once
#include "parts/rotated_merge.cuh"
#include "parts/run_search.cuh"
#if KEEPS_ORDER
#include "parts/placed_keys.cuh"
using RunItem = PlacedKey;
#else
using RunItem = Element;
#endif

// With more items for each lane, short pieces would have more pads.
constexpr int kRunItems = kSmallSortItems < 16 ? kSmallSortItems : 16;
constexpr u32 kRunTile = kMergeRunsThreads * kRunItems;

static_assert(kMergeRunsThreads >= (int)kMostRuns, "each run has a lane or more");

// The section of a block, and the pieces of it that the block merges now. This lies in shared memory.
struct RunPieces {
    u64 begin[kMostRuns];      // where the section begins in each run
    u64 next[kMostRuns];       // where the piece begins
    u64 end[kMostRuns];        // where pieces may end
    u64 out;                   // where the next element goes
    u32 size[kMostRuns];       // the items of each piece
    u32 lanes[kMostRuns + 1];  // the lanes of the pieces before each
    u32 item_count;            // the items of all pieces
    u32 fan;                   // the number of runs, rounded up to a power of two
    u32 section;
    u32 cut;                       // the pieces end at this cut or before it
    u32 cut_count;                 // the cuts for which there is room
    u32 all_cuts;                  // the cuts that the rest of the section needs
    u32 log_distance;              // log2 of the distance between sampled elements of the section
    u32 fits;                      // whether the pieces are everything up to `end`
    u32 cuts[kCutSlots];           // cut c of run r, relative to its begin, is c * fan + r
    u8 owners[kMergeRunsThreads];  // whose piece a lane has items of

    __device__ __forceinline__ u32 lane_count() const { return lanes[kMostRuns]; }

    // Calls take(run) for all runs, by the lanes of the warp that calls this.
    template <typename Take>
    __device__ static __forceinline__ void for_each_run(const Take& take) {
#pragma unroll
        for (u32 first = 0; first < kMostRuns; first += kWarpSize) {
            take(first + threadIdx.x % kWarpSize);
        }
    }

    // Returns how many items are left of a run, if every 2^log_distance-th element is one.
    __device__ __forceinline__ u64 left(u32 run, u32 log_distance) const {
        return end[run] - next[run] + (1ull << log_distance) - 1 >> log_distance;
    }

    // Returns how many lanes all that is left would take. One warp calls this.
    template <int kItems>
    __device__ __forceinline__ u64 lanes_left(u32 log_distance) const {
        u64 all = 0;
        for_each_run([&](u32 run) { all += ceil_div(left(run, log_distance), kItems); });
        return warp_sum(all);
    }

    // Chooses the pieces: all that is left, or if that is too much, at most the same amount of each run. One warp calls
    // this.
    template <int kItems>
    __device__ __forceinline__ void choose(u32 log_distance) {
        const bool is_all = lanes_left<kItems>(log_distance) <= kMergeRunsThreads;
        const u64 most = is_all ? kMergeRunsThreads * kItems : kMergeRunsThreads / fan * kItems;
        u32 before = 0;
        u32 items = 0;
        for_each_run([&](u32 run) {
            const u32 own = (u32)min_of(left(run, log_distance), most);
            const u32 sum = before + warp_inclusive_scan((own + kItems - 1) / kItems);
            size[run] = own;
            lanes[run + 1] = sum;
            before = __shfl_sync(kAllLanes, sum, kWarpSize - 1);
            items += own;
        });
        items = warp_sum(items);
        if (threadIdx.x == 0) {
            lanes[0] = 0;
            item_count = items;
            fits = is_all;
        }
    }

    // Chooses the pieces if they are gathered one after another: all that is left, or if that is more than `most`
    // items, at most the same amount of each run. One warp calls this.
    __device__ __forceinline__ void choose_gathered(u32 most) {
        u64 all = 0;
        for_each_run([&](u32 run) { all += left(run, 0); });
        const bool is_all = warp_sum(all) <= most;
        const u32 most_of_run = is_all ? most : most / fan;
        u32 items = 0;
        for_each_run([&](u32 run) {
            size[run] = (u32)min_of<u64>(left(run, 0), most_of_run);
            items += size[run];
        });
        items = warp_sum(items);
        if (threadIdx.x == 0) {
            item_count = items;
            fits = is_all;
        }
        __syncwarp();
    }

    // Makes the pieces end at the next cut. One warp calls this.
    __device__ __forceinline__ void end_at_cut() {
        for_each_run([&](u32 run) { end[run] = run < fan ? begin[run] + cuts[cut * fan + run] : begin[run]; });
        __syncwarp();
    }

    // Goes on after the pieces that have been merged. One warp calls this.
    __device__ __forceinline__ void pass() {
        for_each_run([&](u32 run) { next[run] += size[run]; });
        if (threadIdx.x == 0) {
            out += item_count;
            cut += fits;
        }
        __syncwarp();
    }

    // Returns the run of whose piece the calling lane has items, if it has any.
    __device__ __forceinline__ u32 find_owner() const {
        return first_failing(0u, fan - 1, [&](u32 run) { return lanes[run + 1] <= threadIdx.x; });
    }
};

// The merge of items: elements of the runs, or a sample of them.
template <int kItems, typename Item>
struct PieceMerge {
    using Items = PaddedItems<kItems, Item>;
    static_assert(kWarpSize % kItems == 0, "a row of a warp is the items of whole lanes");

    // Fills the slots of the pieces, each with load(place, slot), which may be called several times for a place. A warp
    // loads what its own lanes merge first, so that these tell each other where that lies. A barrier has to follow.
    template <typename Load>
    __device__ static __forceinline__ void load(
        const Items& items, RunPieces& pieces, u32 log_distance, const Load& load) {
        // This many loads of a thread are in flight at a time.
        constexpr u32 kBatch = sizeof(Item) * kItems <= 64 ? kItems : sizeof(Item) <= 8 ? 8 : 4;
        static_assert(kItems % kBatch == 0, "batches are whole");
        const u32 owner = pieces.find_owner();
        pieces.owners[threadIdx.x] = (u8)owner;
        const bool has_part = threadIdx.x < pieces.lane_count();
        const u32 before = has_part ? (threadIdx.x - pieces.lanes[owner]) * kItems : 0;
        const u64 own_place = has_part ? pieces.next[owner] + ((u64)before << log_distance) : 0;
        const u32 own_size = has_part ? min_of<u32>(pieces.size[owner] - before, kItems) : 0;
        const u32 lane = threadIdx.x % kWarpSize;
        const u32 item = lane % kItems;
        const u32 slot = (threadIdx.x - lane) * kItems + lane;
        Item* slots = items.slots + Items::slot(slot);
#pragma unroll 1
        for (u32 first = 0; first < kItems; first += kBatch) {
            Item batch[kBatch];
#pragma unroll
            for (u32 i = 0; i < kBatch; ++i) {
                const u32 source = ((first + i) * kWarpSize + lane) / kItems;
                const u32 size = __shfl_sync(kAllLanes, own_size, (int)source);
                // The last item of a piece is loaded in place of pads, so that no load depends on a condition.
                const u64 offset = min_of(item, max_of(size, 1u) - 1);
                const u64 place = __shfl_sync(kAllLanes, own_place, (int)source) + (offset << log_distance);
                batch[i] = load(place, slot + (first + i) * kWarpSize);
                move_item_if(item >= size, batch[i], greatest<Item>());
            }
#pragma unroll
            for (u32 i = 0; i < kBatch; ++i) {
                slots[(first + i) * Items::slot(kWarpSize)] = batch[i];
            }
        }
    }

    // Replaces items that are no longer in the pieces by pads. A barrier has to follow.
    __device__ static __forceinline__ void drop(const Items& items, const RunPieces& pieces) {
        for (u32 slot = threadIdx.x; slot < kMergeRunsThreads * kItems; slot += kMergeRunsThreads) {
            const u32 run = pieces.owners[slot / kItems];
            if (slot - pieces.lanes[run] * kItems >= pieces.size[run]) {
                items[slot] = greatest<Item>();
            }
        }
    }

    // Merges the pieces. This must begin after a barrier, and ends with one. The state of the pieces is read again in
    // each round, to keep registers free for items.
    __device__ static __forceinline__ void merge(const Items& items, const RunPieces& pieces) {
#pragma unroll 1
        for (u32 width = 1; width < pieces.fan; width *= 2) {
            Item run[kItems];
            if (threadIdx.x / kWarpSize * kWarpSize < pieces.lane_count()) {
                const u32 first = pieces.owners[threadIdx.x] & ~(2 * width - 1);
                const u32 end = pieces.lanes[first + 2 * width];
                const bool is_last = threadIdx.x % kWarpSize == kWarpSize - 1 || threadIdx.x + 1 == end;
                RotatedMerge<kItems, Item>::merge_part(
                    items, pieces.lane_count(), pieces.lanes[first], pieces.lanes[first + width], end, is_last, run);
            } else {
                // Items that only some warps have would take more registers.
#pragma unroll
                for (u32 i = 0; i < kItems; ++i) {
                    run[i] = Item{};
                }
            }
            __syncthreads();
            if (threadIdx.x < pieces.lane_count()) {
                Item* own = items.slots + Items::slot(threadIdx.x * kItems);
#pragma unroll
                for (u32 i = 0; i < kItems; ++i) {
                    own[i] = run[i];
                }
            }
            __syncthreads();
        }
    }
};
