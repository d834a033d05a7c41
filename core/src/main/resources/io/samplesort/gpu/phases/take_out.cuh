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

// What the blocks tell each other. It is 0 before. The host has room for it (KernelStructs).
struct OutlierSearch {
    u32 failed;  // not 0 once a block has found fences that fall, or too many outliers
    u32 done;    // how many blocks have taken out what there was in all of their tiles
    u32 taken;   // how many tiles blocks have taken, or wanted to
};

// A tile, as all warps of its block know it, in shared memory.
struct OutlierTile {
    Element elements[kOutlierTile];
    u64 before;  // the outliers of the tiles before it
    u32 number;
    u32 failed;
    u32 outliers[kOutlierWarps];
    OrderedKey fences[2];
    OrderedKey greatest[kOutlierWarps];  // what each warp may keep

    // Past the end of the tile its last element stands in.
    __device__ __forceinline__ OrderedKey key(u32 place) const { return elements[min_of(place, kOutlierTile - 1)].key; }
};

// The host counts so many bytes, whatever the alignment of a key is.
constexpr u32 kTakeOutSharedBytes = align_16(kOutlierTile * (u32)sizeof(Element))
    + align_16((4 + kOutlierWarps) * (u32)sizeof(u32)) + align_16((2 + kOutlierWarps) * (u32)sizeof(OrderedKey));
static_assert(sizeof(OutlierTile) <= kTakeOutSharedBytes, "a tile takes more than the host counts");

__device__ __forceinline__ void keep_greater(OrderedKey& key, const OrderedKey& other) {
    move_item_if(less(key, other), key, other);
}

// Returns the fence at a border between two tiles, or a bound where there is no tile beyond. One warp calls this.
__device__ __forceinline__ OrderedKey find_fence(const ElementArray& in, u64 count, u64 border) {
    const u32 lane = threadIdx.x % kWarpSize;
    const u64 first = min_of(border < kWarpSize / 2 ? 0 : border - kWarpSize / 2, count - kWarpSize);
    OrderedKey key = in.key(first + lane, false);
#pragma unroll 1
    for (u32 width = 1; width < kWarpSize; width *= 2) {
        keep_side(key, shuffle_xor(key, 2 * width - 1), (lane & width) != 0);
#pragma unroll 1
        for (u32 distance = width / 2; distance > 0; distance /= 2) {
            keep_side(key, shuffle_xor(key, distance), (lane & distance) != 0);
        }
    }
    return shuffle(key, border == 0 ? 0 : border == count ? kWarpSize - 1 : kWarpSize / 2);
}

// The part of a tile that a warp has: element i * 32 + j of it is item i of lane j. The last tile may have fewer.
struct OutlierPart {
    u32 first;       // the place of item 0 of this lane in the tile
    int left;        // elements of the tile from there on
    u32 candidates;  // bit i: item i may be kept
    u32 calm;        // bit i: all items i of the warp may be kept, and are in order
    u32 kept;        // bit i: item i is kept

    __device__ __forceinline__ bool has(int item) const { return item * (int)kWarpSize < left; }

    __device__ __forceinline__ u32 place(int item) const { return first + item * kWarpSize; }

    // Loads the part of a tile that begins at a place. Past the end of the input its last element stands in.
    __device__ __forceinline__ void load(const ElementArray& in, u64 count, u64 begin, OutlierTile& tile) const {
        Element loaded[kOutlierItems];
#pragma unroll
        for (int i = 0; i < kOutlierItems; ++i) {
            loaded[i] = in.load(min_of(begin + place(i), count - 1));
        }
#pragma unroll
        for (int i = 0; i < kOutlierItems; ++i) {
            tile.elements[place(i)] = loaded[i];
        }
    }

    // Finds what may be kept, and returns the greatest key of that, or `lower` if that is greater.
    __device__ __forceinline__ OrderedKey find_candidates(
        const OutlierTile& tile, const OrderedKey& lower, const OrderedKey& upper) {
        OrderedKey greatest = lower;
        candidates = 0;
        calm = 0;
#pragma unroll 2
        for (int i = 0; i < kOutlierItems; ++i) {
            const OrderedKey key = tile.key(place(i));
            const bool falls = less(tile.key(place(i) + 1), key);
            bool may_keep = has(i) && !less(key, lower) && !less(upper, key);
            const bool is_calm = __all_sync(kAllLanes, may_keep && !falls);
            if (may_keep && falls) {
                may_keep = !less(tile.key(place(i) + 2), key);
            }
            candidates |= (u32)may_keep << i;
            calm |= (u32)is_calm << i;
            move_item_if(may_keep && less(greatest, key), greatest, key);
        }
        for (u32 distance = kWarpSize / 2; distance > 0; distance /= 2) {
            keep_greater(greatest, shuffle_xor(greatest, distance));
        }
        return greatest;
    }

    // Finds what is kept, where `greatest` is the greatest key before this part that may be. Returns how many outliers
    // the part has.
    __device__ __forceinline__ u32 find_kept(const OutlierTile& tile, OrderedKey greatest) {
        const u32 lane = threadIdx.x % kWarpSize;
        u32 outliers = 0;
        kept = 0;
#pragma unroll 2
        for (int i = 0; i < kOutlierItems; ++i) {
            const OrderedKey key = tile.key(place(i));
            bool keeps = (candidates >> i & 1) != 0 && !less(key, greatest);
            const bool keeps_all = __all_sync(kAllLanes, keeps);
            if ((calm >> i & 1) != 0 && keeps_all) {
                greatest = shuffle(key, kWarpSize - 1);
            } else {
                OrderedKey most = greatest;
                move_item_if(keeps, most, key);
                for (u32 distance = 1; distance < kWarpSize; distance *= 2) {
                    const OrderedKey other = shuffle(most, (lane - distance) % kWarpSize);
                    move_item_if(lane >= distance && less(most, other), most, other);
                }
                OrderedKey before = shuffle(most, (lane - 1) % kWarpSize);
                move_item_if(lane == 0, before, greatest);
                keeps = keeps && !less(key, before);
                outliers += __popc((int)__ballot_sync(kAllLanes, has(i) && !keeps));
                greatest = shuffle(most, kWarpSize - 1);
            }
            kept |= (u32)keeps << i;
        }
        return outliers;
    }

    // Stores all elements of the part, which has so many outliers before it.
    __device__ __forceinline__ void store(
        const OutlierTile& tile, const ElementArray& out, u64 count, u64 begin, u64 outliers) const {
        const u32 lanes_before = (1u << threadIdx.x % kWarpSize) - 1;
#pragma unroll 4
        for (int i = 0; i < kOutlierItems; ++i) {
            const bool keeps = (kept >> i & 1) != 0;
            const u32 row = __ballot_sync(kAllLanes, has(i) && !keeps);
            const u64 before = outliers + __popc((int)(row & lanes_before));
            if (has(i)) {
                out.store_ordered((keeps ? begin + place(i) : count - 1) - before, tile.elements[place(i)]);
            }
            outliers += __popc((int)row);
        }
    }
};

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

// Takes the outliers out of a tile. Returns false if there are too many, or fences fall. All threads of a block call
// this.
__device__ __forceinline__ bool take_out_of_tile(
    const ElementArray& in, const ElementArray& out, u64 count, u64 most_outliers, u64* words, OutlierTile& tile) {
    const u32 warp = threadIdx.x / kWarpSize;
    const u32 lane = threadIdx.x % kWarpSize;
    const u64 begin = (u64)tile.number * kOutlierTile;
    const u64 end = min_of(begin + kOutlierTile, count);
    const u32 first = warp * kOutlierItems * kWarpSize + lane;
    OutlierPart part{first, (int)(end - begin) - (int)first, 0, 0, 0};
    part.load(in, count, begin, tile);
    if (warp < 2) {
        const OrderedKey fence = find_fence(in, count, warp == 0 ? begin : end);
        if (lane == 0) {
            tile.fences[warp] = fence;
        }
    }
    __syncthreads();
    const OrderedKey lower = tile.fences[0];
    const OrderedKey upper = tile.fences[1];
    const bool falls = less(upper, lower);
    const OrderedKey own_greatest = part.find_candidates(tile, lower, upper);
    if (lane == 0) {
        tile.greatest[warp] = own_greatest;
    }
    __syncthreads();
    OrderedKey greatest = lower;
    for (u32 other = 0; other < warp; ++other) {
        keep_greater(greatest, tile.greatest[other]);
    }
    const u32 own = part.find_kept(tile, greatest);
    if (lane == 0) {
        tile.outliers[warp] = own;
    }
    __syncthreads();
    const u32 of_warp = lane < kOutlierWarps ? tile.outliers[lane] : 0;
    const u32 up_to_warp = warp_inclusive_scan(of_warp);
    const u32 all = __shfl_sync(kAllLanes, up_to_warp, kWarpSize - 1);
    const u32 of_warps_before = __shfl_sync(kAllLanes, up_to_warp - of_warp, (int)warp);
    if (warp == 0) {
        // Others wait for this tile even if it is in vain.
        const u64 before = outliers_before(words, tile.number, all);
        if (lane == 0) {
            tile.before = before;
        }
    }
    __syncthreads();
    if (falls || tile.before + all > most_outliers) {
        return false;
    }
    part.store(tile, out, count, begin, tile.before + of_warps_before);
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
    while (true) {
        if (threadIdx.x == 0) {
            tile.number = next;
            tile.failed = failed;
        }
        __syncthreads();
        if (tile.number >= tiles) {
            break;
        }
        fits = fits && tile.failed == 0;
        if (threadIdx.x == 0) {
            next = fits ? atomicAdd(&search->taken, 1u) : tiles;
            failed = *(const volatile u32*)&search->failed;
        }
        if (fits) {
            fits = take_out_of_tile(in, out, count, most_outliers, words, tile);
            if (!fits && threadIdx.x == 0) {
                *(volatile u32*)&search->failed = 1;
            }
        } else if (threadIdx.x == 0) {
            // Others may wait for this tile, and fail as well where they are told of too many.
            *(volatile u64*)&words[tile.number] = TileWord<u64>::kIsSum | (most_outliers + 1);
        }
        __syncthreads();
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
