// The third phase of a distribution pass (paper, Section 4, phase 3): prefix sums turn bucket counts into bucket
// offsets. It comes after the scatter, which has counted meanwhile.
#pragma once
#include "parts/segment_scan.cuh"

extern "C" __global__ void __launch_bounds__(kScanThreads) scan_counts(Pass pass, Queues queues, u64 is_last) {
    follow_previous_kernel();
    const bool overflowed = pass.overflows[blockIdx.x] != 0;
    scan_segment(pass, queues, is_last != 0, overflowed ? (u8)kStay : pass.segment_kinds[blockIdx.x]);
}
