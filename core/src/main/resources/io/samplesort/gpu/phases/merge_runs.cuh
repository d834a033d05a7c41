// Merges the sorted runs that find_runs has found, all at once: each element is read once and written once.
//
// cut_runs has divided the result into sections. A block takes one, draws a sample of it at equal distances, merges the
// sample, and cuts the section once more, so that nearly all cuts fit its shared memory. There it sorts them one after
// the other by cells (gathered_pieces.cuh). What does not fit, since the sample did not tell enough, is sorted step by
// step: the block takes equally much of all runs, but for what an element behind that may come before.
//
// Where keys are spread too unevenly for cells, the block merges the rest of its section in rounds (run_pieces.cuh).
//
// Equal keys are in the order of their runs, and within a run as they are, so merging is stable.
#pragma once
#include "parts/run_search.cuh"
#include "parts/gathered_pieces.cuh"

// A key of the sample, and where it lay before the sample was merged. There the runs were in their order.
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
using SectionMerge = PieceMerge<kRunItems, RunItem>;
using SectionTile = BlockSort<kRunItems, RunItem>;

// Elements of the sample are so far apart or farther. A boundary is then off by a few times as many elements of all
// runs.
constexpr u32 kLogCutDistance = 6;

// The host counts so many bytes for a key of the sample, whatever its alignment is: 16 bytes at most.
constexpr u32 kSampledKeyBytes = ((u32)sizeof(OrderedKey) + 15) / 8 * 8 + (sizeof(OrderedKey) % 16 == 0 ? 8 : 0);
static_assert(sizeof(SampledKey) <= kSampledKeyBytes, "a key of the sample takes more than the host counts");
constexpr u32 kSampledBytes = align_16(kMergeRunsThreads * (kCutItems + 1) * kSampledKeyBytes);
constexpr u32 kRanksBytes = align_16(kMergeRunsThreads * kCutItems * (u32)sizeof(u16));
constexpr u32 kRunTileBytes = max_bytes(
    max_bytes(GatherSort::bytes(kMergeRunsThreads), SectionTile::slot_bytes(kMergeRunsThreads)),
    kSampledBytes + kRanksBytes);
constexpr u32 kRunPiecesBytes = align_16(sizeof(RunPieces));
constexpr u32 kMergeRunsSharedBytes = kRunTileBytes + kRunPiecesBytes + align_16(sizeof(GatheredPieces));
constexpr int kMergeRunsBlocks =
    kSmallSortResidentThreads > kMergeRunsThreads ? kSmallSortResidentThreads / kMergeRunsThreads : 1;

// Takes the block's section. One warp calls this.
__device__ __forceinline__ void begin_section(
    RunPieces& pieces, const RunSearch* search, const u64* section_cuts) {
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

// Chooses where what is left of the section is sampled, and into how many pieces it is cut. One warp calls this.
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
    // The first sample of each run is a little farther from the section's begin than that of the run before. Sampled
    // alike, runs of alike keys would have alike samples, which tell next to nothing.
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
    // Rounds need pads for each run, and a boundary is off by some of the distance.
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

// Cuts what is left of the section where elements of the merged sample lie at equal distances, as often as there is room
// for cuts. All threads of the block call this.
template <typename Runs>
__device__ __forceinline__ void cut_section(const Runs& runs, RunPieces& pieces) {
    const SampleMerge::Items sample{(SampledKey*)shared_memory, 0};
    u16* ranks = (u16*)(shared_memory + kSampledBytes);
    const u32 log_distance = pieces.log_distance;
    SampleMerge::load(sample, pieces, log_distance, [&](u64 place, u32 slot) {
        return SampledKey{slot, runs.key(place, true)};
    });
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

__device__ __forceinline__ OrderedKey key_of(const Element& element) {
    return element.key;
}

#if KEEPS_ORDER
__device__ __forceinline__ OrderedKey key_of(const PlacedKey& item) {
    return item.key();
}

// The payloads of the pieces, by the slots that their keys had.
template <typename Runs>
struct PiecePayloads {
    const Runs& runs;
    const RunPieces& pieces;

    __device__ __forceinline__ Payload payload(u32 slot) const {
        const u32 run = pieces.owners[slot / kRunItems];
        return runs.payload(pieces.next[run] + (slot - pieces.lanes[run] * kRunItems));
    }
};
#endif

// Takes of each piece what comes before all that is in no piece. key_at(run, item) returns a key of a piece. One warp
// calls this.
template <typename KeyAt>
__device__ __forceinline__ void take_of_pieces(RunPieces& pieces, const KeyAt& key_at) {
    constexpr u32 kNone = ~0u;
    const auto comes_first = [&](u32 a, u32 b) {
        const OrderedKey a_key = key_at(a, pieces.size[a] - 1);
        const OrderedKey b_key = key_at(b, pieces.size[b] - 1);
        return a < b ? !less(b_key, a_key) : less(a_key, b_key);
    };
    // The run whose piece ends first, of those that go on behind it. Equal keys are in the order of their runs.
    u32 bound = kNone;
    RunPieces::for_each_run([&](u32 run) {
        if (pieces.next[run] + pieces.size[run] < pieces.end[run] && (bound == kNone || comes_first(run, bound))) {
            bound = run;
        }
    });
    for (u32 distance = kWarpSize / 2; distance > 0; distance /= 2) {
        const u32 other = __shfl_xor_sync(kAllLanes, bound, (int)distance);
        if (other != kNone && (bound == kNone || (other != bound && comes_first(other, bound)))) {
            bound = other;
        }
    }
    const OrderedKey key = key_at(bound, pieces.size[bound] - 1);
    u32 all = 0;
    u32 taken[kMostRuns / kWarpSize];
    RunPieces::for_each_run([&](u32 run) {
        const u32 size = pieces.size[run];
        const u32 own = run == bound ? size : first_failing(0u, size, [&](u32 item) {
            return run < bound ? !less(key, key_at(run, item)) : less(key_at(run, item), key);
        });
        taken[run / kWarpSize] = own;
        all += own;
    });
    __syncwarp();
    RunPieces::for_each_run([&](u32 run) { pieces.size[run] = taken[run / kWarpSize]; });
    all = warp_sum(all);
    if (threadIdx.x == 0) {
        pieces.item_count = all;
    }
    __syncwarp();
}

// Sorts what is left of all runs up to the next cut by cells, or some of it if that is too much. Returns false if keys
// are spread too unevenly for cells. Nothing has been stored then. All threads of the block call this.
template <typename Runs>
__device__ __forceinline__ bool sort_up_to_cut(
    const Runs& runs, const ElementArray& out, RunPieces& pieces, GatheredPieces& gathered) {
    if (threadIdx.x < kWarpSize) {
        pieces.end_at_cut();
        pieces.choose_gathered(kGatherTile);
        if (!pieces.fits) {
            take_of_pieces(pieces, [&](u32 run, u32 item) -> OrderedKey {
                return runs.key(pieces.next[run] + item, true);
            });
        }
        gathered.list(pieces);
    }
    __syncthreads();
    gathered.find_rows();
    __syncthreads();
    const u32 count = pieces.item_count;
    if (count != 0) {
        const auto load = [&](u32 base, u32 offset) {
            const u64 place = gathered.place(base + offset);
#if KEEPS_ORDER
            return PlacedKey{base + offset, __builtin_bit_cast(Words<OrderedKey>, runs.key(place, true))};
#else
            return runs.load_ordered(place);
#endif
        };
        if (!GatherSort(shared_memory).sort(count, load)) {
            return false;
        }
        const GatherTile::Items sorted{(RunItem*)shared_memory, 0};
        // What is known of the pieces is read again, since registers are for items.
        const u32 same_count = pieces.item_count;
        const ElementArray target = out.from(pieces.out);
        const auto store = [&](u32 base, u32 offset, const Element& element) {
            target.from(base).store(offset, element);
        };
#if KEEPS_ORDER
        join_payloads<GatherTile>(
            sorted, sorted.slots, same_count, GatheredPayloads<Runs>{runs, gathered}, store);
#else
        GatherTile::for_each(sorted, same_count, store);
#endif
    }
    __syncthreads();
    if (threadIdx.x < kWarpSize) {
        pieces.pass();
    }
    return true;
}

// Merges what is left of all runs up to the next cut in rounds, or some of it if that is too much. All threads of the
// block call this.
template <typename Runs>
__device__ __forceinline__ void merge_up_to_cut(
    const Runs& runs, const ElementArray& out, RunPieces& pieces) {
    const SectionMerge::Items items{(RunItem*)shared_memory, 0};
    if (threadIdx.x < kWarpSize) {
        pieces.end_at_cut();
        pieces.choose<kRunItems>(0);
    }
    __syncthreads();
    SectionMerge::load(items, pieces, 0, [&](u64 place, u32 slot) {
#if KEEPS_ORDER
        return PlacedKey{slot, __builtin_bit_cast(Words<OrderedKey>, runs.key(place, true))};
#else
        return runs.load_ordered(place);
#endif
    });
    __syncthreads();
    if (!pieces.fits) {
        if (threadIdx.x < kWarpSize) {
            take_of_pieces(pieces, [&](u32 run, u32 item) -> OrderedKey {
                return key_of(items[pieces.lanes[run] * kRunItems + item]);
            });
        }
        __syncthreads();
        SectionMerge::drop(items, pieces);
        __syncthreads();
    }
    SectionMerge::merge(items, pieces);
    const u32 taken = pieces.item_count;
    if constexpr (!kEqualItemsAreIdentical<RunItem>) {
        if (taken != 0) {
            SectionTile::put_pads_last(items, taken, pieces.lane_count() * kRunItems);
        }
        __syncthreads();
    }
    const ElementArray target = out.from(pieces.out);
    const auto store = [&](u32 base, u32 offset, const Element& element) {
        target.from(base).store(offset, element);
    };
#if KEEPS_ORDER
    join_payloads<SectionTile>(items, items.slots, taken, PiecePayloads<Runs>{runs, pieces}, store);
#else
    SectionTile::for_each(items, taken, store);
#endif
    __syncthreads();
    if (threadIdx.x < kWarpSize) {
        pieces.pass();
    }
}

// Merges sections, which blocks take one by one. The runs are those of one array, or parts of one on several GPUs. These
// are few, so that rounds are as fast as cells.
template <bool kMayGoByCells, typename Runs>
__device__ __forceinline__ void merge_sections(
    const Runs& runs, const ElementArray& out, RunSearch* search, const u64* cuts, u64 sections) {
    RunPieces& pieces = *(RunPieces*)(shared_memory + kRunTileBytes);
    GatheredPieces& gathered = *(GatheredPieces*)(shared_memory + kRunTileBytes + kRunPiecesBytes);
    while (true) {
        if (threadIdx.x == 0) {
            pieces.section = atomicAdd(&search->taken, 1u);
        }
        __syncthreads();
        if (pieces.section >= sections) {
            return;
        }
        if (threadIdx.x < kWarpSize) {
            begin_section(pieces, search, cuts + pieces.section * kMostRuns);
        }
        bool goes_by_cells = kMayGoByCells;
        bool is_left;
        do {
            if (threadIdx.x < kWarpSize) {
                begin_part(pieces, search, cuts + pieces.section * kMostRuns, goes_by_cells);
            }
            __syncthreads();
            is_left = pieces.cut_count < pieces.all_cuts;
            cut_section(runs, pieces);
            if (goes_by_cells) {
                GatherSort(shared_memory).clear();
            }
            while (pieces.cut <= pieces.cut_count) {
                if (kMayGoByCells && goes_by_cells) {
                    goes_by_cells = sort_up_to_cut(runs, out, pieces, gathered);
                    if (!goes_by_cells) {
                        is_left = true;
                        break;
                    }
                } else {
                    merge_up_to_cut(runs, out, pieces);
                }
                __syncthreads();
            }
            // All have seen which cut was the last one.
            __syncthreads();
        } while (is_left);
    }
}

extern "C" __global__ void __launch_bounds__(kMergeRunsThreads, kMergeRunsBlocks) merge_runs(
    ElementArray runs, ElementArray out, RunSearch* search, const u64* cuts, u64 sections) {
    follow_previous_kernel();
    if (search->run_count == 0) {
        return;
    }
    merge_sections<true>(runs, out, search, cuts, sections);
}
