// Merges two sorted arrays: each element is read once and written once. Ties take the first array, so this is stable.
// cut_sorted comes before it.
#pragma once
#include "parts/sorted_cuts.cuh"

// Finds where each tile of the merge begins, and where the last one ends. Neighbouring cuts are compared, so blocks
// overlap by one cut.
extern "C" __global__ void __launch_bounds__(kSortedThreads) cut_sorted(
    const unsigned char* first_elements, u64 first_count, const unsigned char* second_elements, u64 second_count,
    u64 finds_runs, SortedCut* cuts, u64 cut_count, SortedProgress* progress) {
    u64* found = (u64*)shared_memory;
    const Elements first{first_elements};
    const Elements second{second_elements};
    const u64 cut = (u64)blockIdx.x * (kSortedThreads - 1) + threadIdx.x;
    const u64 count = first_count + second_count;
    const u64 diagonal = min_of(cut * kSortedTile, count);
    const u64 a = merge_path(first, first_count, second, second_count, diagonal);
    const u64 b = diagonal - a;
    found[threadIdx.x] = a;
    __syncthreads();
    if (cut >= cut_count) {
        return;
    }
    if (threadIdx.x + 1 < kSortedThreads) {
        SortedCut result{a, b, a, b};
        if (finds_runs != 0) {
            result.a_run = run_before(first, first_count, a);
            result.b_run = run_before(second, second_count, b);
        }
        cuts[cut] = result;
        if (cut + 1 < cut_count) {
            const u64 next_a = found[threadIdx.x + 1];
            const u64 next_b = min_of((cut + 1) * kSortedTile, count) - next_a;
            if (next_a < a || next_b < b) {
                atomicAdd(&progress->misfits, 1ull);
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(kSortedThreads, kSortedBlocks) merge_sorted(
    SortedColumns columns, u64 first_count, u64 second_count, const SortedCut* cuts, const SortedProgress* progress) {
    const Elements first{columns.columns[0].first};
    const Elements second{columns.columns[0].second};
    const u64 count = first_count + second_count;
    const MergedTile merged(
        first, second, fitting_cut(cuts, blockIdx.x, first_count, count, progress),
        fitting_cut(cuts, blockIdx.x + 1, first_count, count, progress));
    const SortedTile& tile = merged.tile;
    const MergedPart part(tile);
    u16* places = tile_places();
    part.for_each(tile, [&](u32 i, bool takes_b, u32 a, u32 b, const Key&, const Key&) {
        places[part.begin + i] = (u16)(takes_b ? tile.a_count + b : a);
    });
    __syncthreads();
    write_columns(columns, tile, merged.begin.a, merged.begin.b, places, tile.count, (u64)blockIdx.x * kSortedTile);
}
