// The small sort by cells, where a block finds its next bucket while it sorts one (next_bucket.cuh).
#pragma once
#include "parts/piece.cuh"
#include "parts/repeat_sort.cuh"

// Does the same as sort_buckets() in small_sort.cuh. `Sort` and `Cells` are the sorts of a block. `buckets` is shared
// memory for two buckets, which are used in turn: warps that are done with one begin with the next while others store.
template <typename Sort, typename Cells>
__device__ __forceinline__ void sort_buckets_ahead(
    KnownBucket* buckets, const ElementArray& in, const ElementArray& out, const Queues& queues, u32 size_class,
    bool is_first) {
    // Which bucket is the block's, and whether few numbers are expected: buckets that a block sorts one after the other
    // mostly are alike. Both share a word, since registers are for elements.
    constexpr u32 kTurn = 1;
    constexpr u32 kRepeats = 2;
    Cells(shared_memory).clear();
    if (is_first) {
        wait_for_previous_kernel();
    }
    allow_next_kernel();
    if (threadIdx.x == 0) {
        buckets[0].total = queues.sizes[size_class];
        buckets[1].total = buckets[0].total;
    }
    u32 state = 0;
    NextBucket first{queues, in, size_class, buckets, blockIdx.x, false};
    first.ask_for_entry();
    first.find();
#pragma unroll 1
    while (true) {
        const KnownBucket& own = buckets[state & kTurn];
        NextBucket next{queues, in, size_class, &buckets[(state & kTurn) ^ 1], 0, false};
        const bool is_sorted = own.size() != 0;
        if (!is_sorted && own.index >= own.total) {
            break;
        }
        // Buckets are taken one by one: they differ in size and multiprocessors in speed, and an equal share for each
        // block took 10% longer. The atomic is under way while the block sorts.
        if (threadIdx.x == 0) {
            next.index = gridDim.x + atomicAdd(&queues.taken[size_class], 1u);
        }
        if (!is_sorted) {
            // Others may still store the last one.
            __syncthreads();
            next.ask_for_entry();
            const Piece<false> piece(queues, size_class, own.index);
            copy_equal(in.from(piece.begin), out.from(piece.offset), piece.size);
            next.find();
            state ^= kTurn;
            continue;
        }
        CellOutcome outcome;
#pragma unroll 1
        while (true) {
            const ElementArray source = in.from(own.begin);
            outcome = sort_by_cells(
                Cells(shared_memory), own.size(),
                [&](u32 base, u32 offset) { return source.from(base).load_ordered(offset); }, (state & kRepeats) != 0,
                next);
            if (!Cells::kMayRepeat || outcome != CellOutcome::kOtherKind) {
                break;
            }
            state ^= kRepeats;
        }
        Element* slots = (Element*)shared_memory;
        typename Sort::Items sorted{slots, 0};
        if (outcome == CellOutcome::kUneven) {
            const ElementArray source = in.from(own.begin);
            sorted = Sort::sort(
                slots, own.size(), [&](u32 base, u32 offset) { return source.from(base).load_ordered(offset); });
        }
        const ElementArray target = out.from(own.place);
        const auto store = [&](u32 base, u32 offset, const Element& element) {
            target.from(base).store(offset, element);
        };
        if (Cells::kHasWords && outcome == CellOutcome::kOrdered) {
            Cells(shared_memory).for_each_ordered(own.size(), store);
        } else {
            Sort::for_each(sorted, own.size(), store);
        }
        if (outcome == CellOutcome::kUneven) {
            __syncthreads();
            Cells(shared_memory).clear();
            __syncthreads();
        }
        if (!next.is_known) {
            next.find();
        }
        state ^= kTurn;
    }
    // The launch ends no earlier than the one before it (small_sort.cuh).
    if (blockIdx.x == 0) {
        wait_for_previous_kernel();
    }
}
