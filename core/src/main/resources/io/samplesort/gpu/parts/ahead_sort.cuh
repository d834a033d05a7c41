// The small sort by cells in which a block finds its next bucket while it sorts one (next_bucket.cuh).
#pragma once
#include "parts/cell_rounds.cuh"
#include "parts/next_bucket.cuh"
#include "parts/piece.cuh"

// Does the same as sort_queue() in queue_sort.cuh. `Sort` and `Cells` are the sorts of a block. `buckets` is shared
// memory for two buckets, which are used in turn: warps that are done with one bucket begin the next while others still
// store.
template <typename Sort, typename Cells>
__device__ __forceinline__ void sort_queue_ahead(
    KnownBucket* buckets, const ElementArray& in, const ElementArray& out, const Queues& queues, u32 queue) {
    if (threadIdx.x == 0) {
        buckets[0].total = queues.sizes[queue];
        buckets[1].total = buckets[0].total;
    }
    u32 turn = 0;
    NextBucket first{queues, in, queue, buckets, blockIdx.x, false};
    first.ask_for_entry();
    first.find();
#pragma unroll 1
    while (true) {
        const KnownBucket& own = buckets[turn];
        NextBucket next{queues, in, queue, &buckets[turn ^ 1], 0, false};
        const bool is_sorted = own.size() != 0;
        if (!is_sorted && own.index >= own.total) {
            break;
        }
        // Buckets are taken one by one: they differ in size and multiprocessors in speed, and an equal share for each
        // block took 10% longer. The atomic is in flight while the block sorts.
        if (threadIdx.x == 0) {
            next.index = gridDim.x + atomicAdd(&queues.taken[queue], 1u);
        }
        if (!is_sorted) {
            // Other warps may still store the last bucket.
            __syncthreads();
            next.ask_for_entry();
            const Piece<false> piece(queues, queue, own.index);
            copy_equal(in.from(piece.begin), out.from(piece.offset), piece.size);
            next.find();
            turn ^= 1;
            continue;
        }
        const ElementArray source = in.from(own.begin);
        const auto load = [&](u32 base, u32 offset) { return source.from(base).load_ordered(offset); };
        const CellOutcome outcome = Cells(shared_memory).sort(own.size(), load, next);
        Element* slots = (Element*)shared_memory;
        typename Sort::Items sorted{slots, 0};
        const bool is_uneven = outcome != CellOutcome::kSorted;
        if (is_uneven) {
            if (outcome == CellOutcome::kOtherKind) {
                next.ask_for_entry();
            }
            const ElementArray again = in.from(own.begin);
            sorted = Sort::sort(
                slots, own.size(), [&](u32 base, u32 offset) { return again.from(base).load_ordered(offset); });
        }
        const ElementArray target = out.from(own.place);
        const auto store = [&](u32 base, u32 offset, const Element& element) {
            target.from(base).store(offset, element);
        };
        Sort::for_each(sorted, own.size(), store);
        if (is_uneven) {
            __syncthreads();
            Cells(shared_memory).memory.clear();
            __syncthreads();
        }
        if (!next.is_known) {
            next.find();
        }
        turn ^= 1;
    }
}
