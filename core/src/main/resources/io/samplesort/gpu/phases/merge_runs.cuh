// Merges the sorted runs that find_runs has found, all at once: each element is read about once and written once.
//
// cut_runs divides the result into sections of about the same size. Elements at equal distances in the input are
// compared with each other; every so-manieth of them, in their order, begins a section, and all runs are cut there. A
// block then merges its section step by step: it loads the next elements of all runs, equally many of each, takes those
// that no element behind them can come before, and merges them in shared memory, two and two, in as many rounds as two
// has to be doubled to have all runs.
//
// Equal keys are in the order of their runs, and within a run as they are, so merging is stable.
#pragma once
#include "parts/run_search.cuh"

// Where samples are taken: so many, at equal distances. There are at most 2^16.
struct SampledPlaces {
    u32 sample_count;
    u64 distance;
    u32 rest;

    __device__ SampledPlaces(u64 count, u32 samples)
        : sample_count(samples), distance(count / samples), rest((u32)(count % samples)) {}

    __device__ __forceinline__ u64 operator[](u32 sample) const {
        return distance * sample + rest * sample / sample_count;
    }

    // Returns the first sample that is taken at `place` or behind it.
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

// Returns how many numbers from `low` to `high` pass a test that the first ones pass, plus `low`.
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

// Cuts all runs where sections begin. Cut `s * kMostRuns + r` says where section s begins in run r; behind the last
// section the cuts are where the runs end. There are `samples` for each of the `sections`, a warp for each
// sample, and a lane for each run, or for two.
extern "C" __global__ void __launch_bounds__(kOrderThreads) cut_runs(
    ElementArray runs, u64 count, const RunSearch* search, u64* cuts, u64 sections, u64 samples) {
    follow_previous_kernel();
    const u32 section_count = (u32)sections;
    const u32 samples_a_section = (u32)samples;
    const u32 run_count = search->run_count;
    const u32 sample = (blockIdx.x * kOrderThreads + threadIdx.x) / kWarpSize;
    const SampledPlaces places(count, section_count * samples_a_section);
    if (run_count == 0 || sample >= places.sample_count) {
        return;
    }
    const u32 lane = threadIdx.x % kWarpSize;
    const u64 place = places[sample];
    const OrderedKey key = runs.key(place, true);
    const u32 own = first_failing(0u, run_count, [&](u32 run) { return search->begins[run + 1] <= place; });
    // Whether an element of a run, which is not the sample's own, comes before the sample.
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
            // What comes before the least sample belongs to the first section, too.
            cuts[run] = search->begins[run];
            cuts[section_count * kMostRuns + run] = search->begins[run + 1];
        } else {
            cuts[section * kMostRuns + run] =
                first_failing(lows[i], highs[i], [&](u64 other) { return comes_before(run, other); });
        }
    }
}

// Where a block is in its section.
struct RunWindows {
    u64 next[kMostRuns];       // the first element of each run that has not been merged
    u64 end[kMostRuns];        // where the section ends in the run
    u32 starts[kMostRuns + 1]; // how many elements are taken in this step of the runs before each
    u64 out;                   // where the next element goes
};

// Two blocks on a multiprocessor hide what one waits for: memory, and the one warp that decides what is taken.
constexpr int kMergeRunsThreads = kMergeSortThreads > 512 ? kMergeSortThreads / 2 : kMergeSortThreads;
constexpr int kMergeRunsBlocks = sizeof(Element) <= 8 ? 2 : 1;
constexpr u32 kMergeRunsTile = kMergeRunsThreads * kSmallSortItems;
static_assert(kMergeRunsThreads >= (int)kMostRuns, "each run has a thread's part of the shared memory or more");
static_assert((kMergeRunsTile & (kMergeRunsTile - 1)) == 0, "windows are powers of two");

constexpr u32 kMergeRunsSlotBytes = MergeSortTile::slot_bytes(kMergeRunsThreads);
constexpr u32 kMergeRunsSharedBytes = kMergeRunsSlotBytes + sizeof(RunWindows);

// Decides how much of each run's window is taken: all that comes before what no window holds. One warp calls this.
__device__ __forceinline__ void take_of_windows(
    const MergeSortTile::Items& items, RunWindows& windows, u32 fan, u32 window) {
    const u32 lane = threadIdx.x % kWarpSize;
    constexpr u32 kNone = ~0u;
    const auto last_key = [&](u32 run) -> OrderedKey { return items[(run + 1) * window - 1].key; };
    // The run whose window ends first. Equal keys are in the order of their runs.
    u32 bound = kNone;
    for (u32 run = lane; run < fan; run += kWarpSize) {
        const bool has_more = windows.end[run] - windows.next[run] > window;
        if (has_more && (bound == kNone || less(last_key(run), last_key(bound)))) {
            bound = run;
        }
    }
    for (u32 distance = kWarpSize / 2; distance > 0; distance /= 2) {
        const u32 other = __shfl_xor_sync(kAllLanes, bound, (int)distance);
        if (other != kNone && other != bound) {
            const bool is_first = bound == kNone
                || (other < bound ? !less(last_key(bound), last_key(other)) : less(last_key(other), last_key(bound)));
            bound = is_first ? other : bound;
        }
    }
    u32 before = 0;
    for (u32 first = 0; first < fan; first += kWarpSize) {
        const u32 run = first + lane;
        u32 taken = 0;
        if (run < fan) {
            taken = (u32)min_of<u64>(windows.end[run] - windows.next[run], window);
            if (bound != kNone && run != bound) {
                const OrderedKey key = last_key(bound);
                taken = first_failing(0u, taken, [&](u32 index) {
                    const OrderedKey other = items[run * window + index].key;
                    return run < bound ? !less(key, other) : less(other, key);
                });
            }
        }
        const u32 sum = warp_inclusive_scan(taken);
        if (run < fan) {
            windows.starts[run + 1] = before + sum;
        }
        before += __shfl_sync(kAllLanes, sum, kWarpSize - 1);
    }
    if (lane == 0) {
        windows.starts[0] = 0;
    }
}

// Merges what is taken of the runs, which begins at the beginning of each window, to the beginning of all.
__device__ __forceinline__ void merge_windows(
    const MergeSortTile::Items& items, const RunWindows& windows, u32 log_fan) {
    const u32 fan = 1u << log_fan;
    const u32 window = kMergeRunsTile >> log_fan;
    const u32 place = threadIdx.x * kSmallSortItems;
    const u32 own = threadIdx.x / ((u32)kMergeRunsThreads >> log_fan);
#pragma unroll 1
    for (u32 width = 1; width < fan; width *= 2) {
        const u32 first = own & ~(2 * width - 1);
        const u32 a = first * window;
        const u32 b = a + width * window;
        const u32 a_count = windows.starts[first + width] - windows.starts[first];
        const u32 b_count = windows.starts[first + 2 * width] - windows.starts[first + width];
        const u32 begin = place - a;
        const u32 end = min_of(begin + kSmallSortItems, a_count + b_count);
        Element merged[kSmallSortItems];
        if (begin < end) {
            const u32 from_a = merge_path(items.from(a), a_count, items.from(b), b_count, begin);
            merge_serially(items, a + from_a, a + a_count, b + begin - from_a, b + b_count, merged);
        }
        __syncthreads();
#pragma unroll
        for (u32 i = 0; i < kSmallSortItems; ++i) {
            if (begin + i < end) {
                items[place + i] = merged[i];
            }
        }
        __syncthreads();
    }
}

// Merges one section of the runs for each block.
extern "C" __global__ void __launch_bounds__(kMergeRunsThreads, kMergeRunsBlocks)
    merge_runs(ElementArray runs, ElementArray out, u64 count, const RunSearch* search, const u64* cuts) {
    follow_previous_kernel();
    const u32 run_count = search->run_count;
    if (run_count == 0) {
        return;
    }
    u32 log_fan = 0;
    while (1u << log_fan < run_count) {
        ++log_fan;
    }
    const u32 fan = 1u << log_fan;
    const u32 window = kMergeRunsTile >> log_fan;
    const u32 log_window = 31 - __clz(window);
    const MergeSortTile::Items items{(Element*)shared_memory, 0};
    RunWindows& windows = *(RunWindows*)(shared_memory + kMergeRunsSlotBytes);
    if (threadIdx.x < kWarpSize) {
        u64 before = 0;
        for (u32 run = threadIdx.x; run < fan; run += kWarpSize) {
            const bool is_run = run < run_count;
            const u64* cut = cuts + blockIdx.x * kMostRuns + run;
            windows.next[run] = is_run ? cut[0] : 0;
            windows.end[run] = is_run ? cut[kMostRuns] : 0;
            before += is_run ? cut[0] - search->begins[run] : 0;
        }
        for (u32 distance = kWarpSize / 2; distance > 0; distance /= 2) {
            before += __shfl_xor_sync(kAllLanes, before, (int)distance);
        }
        if (threadIdx.x == 0) {
            windows.out = before;
        }
    }
    __syncthreads();
    while (true) {
#pragma unroll 4
        for (u32 index = threadIdx.x; index < kMergeRunsTile; index += kMergeRunsThreads) {
            // What follows a run stands in for elements that it does not have.
            const u64 place = windows.next[index >> log_window] + (index & (window - 1));
            items[index] = runs.load_ordered(min_of(place, count - 1));
        }
        __syncthreads();
        if (threadIdx.x < kWarpSize) {
            take_of_windows(items, windows, fan, window);
        }
        __syncthreads();
        const u32 taken = windows.starts[fan];
        if (taken == 0) {
            return;
        }
        merge_windows(items, windows, log_fan);
        const u64 begin = windows.out;
        MergeSortTile::for_each(items, taken, [&](u32 base, u32 offset, const Element& element) {
            out.store(begin + base + offset, element);
        });
        __syncthreads();
        if (threadIdx.x < fan) {
            windows.next[threadIdx.x] += windows.starts[threadIdx.x + 1] - windows.starts[threadIdx.x];
        }
        if (threadIdx.x == 0) {
            windows.out = begin + taken;
        }
        __syncthreads();
    }
}
