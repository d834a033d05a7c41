// Finds where the keys of each value begin in the result, for keys that are not moved.
#pragma once
#include "parts/value_scan.cuh"

// `offsets` has an entry for each value, by its rank, and the number of all keys at the end.
extern "C" __global__ void __launch_bounds__(kValueScanThreads)
    scan_values(u64* total_words, u64 totals_are_shared, u64* offsets) {
    follow_previous_kernel();
    scan_totals(ValueTotals{total_words, totals_are_shared != 0}, [&](u32 rank, u64 place) { offsets[rank] = place; });
}
