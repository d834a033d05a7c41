// The phases of a pass whose segments lie in pages, except its scatter.
#pragma once
#include "parts/pages.cuh"
#include "parts/segment_scan.cuh"
#include "parts/splitter_choice.cuh"

extern "C" __global__ void __launch_bounds__(kSampleThreads, 1)
    select_page_splitters(ElementArray array, Pages pages, Pass pass, u64 seed, u64 sample_count_limit, u64 parts) {
    const auto key_at = [&](u64 place) {
        return pages.tile(array, pages.find_tile(place)).key((u32)(place % kTileSize));
    };
    choose_splitters(key_at, pass, seed, sample_count_limit, parts, false, []() { return true; });
}

// If a bucket had too little room, its segment cannot stay where it lies, since others are about to take its pages. So
// it becomes one bucket in its room. That takes a block a while, and is rare.
extern "C" __global__ void __launch_bounds__(kScanThreads)
    scan_page_counts(ElementArray array, Pages pages, ElementArray out, Pass pass, Queues queues, u64 is_last) {
    follow_previous_kernel();
    const u32 segment = blockIdx.x;
    u8 kind = pass.segment_kinds[segment];
    if (pass.overflows[segment] != 0 && kind < kCopy) {
        const u64 begin = pass.segment_begins[segment];
        const u64 room = pass.bucket_begins[(u64)segment << pass.log_bucket_count];
        const u64 size = pass.segment_offsets[segment + 1] - pass.segment_offsets[segment];
        for (u64 index = threadIdx.x; index < size; index += kScanThreads) {
            const u64 place = begin + index;
            out.store_ordered(room + index, pages.tile(array, pages.find_tile(place)).load((u32)(place % kTileSize)));
        }
        kind = kCopy;
    }
    scan_segment(pass, queues, is_last != 0, kind);
}
