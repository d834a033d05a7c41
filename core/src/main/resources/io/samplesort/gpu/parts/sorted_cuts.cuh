// Cuts of two sorted arrays where the tiles of their merge begin (merge_path.cuh), and the merge of a tile.
//
// Cuts of arrays that are not sorted, or of an order that contradicts itself, may lie before those to their left. Then
// the elements of the first array come before those of the second, so that none is lost.
#pragma once
#include "parts/merge_path.cuh"
#include "parts/sorted_tile.cuh"

// Where a tile begins in both arrays, and where the runs of equal elements begin that go on there.
struct SortedCut {
    u64 a;
    u64 b;
    u64 a_run;
    u64 b_run;
};

// Returns where a run begins that goes on at a place, or the place itself.
__device__ __forceinline__ u64 run_before(const Elements& elements, u64 count, u64 place) {
    return place < count ? run_begin(elements, place) : place;
}

// The tile of a block, whose elements are loaded.
struct MergedTile {
    SortedCut begin;
    SortedTile tile;

    __device__ __forceinline__
    MergedTile(const Elements& first, const Elements& second, const SortedCut& begin, const SortedCut& end)
        : begin(begin),
          tile(first.from(begin.a), (u32)(end.a - begin.a), second.from(begin.b), (u32)(end.b - begin.b)) {}
};

// Returns a cut, or that of one array behind the other if cuts do not fit together.
__device__ __forceinline__ SortedCut
fitting_cut(const SortedCut* cuts, u64 tile, u64 first_count, u64 count, const SortedProgress* progress) {
    const SortedCut cut = cuts[tile];
    if (progress->misfits == 0) {
        return cut;
    }
    const u64 place = min_of(tile * kSortedTile, count);
    const u64 a = min_of(place, first_count);
    return SortedCut{a, place - a, a, place - a};
}

// The part of a tile that a thread merges, from some places of both pieces to others.
struct MergedPart {
    u32 begin;
    u32 end;
    u32 a;
    u32 a_end;
    u32 b;
    u32 b_end;

    // All threads of the block call this.
    __device__ __forceinline__ explicit MergedPart(const SortedTile& tile)
        : begin(min_of(threadIdx.x * kSortedItems, tile.count)), end(min_of(begin + kSortedItems, tile.count)) {
        u32* cuts = (u32*)tile_places();
        a = merge_path(tile.a, tile.a_count, tile.b, tile.count - tile.a_count, begin);
        cuts[threadIdx.x] = a;
        __syncthreads();
        a_end = end == tile.count ? tile.a_count : cuts[threadIdx.x + 1];
        b = begin - a;
        b_end = end - a_end;
        if (!__syncthreads_and(a <= a_end && b <= b_end)) {
            a = min_of(begin, tile.a_count);
            a_end = min_of(end, tile.a_count);
            b = begin - a;
            b_end = end - a_end;
        }
    }

    // Calls `visit` with each element in merged order: its number in the part, whether it is of the second array, its
    // place in the tile, the places that both pieces have come to, and both keys there.
    template <typename Visit>
    __device__ __forceinline__ void for_each(const SortedTile& tile, const Visit& visit) const {
        u32 next_a = a;
        u32 next_b = b;
        Key a_key;
        Key b_key;
        if (next_a < a_end) {
            a_key = tile.a[next_a];
        }
        if (next_b < b_end) {
            b_key = tile.b[next_b];
        }
#pragma unroll
        for (u32 i = 0; i < kSortedItems; ++i) {
            if (begin + i < end) {
                const bool takes_b = next_b < b_end && (next_a >= a_end || less(b_key, a_key));
                visit(i, takes_b, next_a, next_b, a_key, b_key);
                next_b += takes_b ? 1 : 0;
                next_a += takes_b ? 0 : 1;
                // One load for the lanes that take either.
                const Elements next = takes_b ? tile.b.from(next_b) : tile.a.from(next_a);
                if (takes_b ? next_b < b_end : next_a < a_end) {
                    const Key key = next[0];
                    b_key = takes_b ? key : b_key;
                    a_key = takes_b ? a_key : key;
                }
            }
        }
    }
};
