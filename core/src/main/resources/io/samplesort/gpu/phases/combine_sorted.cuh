// Keeps elements of two sorted arrays by how often they are there: in the union, in both, or in the first array alone.
// Each element is read once, and each that is kept is written once; cut_sorted comes before it.
//
// The r-th of equal elements of one array is matched by the r-th of the other. Cuts leave such pairs whole, so a thread
// passes both at once.
#pragma once
#include "parts/sorted_cuts.cuh"
#include "parts/tile_places.cuh"

constexpr u64 kUnion = 0;
constexpr u64 kIntersection = 1;
constexpr u64 kDifference = 2;

extern "C" __global__ void __launch_bounds__(kSortedThreads, kSetBlocks) combine_sorted(
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
    const MergedPart part(tile, true);
    MovedElement moved[kSortedItems + 1];
    u32 a_mask = 0;
    u32 b_mask = 0;
    PartWalk walk(tile, part);
#pragma unroll
    for (u32 i = 0; i <= kSortedItems; ++i) {
        const bool is_b = walk.takes_b();
        const bool takes_a = walk.has_a() & !is_b;
        const bool takes_b = is_b | (takes_a && walk.is_pair());
        if constexpr (kMovesElements) {
            moved[i] = is_b ? walk.b.moved : walk.a.moved;
        }
        a_mask = 2 * a_mask + (takes_a ? 1 : 0);
        b_mask = 2 * b_mask + (takes_b ? 1 : 0);
        walk.pass(takes_a, takes_b);
    }
    const u32 pairs = a_mask & b_mask;
    const u32 mask = operation == kUnion ? a_mask | b_mask : operation == kIntersection ? pairs : a_mask ^ pairs;
    u32 a_place = part.begin.a;
    u32 b_place = tile.a_count + part.begin.b;
    const auto next_place = [&](u32 i) {
        const u32 passes_a = a_mask >> (kSortedItems - i) & 1;
        const u32 place = passes_a != 0 ? a_place : b_place;
        a_place += passes_a;
        b_place += b_mask >> (kSortedItems - i) & 1;
        return place;
    };
    const bool needs_places = columns.needs_places();
    const u32 kept = list_kept(columns, words, number, moved, mask, needs_places, next_place, [](u32) {});
    const u64 place = sorted_scratch().place;
    if (threadIdx.x == 0 && number + 1 == gridDim.x) {
        progress->total = place + kept;
    }
    write_kept(columns, tile, begin.a, begin.b, within_room(place, kept, room), place);
}
