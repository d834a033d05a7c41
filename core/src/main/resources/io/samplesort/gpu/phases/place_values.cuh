// Finds where the elements of each value begin in the result, and tells the passes that move them there: each bucket of
// a pass begins where the elements of its first value do.
#pragma once
#include "parts/value_scan.cuh"

// `offsets` has an entry for each value, by its rank, and the number of all elements at the end. `last` is the pass that
// moves by the low byte of a rank, and `first` the one by the high byte, or the same where there is one pass.
extern "C" __global__ void __launch_bounds__(kValueScanThreads)
    place_values(u64* total_words, u64 totals_are_shared, u64* offsets, Pass first, Pass last) {
    follow_previous_kernel();
    scan_totals(ValueTotals{total_words, totals_are_shared != 0}, [&](u32 rank, u64 place) {
        const bool is_end = rank == kValueCount;
        offsets[rank] = place;
        if (!is_end) {
            last.write_positions[rank] = place;
        }
        if (sizeof(Key) > 1 && rank % kByteValues == 0) {
            last.segment_offsets[rank / kByteValues] = place;
            if (!is_end) {
                first.write_positions[rank / kByteValues] = place;
            }
        }
        // The input is the one segment of the first pass.
        if (rank == 0 || is_end) {
            first.segment_offsets[is_end ? 1 : 0] = place;
        }
    });
}
