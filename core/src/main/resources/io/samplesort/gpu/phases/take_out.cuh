// Takes apart an input of which mark_outliers has marked what is out of place. What is kept is a sorted run, and so are
// the outliers once they have been sorted; merge_runs merges the two. For the phases behind, it is an input without
// elements (kIsPlaced). The input itself stays as it is, so if there are too many outliers, it is sorted as any other.
//
// Outliers go to the end of the array, from its last place downwards, so in the end they lie where what is kept ends.
// How many come before a block's tiles each block adds up by itself, instead of waiting for others. Each warp moves
// whole tiles, row by row.
#pragma once
#include "parts/outliers.cuh"
#include "parts/run_search.cuh"

constexpr u32 kTakeOutWarps = kOrderThreads / kWarpSize;
constexpr u32 kTakeOutSharedBytes = kTakeOutWarps * sizeof(u64);

// So many rows of a warp are on their way at a time.
constexpr u32 kRowsAtOnce = sizeof(Element) <= 8 ? 8 : 4;

// A tile on its way to where its elements belong. One warp calls all of this.
struct TileMove {
    const ElementArray& in;
    const ElementArray& out;
    u64 count;
    u64 begin;   // of the tile
    u64 before;  // the outliers of the tiles before it

    // Moves rows, of which the first begins at a place of the tile; bits are set for outliers. `before_rows` outliers
    // of the tile come before them.
    template <bool kIsFull>
    __device__ __forceinline__ void move(u32 place, const u32 (&bits)[kRowsAtOnce], u32& before_rows) const {
        const u32 lane = threadIdx.x % kWarpSize;
        const u32 lanes_before = (1u << lane) - 1;
        const ElementArray kept = out.from(begin - before);
        Element elements[kRowsAtOnce];
#pragma unroll
        for (u32 i = 0; i < kRowsAtOnce; ++i) {
            const u64 index = begin + place + i * kWarpSize + lane;
            elements[i] = in.load(kIsFull ? index : min_of(index, count - 1));
        }
#pragma unroll
        for (u32 i = 0; i < kRowsAtOnce; ++i) {
            const u32 own_place = place + i * kWarpSize + lane;
            const u32 outliers = before_rows + __popc((int)(bits[i] & lanes_before));
            if ((bits[i] >> lane & 1) != 0) {
                out.store_ordered(count - 1 - before - outliers, elements[i]);
            } else if (kIsFull || begin + own_place < count) {
                kept.store_ordered(own_place - outliers, elements[i]);
            }
            before_rows += __popc((int)bits[i]);
        }
    }

    template <bool kIsFull>
    __device__ __forceinline__ void move_all(const uint4& rows) const {
        u32 before_rows = 0;
#pragma unroll 1
        for (u32 first = 0; first < kOutlierTile / kWarpSize; first += kRowsAtOnce) {
            u32 bits[kRowsAtOnce];
#pragma unroll
            for (u32 i = 0; i < kRowsAtOnce; ++i) {
                const u32 own = i % 4 == 0 ? rows.x : i % 4 == 1 ? rows.y : i % 4 == 2 ? rows.z : rows.w;
                bits[i] = __shfl_sync(kAllLanes, own, (int)(first / 4 + i / 4));
            }
            move<kIsFull>(first * kWarpSize, bits, before_rows);
        }
    }
};

// `marked_by` is how many blocks have looked for outliers.
extern "C" __global__ void __launch_bounds__(kOrderThreads, kOrderBlocks) take_out(
    ElementArray in, ElementArray out, u64 count, u64 most_outliers, const OutlierSearch* search, u64 marked_by,
    uint4* bits, u32* counts, RunSearch* runs, u8* mark, u32* host_order) {
    follow_previous_kernel();
    if (search->done != marked_by || search->outliers > most_outliers) {
        return;
    }
    const OutlierMarks marks{bits, counts};
    const u32 warp = threadIdx.x / kWarpSize;
    const u32 lane = threadIdx.x % kWarpSize;
    const u64 tiles = ceil_div(count, kOutlierTile);
    const u32 first = (u32)(tiles * blockIdx.x / gridDim.x);
    const u32 end = (u32)(tiles * (blockIdx.x + 1) / gridDim.x);
    u64 own_before = 0;
    for (u32 tile = threadIdx.x; tile < first; tile += kOrderThreads) {
        own_before += marks.counts[tile];
    }
    u64 before;
    block_exclusive_scan(own_before, (u64*)shared_memory, before);
    for (u32 begin = first; begin < end; begin += kTakeOutWarps) {
        const u32 outliers = lane < kTakeOutWarps && begin + lane < end ? marks.counts[begin + lane] : 0;
        const u32 up_to = warp_inclusive_scan(outliers);
        const u32 tile = begin + warp;
        if (tile < end) {
            const u64 place = (u64)tile * kOutlierTile;
            const TileMove move{
                in, out, count, place, before + __shfl_sync(kAllLanes, up_to - outliers, (int)warp)};
            const uint4 rows = marks.rows(tile, lane);
            if (place + kOutlierTile <= count) {
                move.move_all<true>(rows);
            } else {
                move.move_all<false>(rows);
            }
        }
        before += __shfl_sync(kAllLanes, up_to, kWarpSize - 1);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        const u64 all = search->outliers;
        runs->begins[0] = 0;
        runs->begins[1] = count - all;
        runs->begins[2] = count;
        runs->run_count = 2;
        *mark = kIsPlaced;
        // The host asks for this number only where it is told that there are outliers.
        *(volatile u32*)(host_order + 1) = (u32)all;
        __threadfence_system();
        tell_host(host_order, kHasOutliers);
    }
}
