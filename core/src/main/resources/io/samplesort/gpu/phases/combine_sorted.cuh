// Keeps elements of two sorted arrays by how often they are there: in the union, in both, or in the first array alone.
// Each element is read once, and each that is kept is written once; cut_sorted comes before it.
//
// The r-th of equal elements is matched if the other array has more than r elements that are equal to it. In merged
// order, where equal elements of the first array come first, the equal elements of the second array begin where the
// merge has come to when it takes one of the first. So one comparison tells whether an element is matched, and only the
// place where its run begins has to be known. Elements that are looked at outside the tile are read where they are.
#pragma once
#include "parts/sorted_cuts.cuh"
#include "parts/tile_places.cuh"

constexpr u64 kUnion = 0;
constexpr u64 kIntersection = 1;
constexpr u64 kDifference = 2;

// One of the arrays, and the part of it that is in the tile.
struct CombinedArray {
    Elements all;
    u64 count;
    Elements piece;
    u64 piece_begin;
    u32 piece_count;

    __device__ __forceinline__ Key key(u64 place) const {
        const u64 in_piece = place - piece_begin;
        return place >= piece_begin && in_piece < piece_count ? piece[in_piece] : all[place];
    }

    // Returns where the run begins to which an element of the piece belongs. `first_run` is that of the first element.
    __device__ __forceinline__ u64 run_of(u32 place, u64 first_run) const {
        if (place != 0) {
            const u32 begin = run_begin(piece, place);
            if (begin != 0) {
                return piece_begin + begin;
            }
        }
        return first_run;
    }
};

extern "C" __global__ void __launch_bounds__(kSortedThreads, kSortedBlocks) combine_sorted(
    SortedColumns columns, u64 first_count, u64 second_count, u64 operation, u64 room, const SortedCut* cuts,
    u64* words, SortedProgress* progress) {
    const Elements first{columns.columns[0].first};
    const Elements second{columns.columns[0].second};
    const u64 count = first_count + second_count;
    const u64 number = take_tile(progress);
    const SortedCut begin = fitting_cut(cuts, number, first_count, count, progress);
    const SortedCut end = fitting_cut(cuts, number + 1, first_count, count, progress);
    const MergedTile merged(first, second, begin, end);
    const SortedTile& tile = merged.tile;
    const MergedPart part(tile);
    const CombinedArray a_array{first, first_count, tile.a, begin.a, tile.a_count};
    const CombinedArray b_array{second, second_count, tile.b, begin.b, tile.count - tile.a_count};
    const bool is_union = operation == kUnion;
    u64 run = 0;
    if (is_union ? part.b < part.b_end : part.a < part.a_end) {
        run = is_union ? b_array.run_of(part.b, begin.b_run) : a_array.run_of(part.a, begin.a_run);
    }
    u32 mask = 0;
    u32 second_mask = 0;
    bool has_last = false;
    Key last;
    part.for_each(tile, [&](u32 i, bool takes_b, u32 a, u32 b, const Key& a_key, const Key& b_key) {
        second_mask |= (u32)takes_b << i;
        bool keeps = is_union;
        if (takes_b == is_union) {
            const Key key = takes_b ? b_key : a_key;
            const u64 place = takes_b ? begin.b + b : begin.a + a;
            if (has_last && less(last, key)) {
                run = place;
            }
            last = key;
            has_last = true;
            const u64 rank = place - run;
            const u64 other = takes_b ? begin.a + a - 1 - rank : begin.b + b + rank;
            bool is_matched = false;
            if (takes_b) {
                is_matched = rank < begin.a + a && !less(a_array.key(other), key);
            } else {
                is_matched = other < second_count && !less(key, b_array.key(other));
            }
            keeps = is_matched == (operation == kIntersection);
        }
        mask |= (u32)keeps << i;
    });
    // The threads have read their cuts where the places go.
    u32 a_place = part.a;
    u32 b_place = tile.a_count + part.b;
    const auto next_place = [&](u32 i) { return (second_mask >> i & 1) != 0 ? b_place++ : a_place++; };
    const u32 kept = list_kept(words, number, mask, next_place, [](u32) {});
    const u64 place = sorted_scratch().place;
    if (threadIdx.x == 0 && number + 1 == gridDim.x) {
        progress->total = place + kept;
    }
    write_columns(columns, tile, begin.a, begin.b, tile_places(), within_room(place, kept, room), place);
}
