// Puts outliers, which have been sorted, behind what take_out has kept.
#pragma once

// @param sorted the outliers, as a result is stored
// @param runs   where they go, as elements lie between phases, from `begin` on
extern "C" __global__ void __launch_bounds__(kOrderThreads)
    place_outliers(ElementArray sorted, ElementArray runs, u64 begin, u64 outliers) {
    follow_previous_kernel();
    const u64 step = (u64)gridDim.x * kOrderThreads;
    for (u64 place = (u64)blockIdx.x * kOrderThreads + threadIdx.x; place < outliers; place += step) {
        runs.store_ordered(begin + place, sorted.load(place));
    }
}
