// Finds where the elements that a tile keeps go: behind those that all earlier tiles keep (decoupled look-back, as in
// tile_chain.cuh). Tiles are handed out in their order, so any tile that a block waits for has been taken by a block
// that is running.
#pragma once
#include "parts/tile_output.cuh"

// What a tile has published: nothing while its word is 0, how many elements it keeps, or the sum up to its end.
constexpr u64 kKeepsCount = 1ull << 62;
constexpr u64 kKeepsSum = 2ull << 62;
constexpr u64 kKept = kKeepsCount - 1;

// Takes the next tile. All threads of the block call this.
__device__ __forceinline__ u64 take_tile(SortedProgress* progress) {
    SortedScratch& scratch = sorted_scratch();
    if (threadIdx.x == 0) {
        scratch.ticket = atomicAdd(&progress->tickets, 1ull);
    }
    __syncthreads();
    return scratch.ticket;
}

// Returns how many elements the tiles before a tile keep, and publishes the sum. One warp calls this.
__device__ __forceinline__ u64 kept_before(volatile u64* words, u64 tile, u32 kept) {
    const u32 lane = threadIdx.x % kWarpSize;
    u64 sum = 0;
    if (tile != 0) {
        bool is_complete = false;
        for (u64 end = tile; !is_complete;) {
            // Before the first tile, the sum is 0.
            const u64 word = lane < end ? words[end - 1 - lane] : kKeepsSum;
            const u32 sums = __ballot_sync(kAllLanes, word >= kKeepsSum);
            const u32 unknown = __ballot_sync(kAllLanes, word == 0);
            const u32 last = sums != 0 ? (u32)__ffs((int)sums) - 1 : kWarpSize - 1;
            if ((unknown & (2u << last) - 1) != 0) {
                continue;
            }
            sum += warp_sum(lane <= last ? word & kKept : 0);
            is_complete = sums != 0;
            end -= kWarpSize;
        }
    }
    if (lane == 0) {
        words[tile] = kKeepsSum | (sum + kept);
    }
    return sum;
}

// Puts the elements that a tile keeps, in their order, where write_kept reads them: in shared memory if they are moved,
// and as places if these are needed. Each thread says which of its elements are kept, by a bit for each, and is asked
// for the place of each element, one after the other. The lowest bit is that of the last element: so each step of the
// loop that makes the mask needs it from the step before, and the compiler does not keep all bits in registers to put
// them together in the end.
//
// Returns how many elements the tile keeps, and scratch.place becomes how many the tiles before it keep. `meanwhile` is
// called by one more warp. All threads of the block call this, after they have read what they need of the tile.
template <u32 kItems, typename NextPlace, typename Meanwhile>
__device__ __forceinline__ u32 list_kept(
    const SortedColumns& columns, volatile u64* words, u64 tile, const MovedElement (&moved)[kItems], u32 mask,
    bool needs_places, const NextPlace& next_place, const Meanwhile& meanwhile) {
    SortedScratch& scratch = sorted_scratch();
    u32 kept;
    const u32 begin = block_exclusive_scan((u32)__popc(mask), scratch.warp_totals, kept);
    // As soon as it is known, since other tiles wait for it.
    if (threadIdx.x == 0) {
        words[tile] = kKeepsCount | kept;
    }
    if (kMovesElements && columns.writes_elements()) {
        MovedElement* staged = (MovedElement*)shared_memory + begin;
#pragma unroll
        for (u32 i = 0; i < kItems; ++i) {
            if ((mask >> (kItems - 1 - i) & 1) != 0) {
                *staged++ = moved[i];
            }
        }
    }
    if (needs_places) {
        u16* places = tile_places() + begin;
#pragma unroll
        for (u32 i = 0; i < kItems; ++i) {
            const u32 place = next_place(i);
            if ((mask >> (kItems - 1 - i) & 1) != 0) {
                *places++ = (u16)place;
            }
        }
    }
    if (threadIdx.x < kWarpSize) {
        const u64 before = kept_before(words, tile, kept);
        if (threadIdx.x == 0) {
            scratch.place = before;
        }
    } else if (threadIdx.x / kWarpSize == 1) {
        meanwhile(kept);
    }
    __syncthreads();
    return kept;
}

// Writes the first `count` of the elements that a tile keeps, from place `to` of the targets on. `a_begin` and
// `b_begin` say where the tile begins in both arrays. All threads of the block call this.
__device__ __forceinline__ void write_kept(
    const SortedColumns& columns, const SortedTile& tile, u64 a_begin, u64 b_begin, u32 count, u64 to) {
    if (kMovesElements && columns.writes_elements()) {
        write_staged(columns, count, to);
    }
    if (columns.needs_places()) {
        write_columns(columns, tile, a_begin, b_begin, tile_places(), count, to);
    }
}

// Returns how many of `count` elements from `place` on there is room for.
__device__ __forceinline__ u32 within_room(u64 place, u32 count, u64 room) {
    return place < room ? (u32)min_of<u64>(count, room - place) : 0;
}
