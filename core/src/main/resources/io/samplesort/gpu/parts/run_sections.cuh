// The section of the result of a merge that a block has taken, which it cuts once more by a sample.
#pragma once
#include "parts/gathered_pieces.cuh"

// A key of the sample, and its place before the sample was merged, when the runs lay in their order.
struct SampledKey {
    u32 slot;
    OrderedKey key;
};

__device__ __forceinline__ bool less(const SampledKey& a, const SampledKey& b) {
    return less(a.key, b.key) || (!less(b.key, a.key) && a.slot < b.slot);
}

template <>
__device__ __forceinline__ SampledKey greatest<SampledKey>() {
    return SampledKey{~0u, greatest_key()};
}

constexpr int kCutItems = kSmallSortItems < 4 ? kSmallSortItems : 4;
using SampleMerge = PieceMerge<kCutItems, SampledKey>;

// Elements of the sample are at least this far apart (log2). A boundary is then off by a few times this many elements
// of all runs.
constexpr u32 kLogCutDistance = 6;

// The host counts this many bytes for a key of the sample, for any alignment up to 16 bytes.
constexpr u32 kSampledKeyBytes = ((u32)sizeof(OrderedKey) + 15) / 8 * 8 + (sizeof(OrderedKey) % 16 == 0 ? 8 : 0);
static_assert(sizeof(SampledKey) <= kSampledKeyBytes, "a key of the sample takes more than the host counts");
constexpr u32 kSampledBytes = align_16(kMergeRunsThreads * (kCutItems + 1) * kSampledKeyBytes);
constexpr u32 kRanksBytes = align_16(kMergeRunsThreads * kCutItems * (u32)sizeof(u16));

// Takes the block's section. One warp calls this.
__device__ __forceinline__ void begin_section(RunPieces& pieces, const RunSearch* search, const u64* section_cuts) {
    const u32 run_count = search->run_count;
    u64 before = 0;
    RunPieces::for_each_run([&](u32 run) {
        const bool is_run = run < run_count;
        const u64 begin = is_run ? section_cuts[run] : 0;
        pieces.next[run] = begin;
        before += is_run ? begin - search->begins[run] : 0;
    });
    before = warp_sum(before);
    if (threadIdx.x == 0) {
        pieces.fan = run_count <= 1 ? 1 : 1u << (32 - __clz((int)(run_count - 1)));
        pieces.out = before;
    }
    __syncwarp();
}

// Chooses where the rest of the section is sampled, and into how many pieces it is cut. One warp calls this.
__device__ __forceinline__ void begin_part(
    RunPieces& pieces, const RunSearch* search, const u64* section_cuts, bool goes_by_cells) {
    const u32 run_count = search->run_count;
    const u32 fan = pieces.fan;
    u64 size = 0;
    RunPieces::for_each_run([&](u32 run) {
        const u64 begin = pieces.next[run];
        const u64 end = run < run_count ? section_cuts[kMostRuns + run] : 0;
        pieces.begin[run] = begin;
        pieces.end[run] = end;
        size += end - begin;
    });
    size = warp_sum(size);
    // The first sample of each run is a little farther from the section's begin than that of the run before. If all
    // were sampled alike, similar runs would have similar samples, which say almost nothing.
    u32 log_distance = kLogCutDistance - 1;
    do {
        ++log_distance;
        RunPieces::for_each_run([&](u32 run) {
            const u64 begin = pieces.begin[run];
            pieces.next[run] = min_of(begin + ((u64)(run & (fan - 1)) << log_distance) / fan, pieces.end[run]);
        });
        __syncwarp();
    } while (pieces.lanes_left<kCutItems>(log_distance) > kMergeRunsThreads);
    pieces.choose<kCutItems>(log_distance);
    // Leaves room for the pads of each run, and for the error of a boundary, which is a few distances.
    const u32 distance = min_of(1u << log_distance, kRunTile / 8);
    const u32 wanted = goes_by_cells ? kGatherTile : kRunTile - fan * kRunItems / 2;
    const u32 spread = min_of(fan * distance / 16 + distance, wanted / 2);
    if (threadIdx.x == 0) {
        pieces.log_distance = log_distance;
        pieces.cut = 1;
        const u64 all_cuts = pieces.item_count == 0 ? size != 0 : ceil_div(size, wanted - spread);
        pieces.all_cuts = (u32)min_of<u64>(all_cuts, ~0u);
        pieces.cut_count = (u32)min_of<u64>(all_cuts, kCutSlots / fan - 1);
    }
}

// Cuts the rest of the section at elements of the merged sample at equal distances, as often as there is room for cuts.
// All threads of the block call this.
template <typename Runs>
__device__ __forceinline__ void cut_section(const Runs& runs, RunPieces& pieces) {
    const SampleMerge::Items sample{(SampledKey*)shared_memory, 0};
    u16* ranks = (u16*)(shared_memory + kSampledBytes);
    const u32 log_distance = pieces.log_distance;
    const auto key_at = [&](u64 place, u32 slot) { return SampledKey{slot, runs.key(place, true)}; };
    SampleMerge::load(sample, pieces, log_distance, key_at);
    __syncthreads();
    SampleMerge::merge(sample, pieces);
    for (u32 rank = threadIdx.x; rank < pieces.item_count; rank += kMergeRunsThreads) {
        ranks[sample[rank].slot] = (u16)rank;
    }
    __syncthreads();
    const u32 all_cuts = pieces.all_cuts;
    const u32 fan = pieces.fan;
    for (u32 index = threadIdx.x; index < (pieces.cut_count + 1) * fan; index += kMergeRunsThreads) {
        const u32 cut = index / fan;
        const u32 run = index % fan;
        const u64 begin = pieces.begin[run];
        const u64 end = pieces.end[run];
        u64 place = cut == 0 ? begin : end;
        if (cut != 0 && cut != all_cuts) {
            const u32 rank = (u32)((u64)pieces.item_count * cut / all_cuts);
            const SampledKey bound = sample[rank];
            const u32 own = pieces.owners[bound.slot / kCutItems];
            const u32 size = pieces.size[run];
            const u16* run_ranks = ranks + pieces.lanes[run] * kCutItems;
            const u32 before = first_failing(0u, size, [&](u32 item) { return run_ranks[item] < rank; });
            place = pieces.next[run] + ((u64)before << log_distance);
            if (run != own) {
                const u64 low = before == 0 ? begin : place - (1ull << log_distance) + 1;
                place = first_failing(low, before == size ? end : place, [&](u64 other) {
                    const OrderedKey key = runs.key(other, true);
                    return run < own ? !less(bound.key, key) : less(key, bound.key);
                });
            }
        }
        pieces.cuts[index] = (u32)(place - begin);
    }
    __syncthreads();
    if (threadIdx.x < kMostRuns) {
        pieces.next[threadIdx.x] = pieces.begin[threadIdx.x];
    }
    __syncthreads();
}
