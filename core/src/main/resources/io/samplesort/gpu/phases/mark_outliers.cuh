// Marks what is out of place in an input that is in order otherwise, for take_out. What is not marked is a sorted run.
//
// Which element is out of place no neighbour can tell alone, so this need not be right, but what is kept must be in
// order. Between two tiles there is a fence: the median of 32 keys around the border, which an outlier practically
// never is. If no fence is less than the one before it, and a tile keeps nothing beyond its two fences, then tiles may
// look for order each by itself. Within a tile an element is kept unless one before it, which may be kept, is greater.
// One that is greater than the next two may not be kept: else a large key that has come forward a little would take all
// that it has passed with it.
//
// A lane looks at neighbours, so the greatest key that it keeps is in a register. Mostly what the lanes of a warp keep
// fits together, and so does what the warps of a block keep; else what is less than the keys kept before it is marked,
// too.
#pragma once
#include "parts/outliers.cuh"

using OutlierKeys = PaddedItems<kOutlierItems, OrderedKey>;
constexpr u32 kOutlierWarps = kOrderThreads / kWarpSize;
constexpr u32 kOutlierPart = kOutlierItems * kWarpSize;

// A key is compared with the next two. Behind the last one of a tile it stands in for these.
constexpr u32 kOutlierKeySlots = OutlierKeys::slot(kOutlierTile) + 2;

// A tile, as all warps of its block know it, in shared memory. There are two barriers for each tile: keys and fences
// are read between the first and the second, and what warps keep is read behind the second.
struct OutlierTile {
    OrderedKey keys[kOutlierKeySlots];
    OrderedKey fences[2];
    // The least key and the greatest that each warp keeps, if it keeps any.
    OrderedKey least[kOutlierWarps];
    OrderedKey greatest[kOutlierWarps];
    u32 keeps_none[kOutlierWarps];
    u32 outliers[kOutlierWarps];
    u32 failed;
};

// The host counts so many bytes, whatever the alignment of a key is.
constexpr u32 kMarkSharedBytes = align_16(kOutlierKeySlots * (u32)sizeof(OrderedKey))
    + align_16((2 + 2 * kOutlierWarps) * (u32)sizeof(OrderedKey))
    + align_16((1 + 2 * kOutlierWarps) * (u32)sizeof(u32));
static_assert(sizeof(OutlierTile) <= kMarkSharedBytes, "a tile takes more than the host counts");

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

    // Returns the items that are not kept.
    __device__ __forceinline__ u32 outliers() const { return there & ~kept; }
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

// The keys of a tile on their way to a thread, by rows: key i * 32 + j of a warp's part is item i of lane j.
struct LoadedTile {
    OrderedKey keys[kOutlierItems];
    OrderedKey near_border;  // of two warps, each at one border

    // Loads tile `number`. Past the end of the input its last element stands in.
    __device__ __forceinline__ void load(const ElementArray& in, u64 count, u32 number) {
        const u32 warp = threadIdx.x / kWarpSize;
        const u32 lane = threadIdx.x % kWarpSize;
        const u64 begin = (u64)number * kOutlierTile;
        const u64 end = min_of(begin + kOutlierTile, count);
        if (warp < 2) {
            const u64 border = warp == 0 ? begin : end;
            const u64 around = border < kWarpSize / 2 ? 0 : border - kWarpSize / 2;
            near_border = in.key(min_of(around, count - kWarpSize) + lane, false);
        }
        const u64 first = begin + warp * kOutlierPart + lane;
        if (end - begin == kOutlierTile) {
#pragma unroll
            for (int i = 0; i < kOutlierItems; ++i) {
                keys[i] = in.key(first + i * kWarpSize, false);
            }
        } else {
#pragma unroll
            for (int i = 0; i < kOutlierItems; ++i) {
                keys[i] = in.key(min_of(first + i * kWarpSize, count - 1), false);
            }
        }
    }

    // Puts the keys where the block reads them, and the fences. A barrier has to follow.
    __device__ __forceinline__ void put(u64 count, u32 number, OutlierTile& tile) const {
        const u32 warp = threadIdx.x / kWarpSize;
        const u32 lane = threadIdx.x % kWarpSize;
        OrderedKey* const slots = tile.keys + OutlierKeys::slot(warp * kOutlierPart + lane);
#pragma unroll
        for (int i = 0; i < kOutlierItems; ++i) {
            slots[i * OutlierKeys::slot(kWarpSize)] = keys[i];
        }
        if (threadIdx.x == kOrderThreads - 1) {
            tile.keys[OutlierKeys::slot(kOutlierTile)] = keys[kOutlierItems - 1];
            tile.keys[OutlierKeys::slot(kOutlierTile) + 1] = keys[kOutlierItems - 1];
        }
        if (warp < 2) {
            const u64 border = (u64)(number + warp) * kOutlierTile;
            const OrderedKey fence = find_fence(near_border, border == 0, border >= count);
            if (lane == 0) {
                tile.fences[warp] = fence;
            }
        }
    }
};

// Tells the other warps of a block how many outliers a warp has found.
__device__ __forceinline__ void tell_outliers(const KeptRun& run, OutlierTile& tile) {
    const u32 outliers = warp_sum((u32)__popc((int)run.outliers()));
    if (threadIdx.x % kWarpSize == 0) {
        tile.outliers[threadIdx.x / kWarpSize] = outliers;
    }
}

// Tells the other warps of a block what a warp keeps, and how many outliers it has found.
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
    tell_outliers(run, tile);
}

// Returns whether what the warps of a block keep fits together. All warps come to the same answer.
__device__ __forceinline__ bool warps_fit(const OutlierTile& tile) {
    const u32 warp = threadIdx.x % kWarpSize % kOutlierWarps;
    const u32 before = warp == 0 ? 0 : warp - 1;
    return __all_sync(
        kAllLanes,
        tile.keeps_none[warp] == 0 && (warp == 0 || !less(tile.least[warp], tile.greatest[before])));
}

// Marks the outliers of a tile whose keys are `loaded`, and lets `load_next` load those of the block's next tile
// meanwhile. Returns false if fences fall, or a thread has been told that others have failed. All threads of a block
// call this.
template <typename LoadNext>
__device__ __forceinline__ bool mark_tile(
    u64 count, u32 number, OutlierSearch* search, OutlierMarks marks, const LoadedTile& loaded, OutlierTile& tile,
    const LoadNext& load_next) {
    const u32 warp = threadIdx.x / kWarpSize;
    const u32 size = (u32)min_of<u64>(kOutlierTile, count - (u64)number * kOutlierTile);
    const u32 first = threadIdx.x * kOutlierItems;
    loaded.put(count, number, tile);
    if (threadIdx.x == 0) {
        tile.failed = *(const volatile u32*)&search->failed;
    }
    __syncthreads();
    load_next();
    const OrderedKey lower = tile.fences[0];
    const OrderedKey upper = tile.fences[1];
    const bool fits = tile.failed == 0 && !less(upper, lower);
    const OrderedKey* keys = tile.keys + OutlierKeys::slot(first);
    const u32 there = min_of<u32>(kOutlierItems, size - min_of(first, size));
    KeptRun run{(1u << there) - 1, 0, lower};
    run.find(keys, lower, upper);
    tell_kept(run, keys, fit_lanes(run, keys, lower), tile);
    __syncthreads();
    if (!warps_fit(tile)) {
        OrderedKey greatest = lower;
        for (u32 other = 0; other < warp; ++other) {
            move_item_if(
                tile.keeps_none[other] == 0 && less(greatest, tile.greatest[other]), greatest, tile.greatest[other]);
        }
        run.drop_less(keys, greatest);
        tell_outliers(run, tile);
        __syncthreads();
    }
    marks.mark_run(number, run.outliers());
    if (warp == 0) {
        const u32 lane = threadIdx.x;
        const u32 outliers = warp_sum(lane < kOutlierWarps ? tile.outliers[lane] : 0);
        if (lane == 0) {
            marks.counts[number] = outliers;
            if (outliers != 0) {
                atomicAdd(&search->outliers, (u64)outliers);
            }
        }
    }
    return fits;
}

// Marks what is out of place, unless find_order has seen that this is in vain. `mark` is what the first pass knows of
// the input.
extern "C" __global__ void __launch_bounds__(kOrderThreads, kOrderBlocks) mark_outliers(
    ElementArray in, u64 count, u64 most_outliers, const OrderSearch* order, OutlierSearch* search, uint4* bits,
    u32* counts, const u8* mark) {
    follow_previous_kernel();
    if (order->may_have_outliers == 0 || *mark == kIsPlaced) {
        return;
    }
    OutlierTile& tile = *(OutlierTile*)shared_memory;
    const OutlierMarks marks{bits, counts};
    const u32 tiles = (u32)ceil_div(count, kOutlierTile);
    LoadedTile loaded;
    u32 number = blockIdx.x;
    if (number < tiles) {
        loaded.load(in, count, number);
    }
    bool fits = true;
    while (fits && number < tiles) {
        const u32 next = number + gridDim.x;
        LoadedTile coming;
        fits = mark_tile(count, number, search, marks, loaded, tile, [&] {
            if (next < tiles) {
                coming.load(in, count, next);
            }
        });
        if (threadIdx.x == 0 && (!fits || *(const volatile u64*)&search->outliers > most_outliers)) {
            *(volatile u32*)&search->failed = 1;
        }
        loaded = coming;
        number = next;
    }
    // A block that has stopped early is not counted.
    if (fits && threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&search->done, 1u);
    }
}
