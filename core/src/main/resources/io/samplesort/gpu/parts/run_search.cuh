// The sorted runs that an input consists of, as find_runs finds them.
#pragma once
#include "parts/basics.cuh"

// What the blocks of find_runs tell each other and later kernels, all 0 before find_runs. The host allocates room for
// it (KernelStructs).
struct RunSearch {
    u32 failed;     // not 0 once a block has found too many runs
    u32 done;       // how many blocks have looked at all of their elements
    u32 falls;      // how often an element sorts before the one to its left
    u32 run_count;  // 0 unless the input consists of this many runs and has been copied
    u32 taken;      // how many sections blocks of merge_runs have taken, or wanted to
    u32 unused;
    u64 found[kMostRuns];       // the begins of runs as blocks have found them, except the first
    u64 begins[kMostRuns + 1];  // where the runs begin, in order, and where the last one ends
};

// Returns `low` plus how many numbers from `low` to `high` pass a test, which the first ones pass and the others do
// not.
template <typename Number, typename Passes>
__device__ __forceinline__ Number first_failing(Number low, Number high, const Passes& passes) {
    while (low < high) {
        const Number middle = low + (high - low) / 2;
        if (passes(middle)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
