// Merges sorted parts that lie on several GPUs as merge_runs merges runs of one array. Each GPU merges what belongs to
// its home, and reads the elements of others over the links: each element is read once, except for a sample of the
// sections, and written once.
#pragma once
#include "parts/gpu_parts.cuh"
#include "parts/section_merge.cuh"

extern "C" __global__ void __launch_bounds__(kMergeRunsThreads, kMergeRunsBlocks)
    merge_parts(GpuParts parts, ElementArray out, RunSearch* search, const u64* cuts, u64 sections) {
    follow_previous_kernel();
    merge_sections<false>(parts, out, search, cuts, sections);
}
