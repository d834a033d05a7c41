// Pieces of sorted runs that a block sorts by cells (cell_sort.cuh), as if they lay one after another like the elements
// of a bucket. A sort by cells takes the same time however many runs there are, while merges need one more round for
// twice the runs.
#pragma once
#include "parts/cell_sort.cuh"
#include "parts/run_pieces.cuh"

// Three cells for four items need a few more exchanges of neighbours than one for each, and leave room for another
// block.
constexpr u32 kGatherCells = kSmallSortItems < 8 ? 4 : kSmallSortItems < 16 ? 8 : 12;
constexpr u32 kGatherTile = kMergeRunsThreads * kSmallSortItems;

// Up to this many runs are merged in rounds, which are faster for so few. Elements of 16 bytes have more to move in
// each round.
constexpr u32 kFewRuns = sizeof(Element) > 8 ? 1 : HAS_PAYLOAD ? 16 : 4;

using GatherSort = CellSort<kSmallSortItems, RunItem, kGatherCells, true>;
using GatherTile = BlockSort<kSmallSortItems, RunItem>;

// Where the items of all pieces come from. This lies in shared memory.
struct GatheredPieces {
    static constexpr u32 kRows = kGatherTile / kWarpSize;
    static_assert(kRows <= (u32)kMergeRunsThreads, "a thread has a row or none");

    u64 distances[kMostRuns];  // of each piece that has items: from an item's slot to its place in the run
    u32 begins[kMostRuns];     // the slots where these pieces begin
    u32 piece_count;
    u32 starts[kRows];  // for each row of a warp, bit l is set if a piece begins in slot l
    u8 before[kRows];   // how many pieces begin before a row

    // Lists the pieces. One warp calls this.
    __device__ __forceinline__ void list(const RunPieces& pieces) {
        u32 slots = 0;
        u32 numbers = 0;
        RunPieces::for_each_run([&](u32 run) {
            const u32 size = pieces.size[run];
            const u32 slot = slots + warp_inclusive_scan(size);
            const u32 with_items = __ballot_sync(kAllLanes, size != 0);
            if (size != 0) {
                const u32 number = numbers + __popc(with_items & (1u << threadIdx.x % kWarpSize) - 1);
                begins[number] = slot - size;
                distances[number] = pieces.next[run] - (slot - size);
            }
            slots = __shfl_sync(kAllLanes, slot, kWarpSize - 1);
            numbers += __popc(with_items);
        });
        if (threadIdx.x == 0) {
            piece_count = numbers;
        }
    }

    // Finds where pieces begin in each row. All threads of the block call this, between two barriers.
    __device__ __forceinline__ void find_rows() {
        const u32 first = threadIdx.x * kWarpSize;
        if (threadIdx.x >= kRows) {
            return;
        }
        u32 piece = first_failing(0u, piece_count, [&](u32 other) { return begins[other] < first; });
        before[threadIdx.x] = (u8)piece;
        u32 bits = 0;
        for (; piece < piece_count && begins[piece] < first + kWarpSize; ++piece) {
            bits |= 1u << begins[piece] % kWarpSize;
        }
        starts[threadIdx.x] = bits;
    }

    // Returns where the item of a slot lies.
    __device__ __forceinline__ u64 place(u32 slot) const {
        const u32 row = slot / kWarpSize;
        const u32 up_to_slot = (2u << slot % kWarpSize) - 1;
        return distances[before[row] + __popc(starts[row] & up_to_slot) - 1] + slot;
    }
};

#if KEEPS_ORDER
// The payloads of the pieces, by the slots of their keys.
template <typename Runs>
struct GatheredPayloads {
    const Runs& runs;
    const GatheredPieces& gathered;

    __device__ __forceinline__ Payload payload(u32 slot) const { return runs.payload(gathered.place(slot)); }
};
#endif
