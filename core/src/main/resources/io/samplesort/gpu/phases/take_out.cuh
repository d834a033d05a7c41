// Takes out what is out of place in an input that is in order otherwise. What is kept is a sorted run, and so are the
// outliers once they have been sorted; merge_runs merges the two. For the phases behind, it is an input without
// elements (kIsPlaced). The input itself stays as it is, so if there are too many outliers, it is sorted as any other.
//
// Which element is out of place no neighbour can tell alone, so this need not be right, but what is kept must be in
// order. Between two tiles there is a fence: the median of 32 keys around the border, which an outlier practically
// never is. If no fence is less than the one before it, and a tile keeps nothing beyond its two fences, then tiles may
// look for order each by itself. Within a tile an element is kept unless one before it, which may be kept, is greater.
// One that is greater than the next two may not be kept: else a large key that has come forward a little would take all
// that it has passed with it.
//
// Tiles are handed out in their order, and each finds out by looking back how many outliers the tiles before it have
// (tile_chain.cuh, which says why that comes to an end). Outliers go to the end of the array, from its last place
// downwards, so in the end they lie where what is kept ends.
#pragma once
#include "parts/run_search.cuh"
#include "parts/tile_chain.cuh"

constexpr u32 kOutlierTile = kOrderThreads * kOutlierItems;
constexpr u32 kOutlierWarps = kOrderThreads / kWarpSize;
constexpr u32 kOutlierPart = kOutlierItems * kWarpSize;

// What the blocks tell each other. It is 0 before. The host has room for it (KernelStructs).
struct OutlierSearch {
    u32 failed;  // not 0 once a block has found fences that fall, or too many outliers
    u32 done;    // how many blocks have taken out what there was in all of their tiles
    u32 taken;   // how many tiles blocks have taken, or wanted to
};

using OutlierKeys = PaddedItems<kOutlierItems, OrderedKey>;

// A key is compared with the next two. Behind the last one of a tile it stands in for these.
constexpr u32 kOutlierKeySlots = OutlierKeys::slot(kOutlierTile) + 2;

// A tile, as all warps of its block know it, in shared memory. What is written again for the next tile is written two
// barriers after it was read last.
struct OutlierTile {
    OrderedKey keys[kOutlierKeySlots];
    u64 before;  // the outliers of the tiles before it
    u32 number;
    u32 failed;
    u32 outliers[kOutlierWarps];
    OrderedKey fences[2];
    // The least key and the greatest that each warp keeps, if it keeps any.
    OrderedKey least[kOutlierWarps];
    OrderedKey greatest[kOutlierWarps];
    u32 keeps_none[kOutlierWarps];
};

// The host counts so many bytes, whatever the alignment of a key is.
constexpr u32 kTakeOutSharedBytes = align_16(kOutlierKeySlots * (u32)sizeof(OrderedKey))
    + align_16((4 + 2 * kOutlierWarps) * (u32)sizeof(u32))
    + align_16((2 + 2 * kOutlierWarps) * (u32)sizeof(OrderedKey));
static_assert(sizeof(OutlierTile) <= kTakeOutSharedBytes, "a tile takes more than the host counts");

// Returns the median of 32 keys, one for each lane of a warp, or the least or the greatest of them.
__device__ __forceinline__ OrderedKey find_fence(OrderedKey key, bool is_first, bool is_last) {
    const u32 lane = threadIdx.x % kWarpSize;
#pragma unroll 1
    for (u32 width = 1; width < kWarpSize; width *= 2) {
        keep_side(key, shuffle_xor(key, 2 * width - 1), (lane & width) != 0);
#pragma unroll 1
        for (u32 distance = width / 2; distance > 0; distance /= 2) {
            keep_side(key, shuffle_xor(key, distance), (lane & distance) != 0);
        }
    }
    return shuffle(key, is_first ? 0 : is_last ? kWarpSize - 1 : kWarpSize / 2);
}

// What a lane keeps of its neighbours: kOutlierItems elements of a tile one after the other.
struct KeptRun {
    u32 there;            // bit i: there is an item i, since the last tile may have fewer
    u32 kept;             // bit i: item i is kept
    OrderedKey greatest;  // the greatest key that is kept here, or `lower` if nothing is

    // Finds what may be kept as far as the run by itself tells.
    __device__ __forceinline__ void find(const OrderedKey* keys, const OrderedKey& lower, const OrderedKey& upper) {
        greatest = lower;
        kept = 0;
        OrderedKey key = keys[0];
        OrderedKey next = keys[1];
#pragma unroll
        for (u32 i = 0; i < kOutlierItems; ++i) {
            const OrderedKey after = keys[OutlierKeys::slot(i + 2)];
            const bool keeps = !less(key, greatest) && !less(upper, key) && !(less(next, key) && less(after, key));
            move_item_if(keeps, greatest, key);
            kept |= keeps ? 1u << i : 0;
            key = next;
            next = after;
        }
        kept &= there;
    }

    __device__ __forceinline__ OrderedKey least(const OrderedKey* keys) const {
        return keys[kept == 0 ? 0 : __ffs((int)kept) - 1];
    }

    // Keeps nothing less than a key that is kept before this run.
    __device__ __forceinline__ void drop_less(const OrderedKey* keys, const OrderedKey& before) {
        while (kept != 0 && less(least(keys), before)) {
            kept &= kept - 1;
        }
    }

    __device__ __forceinline__ u32 outliers() const { return __popc((int)(there & ~kept)); }
};

// Keeps nothing in a run that is less than what the lanes before keep. Returns the greatest key that the warp keeps, or
// `lower` if it keeps nothing. Mostly all lanes keep what fits together.
__device__ __forceinline__ OrderedKey fit_lanes(KeptRun& run, const OrderedKey* keys, const OrderedKey& lower) {
    const u32 lane = threadIdx.x % kWarpSize;
    OrderedKey before = shuffle(run.greatest, (lane - 1) % kWarpSize);
    const bool fits = run.kept != 0 && (lane == 0 || !less(run.least(keys), before));
    OrderedKey most = run.greatest;
    if (!__all_sync(kAllLanes, fits)) {
#pragma unroll 1
        for (u32 distance = 1; distance < kWarpSize; distance *= 2) {
            const OrderedKey other = shuffle(most, (lane - distance) % kWarpSize);
            move_item_if(lane >= distance && less(most, other), most, other);
        }
        before = shuffle(most, (lane - 1) % kWarpSize);
        move_item_if(lane == 0, before, lower);
        run.drop_less(keys, before);
    }
    return shuffle(most, kWarpSize - 1);
}

// Tells how many outliers a tile has, and returns how many the tiles before it have. One warp calls this.
__device__ __forceinline__ u64 outliers_before(volatile u64* words, u32 tile, u32 own) {
    using Word = TileWord<u64>;
    const u32 lane = threadIdx.x % kWarpSize;
    if (lane == 0) {
        words[tile] = (tile == 0 ? Word::kIsSum : Word::kIsCount) | own;
    }
    u64 sum = 0;
    u32 end = tile;
    bool is_complete = tile == 0;
    while (!is_complete) {
        // Before the first tile there is nothing.
        const u64 word = lane < end ? words[end - 1 - lane] : Word::kIsSum;
        const u32 unknown = __ballot_sync(kAllLanes, word == 0);
        const u32 sums = __ballot_sync(kAllLanes, word >= Word::kIsSum);
        const u32 known = unknown == 0 ? kWarpSize : (u32)__ffs((int)unknown) - 1;
        const u32 last = sums == 0 ? kWarpSize : (u32)__ffs((int)sums) - 1;
        is_complete = last < known;
        sum += warp_sum(lane < known && lane <= last ? word & Word::kNumber : 0);
        end -= min_of(known, end);
    }
    if (lane == 0 && tile != 0) {
        words[tile] = Word::kIsSum | (sum + own);
    }
    return sum;
}

// Tells the other warps of a block what a warp keeps.
__device__ __forceinline__ void tell_kept(
    const KeptRun& run, const OrderedKey* keys, const OrderedKey& greatest, OutlierTile& tile) {
    const u32 warp = threadIdx.x / kWarpSize;
    const u32 lane = threadIdx.x % kWarpSize;
    const u32 lanes = __ballot_sync(kAllLanes, run.kept != 0);
    if (lane == (lanes == 0 ? 0 : (u32)__ffs((int)lanes) - 1)) {
        tile.least[warp] = run.least(keys);
        tile.greatest[warp] = greatest;
        tile.keeps_none[warp] = lanes == 0;
    }
}

// Returns whether what the warps of a block keep fits together. All warps come to the same answer.
__device__ __forceinline__ bool warps_fit(const OutlierTile& tile) {
    const u32 warp = threadIdx.x % kWarpSize % kOutlierWarps;
    const u32 before = warp == 0 ? 0 : warp - 1;
    return __all_sync(
        kAllLanes,
        tile.keeps_none[warp] == 0 && (warp == 0 || !less(tile.least[warp], tile.greatest[before])));
}

// Stores the elements of a warp's part, of which each lane knows what is kept of its run, and how many outliers of the
// tile come before it. The elements are the lane's by rows: element i * 32 + j is item i of lane j.
struct PartStore {
    const OutlierTile& tile;
    ElementArray kept;
    ElementArray outliers;  // the tile's, of which the first one lies last
    u32 most;               // how many places before the last
    u32 first;              // the place of item 0 of this lane in the tile
    int left;               // elements of the tile from there on

    __device__ __forceinline__ Element element(const Element (&elements)[kOutlierItems], int i) const {
        Element element = elements[i];
        element.key = tile.keys[OutlierKeys::slot(first) + i * OutlierKeys::slot(kWarpSize)];
        return element;
    }

    __device__ __forceinline__ void store(const Element (&elements)[kOutlierItems], const KeptRun& run, u32 before) const {
        const u32 lane = threadIdx.x % kWarpSize;
        const u32 row = run.there & ~run.kept;
        if (__all_sync(kAllLanes, run.kept == (1u << kOutlierItems) - 1)) {
#pragma unroll
            for (int i = 0; i < kOutlierItems; ++i) {
                kept.store_ordered(first - before + i * kWarpSize, element(elements, i));
            }
            return;
        }
        const u32 own_bit = 1u << lane % kOutlierItems;
        const u32 told = before << 16 | row;
#pragma unroll
        for (int i = 0; i < kOutlierItems; ++i) {
            const u32 of_run = __shfl_sync(kAllLanes, told, (int)((i * kWarpSize + lane) / kOutlierItems));
            const u32 outliers_before = (of_run >> 16) + __popc((int)(of_run & (own_bit - 1)));
            if ((of_run & own_bit) != 0) {
                outliers.store_ordered(most - outliers_before, element(elements, i));
            } else if (i * (int)kWarpSize < left) {
                kept.store_ordered(first + i * kWarpSize - outliers_before, element(elements, i));
            }
        }
    }
};
static_assert(kOutlierItems <= 16 && kOutlierTile < 1u << 16, "a word has room for the items of a run and a count");

// Takes the outliers out of a tile. Returns false if there are too many, or fences fall. All threads of a block call
// this; thread 0 calls `show_next` before a barrier.
template <typename ShowNext>
__device__ __forceinline__ bool take_out_of_tile(
    const ElementArray& in, const ElementArray& out, u64 count, u64 most_outliers, u64* words, u32 number,
    OutlierTile& tile, const ShowNext& show_next) {
    const u32 warp = threadIdx.x / kWarpSize;
    const u32 lane = threadIdx.x % kWarpSize;
    const u64 begin = (u64)number * kOutlierTile;
    const u64 end = min_of(begin + kOutlierTile, count);
    const u32 first = warp * kOutlierPart + lane;
    const u32 own_first = threadIdx.x * kOutlierItems;
    // Past the end of the input its last element stands in.
    Element elements[kOutlierItems];
    if (end - begin == kOutlierTile) {
#pragma unroll
        for (int i = 0; i < kOutlierItems; ++i) {
            elements[i] = in.load(begin + first + i * kWarpSize);
        }
    } else {
#pragma unroll
        for (int i = 0; i < kOutlierItems; ++i) {
            elements[i] = in.load(min_of(begin + first + i * kWarpSize, count - 1));
        }
    }
#pragma unroll
    for (int i = 0; i < kOutlierItems; ++i) {
        tile.keys[OutlierKeys::slot(first) + i * OutlierKeys::slot(kWarpSize)] = elements[i].key;
    }
    if (threadIdx.x == kOrderThreads - 1) {
        tile.keys[OutlierKeys::slot(kOutlierTile)] = elements[kOutlierItems - 1].key;
        tile.keys[OutlierKeys::slot(kOutlierTile) + 1] = elements[kOutlierItems - 1].key;
    }
    if (warp < 2) {
        const u64 border = warp == 0 ? begin : end;
        const u64 around = border < kWarpSize / 2 ? 0 : border - kWarpSize / 2;
        const OrderedKey key = in.key(min_of(around, count - kWarpSize) + lane, false);
        const OrderedKey fence = find_fence(key, border == 0, border == count);
        if (lane == 0) {
            tile.fences[warp] = fence;
        }
    }
    __syncthreads();
    const OrderedKey lower = tile.fences[0];
    const OrderedKey upper = tile.fences[1];
    const bool falls = less(upper, lower);
    const OrderedKey* keys = tile.keys + OutlierKeys::slot(own_first);
    const u32 there = (u32)min_of<u64>(kOutlierItems, end - min_of(begin + own_first, end));
    KeptRun run{(1u << there) - 1, 0, lower};
    run.find(keys, lower, upper);
    OrderedKey greatest = fit_lanes(run, keys, lower);
    tell_kept(run, keys, greatest, tile);
    u32 up_to_run = warp_inclusive_scan(run.outliers());
    if (lane == kWarpSize - 1) {
        tile.outliers[warp] = up_to_run;
    }
    __syncthreads();
    if (!warps_fit(tile)) {
        greatest = lower;
        for (u32 other = 0; other < warp; ++other) {
            move_item_if(tile.keeps_none[other] == 0 && less(greatest, tile.greatest[other]), greatest, tile.greatest[other]);
        }
        run.drop_less(keys, greatest);
        up_to_run = warp_inclusive_scan(run.outliers());
        if (lane == kWarpSize - 1) {
            tile.outliers[warp] = up_to_run;
        }
        __syncthreads();
    }
    const u32 of_warp = lane < kOutlierWarps ? tile.outliers[lane] : 0;
    const u32 up_to_warp = warp_inclusive_scan(of_warp);
    const u32 all = __shfl_sync(kAllLanes, up_to_warp, kWarpSize - 1);
    const u32 before_warp = __shfl_sync(kAllLanes, up_to_warp - of_warp, (int)warp);
    if (warp == 0) {
        // Others wait for this tile even if it is in vain.
        const u64 before = outliers_before(words, number, all);
        if (lane == 0) {
            tile.before = before;
            show_next();
        }
    }
    __syncthreads();
    const u64 before = tile.before;
    if (falls || before + all > most_outliers) {
        return false;
    }
    const PartStore store{
        tile,
        out.from(begin - before),
        out.from(count - before - all),
        all - 1,
        first,
        (int)(end - begin) - (int)first};
    store.store(elements, run, before_warp + up_to_run - run.outliers());
    return true;
}

// Takes out what is out of place, unless find_order has seen that this is in vain. `mark` is what the first pass knows
// of the input. `words` has a word for each tile, which is 0 before.
extern "C" __global__ void __launch_bounds__(kOrderThreads, kOrderBlocks) take_out(
    ElementArray in, ElementArray out, u64 count, u64 most_outliers, const OrderSearch* order, OutlierSearch* search,
    u64* words, RunSearch* runs, u8* mark, u32* host_order) {
    follow_previous_kernel();
    if (order->may_have_outliers == 0 || *mark == kIsPlaced) {
        return;
    }
    OutlierTile& tile = *(OutlierTile*)shared_memory;
    const u32 tiles = (u32)ceil_div(count, kOutlierTile);
    bool fits = true;
    // Thread 0 asks for the next tile, and whether others have failed, while the block works on the one before it.
    u32 next = threadIdx.x == 0 ? atomicAdd(&search->taken, 1u) : 0;
    u32 failed = 0;
    const auto show_next = [&] {
        tile.number = next;
        tile.failed = failed;
    };
    if (threadIdx.x == 0) {
        show_next();
    }
    __syncthreads();
    while (tile.number < tiles) {
        const u32 number = tile.number;
        fits = fits && tile.failed == 0;
        if (threadIdx.x == 0) {
            next = fits ? atomicAdd(&search->taken, 1u) : tiles;
            failed = *(const volatile u32*)&search->failed;
        }
        if (fits) {
            fits = take_out_of_tile(in, out, count, most_outliers, words, number, tile, show_next);
            if (!fits && threadIdx.x == 0) {
                *(volatile u32*)&search->failed = 1;
            }
        } else {
            // The tile's number may be written again once all have read it.
            __syncthreads();
            if (threadIdx.x == 0) {
                // Others may wait for this tile, and fail as well where they are told of too many.
                *(volatile u64*)&words[number] = TileWord<u64>::kIsSum | (most_outliers + 1);
                show_next();
            }
            __syncthreads();
        }
    }
    __threadfence();
    // A block that has stopped early is not counted.
    if (__syncthreads_and(fits) && threadIdx.x == 0 && atomicAdd(&search->done, 1u) == gridDim.x - 1) {
        const u64 outliers = *(const volatile u64*)&words[tiles - 1] & TileWord<u64>::kNumber;
        runs->begins[0] = 0;
        runs->begins[1] = count - outliers;
        runs->begins[2] = count;
        runs->run_count = 2;
        *mark = kIsPlaced;
        // The host asks for this number only where it is told that there are outliers.
        *(volatile u32*)(host_order + 1) = (u32)outliers;
        __threadfence_system();
        tell_host(host_order, kHasOutliers);
    }
}
