// Merges two sorted arrays: each element is read once and written once. Ties take the first array, so this is stable.
// cut_sorted comes before it.
#pragma once
#include "parts/sorted_cuts.cuh"
#include "parts/tile_output.cuh"

// Finds where each tile of a merge or, if `is_balanced` is not 0, of a set operation begins, and where the last one
// ends. Neighbouring cuts are compared, so blocks overlap by one cut.
extern "C" __global__ void __launch_bounds__(kSortedThreads) cut_sorted(
    const unsigned char* first_elements, u64 first_count, const unsigned char* second_elements, u64 second_count,
    u64 is_balanced, SortedCut* cuts, u64 cut_count, SortedProgress* progress) {
    SortedCut* found = (SortedCut*)shared_memory;
    const Elements first{first_elements};
    const Elements second{second_elements};
    const u64 cut = (u64)blockIdx.x * (kSortedThreads - 1) + threadIdx.x;
    const u64 count = first_count + second_count;
    const u64 place = min_of(cut * kSortedTile, count);
    SortedCut result = merge_cut(first, first_count, second, second_count, place);
    if (is_balanced != 0 && place < count) {
        result = balanced_cut(first, first_count, second, second_count, result);
    }
    found[threadIdx.x] = result;
    __syncthreads();
    if (cut < cut_count && threadIdx.x + 1 < kSortedThreads) {
        cuts[cut] = result;
        if (cut + 1 < cut_count && !result.fits(found[threadIdx.x + 1], kSortedTile + 1)) {
            atomicAdd(&progress->misfits, 1ull);
        }
    }
}

// Merges the part of a thread into registers, and notes the places of its elements from `places` on unless that is
// null. If the part has all of the thread's share, no step asks whether there is anything left.
template <bool kIsFull>
__device__ __forceinline__ void merge_part(
    const SortedTile& tile, const MergedPart& part, MovedElement (&moved)[kSortedItems], u16* places) {
    PartWalk walk(tile, part);
    const u32 count = part.count();
#pragma unroll
    for (u32 i = 0; i < kSortedItems; ++i) {
        if (kIsFull || i < count) {
            const bool is_b = walk.takes_b();
            if constexpr (kMovesElements) {
                moved[i] = is_b ? walk.b.moved : walk.a.moved;
            }
            if (places != nullptr) {
                places[i] = (u16)(is_b ? tile.a_count + walk.at.b : walk.at.a);
            }
            walk.pass(is_b);
        }
    }
}

extern "C" __global__ void __launch_bounds__(kSortedThreads, kMergeBlocks) merge_sorted(
    SortedColumns columns, u64 first_count, u64 second_count, const SortedCut* cuts, const SortedProgress* progress) {
    const Elements first{columns.columns[0].first};
    const Elements second{columns.columns[0].second};
    const u64 count = first_count + second_count;
    const MergedTile merged(
        first, second, fitting_cut(cuts, blockIdx.x, first_count, count, progress),
        fitting_cut(cuts, blockIdx.x + 1, first_count, count, progress));
    const SortedTile& tile = merged.tile;
    const MergedPart part(tile, false);
    MovedElement moved[kSortedItems];
    if (kMovesElements && tile.count == kSortedTile && !columns.needs_places()) {
        merge_part<true>(tile, part, moved, nullptr);
    } else {
        merge_part<false>(tile, part, moved, columns.needs_places() ? tile_places() + part.place() : nullptr);
    }
    __syncthreads();
    const u64 to = (u64)blockIdx.x * kSortedTile;
    if (kMovesElements && columns.writes_elements()) {
        write_moved(columns, moved, part.place(), part.place() + part.count(), tile.count, to);
    }
    if (columns.needs_places()) {
        write_columns(columns, tile, merged.begin.a, merged.begin.b, tile_places(), tile.count, to);
    }
}
