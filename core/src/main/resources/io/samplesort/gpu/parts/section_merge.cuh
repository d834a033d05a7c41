// Merges sections of sorted runs, of one array (merge_runs.cuh) or of parts on several GPUs (merge_parts.cuh): by cells
// (gathered_pieces.cuh) or in rounds (run_pieces.cuh).
#pragma once
#include "parts/repeat_sort.cuh"
#include "parts/run_search.cuh"
#include "parts/run_sections.cuh"

using SectionMerge = PieceMerge<kRunItems, RunItem>;
using SectionTile = BlockSort<kRunItems, RunItem>;

// The bytes that a block of merge_runs takes for its elements, and those of a block of sort_runs.
constexpr u32 kMergedTileBytes = max_bytes(SectionTile::slot_bytes(kMergeRunsThreads), kSampledBytes + kRanksBytes);
constexpr u32 kSortedTileBytes = max_bytes(GatherSort::Memory::bytes(kMergeRunsThreads), kMergedTileBytes);
constexpr u32 kRunPiecesBytes = align_16(sizeof(RunPieces));
constexpr u32 kMergeRunsSharedBytes = kMergedTileBytes + kRunPiecesBytes;
constexpr u32 kSortRunsSharedBytes = kSortedTileBytes + kRunPiecesBytes + align_16(sizeof(GatheredPieces));
constexpr int kMergeRunsBlocks =
    kSmallSortResidentThreads > kMergeRunsThreads ? kSmallSortResidentThreads / kMergeRunsThreads : 1;

__device__ __forceinline__ OrderedKey key_of(const Element& element) { return element.key; }

#if KEEPS_ORDER
__device__ __forceinline__ OrderedKey key_of(const PlacedKey& item) { return item.key(); }

// The payloads of the pieces, found by the slots that their keys had.
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

// Shortens each piece to the items that come before everything that is in no piece. key_at(run, item) returns a key of
// a piece. One warp calls this.
template <typename KeyAt>
__device__ __forceinline__ void take_of_pieces(RunPieces& pieces, const KeyAt& key_at) {
    constexpr u32 kNone = ~0u;
    const auto comes_first = [&](u32 a, u32 b) {
        const OrderedKey a_key = key_at(a, pieces.size[a] - 1);
        const OrderedKey b_key = key_at(b, pieces.size[b] - 1);
        return a < b ? !less(b_key, a_key) : less(a_key, b_key);
    };
    // The run whose piece ends first, among the runs that go on after their piece. Equal keys are in the order of their
    // runs.
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

// Sorts the rest of all runs up to the next cut by cells, or some of it if that is too much. Returns false if keys are
// spread too unevenly for cells; in that case nothing has been stored. All threads of the block call this.
template <typename Runs>
__device__ __forceinline__ bool sort_up_to_cut(
    const Runs& runs, const ElementArray& out, RunPieces& pieces, GatheredPieces& gathered) {
    if (threadIdx.x < kWarpSize) {
        pieces.end_at_cut();
        pieces.choose_gathered(kGatherTile);
        if (!pieces.fits) {
            take_of_pieces(
                pieces, [&](u32 run, u32 item) -> OrderedKey { return runs.key(pieces.next[run] + item, true); });
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
        CellOutcome outcome = sort_by_cells(GatherSort(shared_memory), count, load, false);
        if (GatherSort::kMayRepeat && outcome == CellOutcome::kOtherKind) {
            outcome = sort_by_cells(GatherSort(shared_memory), count, load, true);
        }
        if (outcome != CellOutcome::kSorted) {
            return false;
        }
        const GatherTile::Items sorted{(RunItem*)shared_memory, 0};
        // The state of the pieces is read again, to keep registers free for items.
        const u32 same_count = pieces.item_count;
        const ElementArray target = out.from(pieces.out);
        const auto store = [&](u32 base, u32 offset, const Element& element) {
            target.from(base).store(offset, element);
        };
#if KEEPS_ORDER
        join_payloads<GatherTile>(sorted, sorted.slots, same_count, GatheredPayloads<Runs>{runs, gathered}, store);
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

// Merges the rest of all runs up to the next cut in rounds, or some of it if that is too much. All threads of the block
// call this.
template <typename Runs>
__device__ __forceinline__ void merge_up_to_cut(const Runs& runs, const ElementArray& out, RunPieces& pieces) {
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
    const auto store = [&](u32 base, u32 offset, const Element& element) { target.from(base).store(offset, element); };
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

// Merges sections, which blocks take one by one. The runs are those of one array, or parts of one on several GPUs.
template <bool kByCells, typename Runs>
__device__ __forceinline__ void merge_sections(
    const Runs& runs, const ElementArray& out, RunSearch* search, const u64* cuts, u64 sections) {
    RunPieces& pieces = *(RunPieces*)(shared_memory + (kByCells ? kSortedTileBytes : kMergedTileBytes));
    GatheredPieces& gathered = *(GatheredPieces*)((unsigned char*)&pieces + kRunPiecesBytes);
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
        bool goes_by_cells = kByCells;
        bool is_left;
        do {
            if (threadIdx.x < kWarpSize) {
                begin_part(pieces, search, cuts + pieces.section * kMostRuns, goes_by_cells);
            }
            __syncthreads();
            is_left = pieces.cut_count < pieces.all_cuts;
            cut_section(runs, pieces);
            if (kByCells && goes_by_cells) {
                GatherSort(shared_memory).memory.clear();
            }
            while (pieces.cut <= pieces.cut_count) {
                if (kByCells && goes_by_cells) {
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
            // All threads have seen which cut was the last one.
            __syncthreads();
        } while (is_left);
    }
}
