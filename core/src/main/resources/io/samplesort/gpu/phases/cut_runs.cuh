// Divides the result of merging runs into sections of about the same size, which merge_runs merges block by block.
// Elements at equal distances in the input are compared with each other; in sorted order, every n-th of them begins a
// section, and all runs are cut there.
#pragma once
#include "parts/order_search.cuh"
#include "parts/primitives.cuh"
#include "parts/run_search.cuh"

// The places of this many samples, at equal distances. There are at most 2^16.
struct SampledPlaces {
    u32 sample_count;
    u64 distance;
    u32 rest;

    __device__ SampledPlaces(u64 count, u32 samples)
        : sample_count(samples), distance(count / samples), rest((u32)(count % samples)) {}

    __device__ __forceinline__ u64 operator[](u32 sample) const {
        return distance * sample + rest * sample / sample_count;
    }

    // Returns the first sample that is taken at `place` or after it.
    __device__ __forceinline__ u32 first_from(u64 place) const {
        u32 low = 0;
        u32 high = sample_count;
        while (low < high) {
            const u32 middle = (low + high) / 2;
            if ((*this)[middle] < place) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
};

// Cuts all runs where sections begin. Cut `s * kMostRuns + r` says where section s begins in run r; the cuts after the
// last section are the ends of the runs. Each section has several samples, each sample a warp, and each lane one run or
// two.
extern "C" __global__ void __launch_bounds__(kOrderThreads) cut_runs(
    ElementArray runs, u64 count, const RunSearch* search, u64* cuts, u64 sections, u64 samples,
    const OrderSearch* order) {
    if (!follow_look(order)) {
        return;
    }
    const u32 section_count = (u32)sections;
    const u32 samples_a_section = (u32)samples;
    const u32 run_count = search->run_count;
    const u32 sample = (blockIdx.x * kOrderThreads + threadIdx.x) / kWarpSize;
    // One less, as otherwise runs of equal length would be sampled at equal places, which say almost nothing: the keys
    // there may be similar.
    const SampledPlaces places(count, section_count * samples_a_section - 1);
    if (run_count == 0 || sample >= places.sample_count) {
        return;
    }
    const u32 lane = threadIdx.x % kWarpSize;
    const u64 place = places[sample];
    const OrderedKey key = runs.key(place, true);
    const u32 own = first_failing(0u, run_count, [&](u32 run) { return search->begins[run + 1] <= place; });
    // Returns whether an element of another run than the sample's own comes before the sample.
    const auto comes_before = [&](u32 run, u64 other) {
        const OrderedKey other_key = runs.key(other, true);
        return run < own ? !less(key, other_key) : less(other_key, key);
    };
    constexpr u32 kRunsALane = kMostRuns / kWarpSize;
    u64 lows[kRunsALane];
    u64 highs[kRunsALane];
    u32 rank = 0;
#pragma unroll
    for (u32 i = 0; i < kRunsALane; ++i) {
        const u32 run = i * kWarpSize + lane;
        lows[i] = 0;
        highs[i] = 0;
        if (run < run_count) {
            const u64 begin = search->begins[run];
            const u64 end = search->begins[run + 1];
            const u32 first = places.first_from(begin);
            const u32 last = places.first_from(end);
            const u32 found = run == own
                ? sample
                : first_failing(first, last, [&](u32 other) { return comes_before(run, places[other]); });
            rank += found - first;
            lows[i] = run == own ? place : found == first ? begin : places[found - 1] + 1;
            highs[i] = run == own ? place : found == last ? end : places[found];
        }
    }
    for (u32 distance = kWarpSize / 2; distance > 0; distance /= 2) {
        rank += __shfl_xor_sync(kAllLanes, rank, (int)distance);
    }
    if (rank % samples_a_section != 0) {
        return;
    }
    const u32 section = rank / samples_a_section;
#pragma unroll
    for (u32 i = 0; i < kRunsALane; ++i) {
        const u32 run = i * kWarpSize + lane;
        if (run >= run_count) {
            continue;
        }
        if (section == 0) {
            // Elements before the least sample belong to the first section, too.
            cuts[run] = search->begins[run];
            cuts[section_count * kMostRuns + run] = search->begins[run + 1];
        } else {
            cuts[section * kMostRuns + run] =
                first_failing(lows[i], highs[i], [&](u64 other) { return comes_before(run, other); });
        }
    }
}
