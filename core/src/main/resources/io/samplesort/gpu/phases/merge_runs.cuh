// Merges the sorted runs that find_runs has found, all at once: each element is read once and written once.
//
// cut_runs has divided the result into sections. A block takes a section, draws a sample of it at equal distances,
// merges the sample, and cuts the section once more, so that nearly all pieces fit its shared memory. There it sorts
// them one after another by cells (gathered_pieces.cuh). If a piece does not fit, since the sample was too coarse, it
// is sorted step by step: the block takes the same amount of all runs, except elements that a later one may precede.
//
// This is how sort_runs works. merge_runs merges few runs in rounds instead (run_pieces.cuh), and so does sort_runs
// with the rest of a section whose keys are spread too unevenly for cells.
//
// Equal keys come in the order of their runs, and within a run in their present order, so merging is stable.
#pragma once
#include "parts/order_search.cuh"
#include "parts/section_merge.cuh"

extern "C" __global__ void __launch_bounds__(kMergeRunsThreads, kMergeRunsBlocks) merge_runs(
    ElementArray runs, ElementArray out, RunSearch* search, const u64* cuts, u64 sections, const OrderSearch* order) {
    if (!follow_look(order) || search->run_count == 0 || search->run_count > kFewRuns) {
        return;
    }
    merge_sections<false>(runs, out, search, cuts, sections);
}

// Does the same with more runs. This is a kernel of its own, since cells need more shared memory and registers.
extern "C" __global__ void __launch_bounds__(kMergeRunsThreads, kMergeRunsBlocks) sort_runs(
    ElementArray runs, ElementArray out, RunSearch* search, const u64* cuts, u64 sections, const OrderSearch* order) {
    if (!follow_look(order) || search->run_count <= kFewRuns) {
        return;
    }
    merge_sections<true>(runs, out, search, cuts, sections);
}
