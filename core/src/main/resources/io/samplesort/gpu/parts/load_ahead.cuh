// The small sort of wide items, which loads the items of the next bucket while it puts those of the last one in order. By
// then these lie in shared memory, and words stand for them (word_rounds.cuh), so their registers are free.
#pragma once
#include "parts/piece.cuh"
#include "parts/repeat_sort.cuh"

// Loads the items of a bucket as CellSort::sort() takes them.
template <typename Cells, int kItems>
__device__ __forceinline__ void load_bucket(
    const ElementArray& in, const KnownBucket& bucket, Element (&items)[kItems]) {
    const ElementArray source = in.from(bucket.begin);
    Cells::load_items(
        bucket.size(), [&](u32 base, u32 offset) { return source.from(base).load_ordered(offset); }, items);
}

// The next bucket, whose items are loaded into the registers of those that have been there.
template <typename Cells>
struct NextItems : NextBucket {
    const ElementArray& in;
    bool are_loaded;

    template <int kItems>
    __device__ __forceinline__ void take_items(Element (&items)[kItems]) {
        are_loaded = bucket->size() != 0;
        load_bucket<Cells>(in, *bucket, items);
    }
};

// The steps of a block that sorts buckets of one class. `Sort` and `Cells` are its sorts, and `buckets` is shared memory
// for two buckets, which are used in turn: warps that are done with one begin with the next, while others still store.
template <typename Sort, typename Cells>
struct AheadSort {
    // Which bucket is the block's, whether few numbers are expected (as sort_buckets() says), and whether the bucket
    // behind it has been taken from the queue.
    static constexpr u32 kTurn = 1;
    static constexpr u32 kRepeats = 2;
    static constexpr u32 kIsTaken = 4;

    const ElementArray& in;
    const ElementArray& out;
    const Queues& queues;
    u32 size_class;
    KnownBucket* buckets;
    u32 state;

    __device__ __forceinline__ KnownBucket& own() const { return buckets[state & kTurn]; }
    __device__ __forceinline__ KnownBucket& next() const { return buckets[(state & kTurn) ^ 1]; }
    __device__ __forceinline__ void turn() { state = (state & kRepeats) | ((state & kTurn) ^ 1); }
    __device__ __forceinline__ Element* slots() const { return (Element*)shared_memory; }

    // Takes an entry from the queue. The first thread calls this.
    __device__ __forceinline__ u32 take() const { return gridDim.x + atomicAdd(&queues.taken[size_class], 1u); }

    // Finds the bucket at the index that is known of it. If it needs a copy alone, that is made, and this returns false.
    __device__ __forceinline__ bool find() {
        KnownBucket& bucket = own();
        const Piece<false> piece(queues, size_class, bucket.index);
        if (piece.no_sort) {
            if (threadIdx.x == 0) {
                next().index = take();
            }
            copy_equal(in.from(piece.begin), out.from(piece.offset), piece.size);
            __syncthreads();
            turn();
            return false;
        }
        if (threadIdx.x == 0) {
            wait_for_copies();
            bucket.begin = piece.begin;
            bucket.place = piece.offset;
            bucket.end = piece.offset + piece.size;
        }
        __syncthreads();
        return true;
    }

    // Stores an item of the block's bucket.
    __device__ __forceinline__ auto store() const {
        const ElementArray target = out.from(own().place);
        return [target](u32 base, u32 offset, const Element& element) { target.from(base).store(offset, element); };
    }

    // Sorts the block's bucket, and then next ones as long as their items are loaded ahead. Returns the outcome of the
    // last one. With any other than kOrdered it has not been stored.
    template <int kItems>
    __device__ __forceinline__ CellOutcome sort_loaded(Element (&items)[kItems]) {
        while (true) {
            NextItems<Cells> ahead{{queues, size_class, &next(), 0}, in, false};
            if (threadIdx.x == 0) {
                ahead.index = (state & kIsTaken) != 0 ? next().index : take();
            }
            const CellOutcome outcome =
                sort_by_cells(Cells(shared_memory), items, own().size(), (state & kRepeats) != 0, ahead);
            if (outcome != CellOutcome::kOrdered) {
                if (outcome == CellOutcome::kOtherKind) {
                    if (threadIdx.x == 0) {
                        next().index = ahead.index;
                    }
                    state = (state ^ kRepeats) | kIsTaken;
                }
                return outcome;
            }
            Cells(shared_memory).for_each_ordered(own().size(), store());
            turn();
            if (!ahead.are_loaded) {
                return outcome;
            }
        }
    }

    // Stores the block's bucket, which has not been ordered by words. If its cells are uneven, it is sorted first.
    __device__ __forceinline__ void finish(CellOutcome outcome) {
        const u32 size = own().size();
        typename Sort::Items sorted{slots(), 0};
        if (outcome == CellOutcome::kUneven) {
            const ElementArray source = in.from(own().begin);
            sorted = Sort::sort(
                slots(), size, [&](u32 base, u32 offset) { return source.from(base).load_ordered(offset); });
        }
        Sort::for_each(sorted, size, store());
        if (outcome == CellOutcome::kUneven) {
            __syncthreads();
            Cells(shared_memory).clear();
            __syncthreads();
        }
        turn();
    }
};

// Does the same as sort_buckets() in small_sort.cuh.
template <typename Sort, typename Cells>
__device__ __forceinline__ void sort_buckets_ahead(
    KnownBucket* buckets, const ElementArray& in, const ElementArray& out, const Queues& queues, u32 size_class,
    bool is_first) {
    Cells(shared_memory).clear();
    if (is_first) {
        wait_for_previous_kernel();
    }
    allow_next_kernel();
    if (threadIdx.x == 0) {
        buckets[0].index = blockIdx.x;
        buckets[0].total = queues.sizes[size_class];
        buckets[1].total = buckets[0].total;
    }
    __syncthreads();
    AheadSort<Sort, Cells> sort{in, out, queues, size_class, buckets, 0};
    while (sort.own().index < queues.sizes[size_class]) {
        if (!sort.find()) {
            continue;
        }
        // They are another array for each bucket that is found here, so that no registers hold what nobody needs.
        Element items[kSmallSortItems];
        load_bucket<Cells>(in, sort.own(), items);
        const CellOutcome outcome = sort.sort_loaded(items);
        if (outcome == CellOutcome::kUneven || outcome == CellOutcome::kSorted) {
            sort.finish(outcome);
        }
    }
    if (threadIdx.x == 0) {
        wait_for_copies();
    }
    // The launch ends no earlier than the one before it (small_sort.cuh).
    if (blockIdx.x == 0) {
        wait_for_previous_kernel();
    }
}
