// How the blocks of a small sort (small_sort.cuh) sort the buckets of a queue: each block takes buckets until the queue
// is empty.
#pragma once
#include "parts/ahead_sort.cuh"
#include "parts/repeat_sort.cuh"
#include "parts/small_sort_item.cuh"
#include "parts/uneven_buckets.cuh"

// Whether a small sort begins with cells.
constexpr bool kSortsByCells = kSmallSortCells > 0 && kKeysAreNumbers;

// Whether blocks find the next bucket while they sort one. `float` keys gain nothing by it.
constexpr bool kFindsAhead = kMayFindAhead && !(kKeysAreMapped && sizeof(Key) == sizeof(u32));

static_assert(!kFindsAhead || (kSortsByCells && !KEEPS_ORDER), "blocks find buckets ahead while they sort by cells");

// Returns how many blocks the registers of one multiprocessor must allow: more warps hide the latency of shared memory,
// as long as the items of a thread stay in its registers.
__host__ __device__ constexpr int small_sort_blocks(int threads) {
    return threads < kSmallSortResidentThreads ? kSmallSortResidentThreads / threads : 1;
}

template <bool kIsLargest>
using SmallSort = BlockSort<kSmallSortItems, SmallSortItem, kIsLargest ? kLargestSortBuffers : kSmallSortBuffers>;

// The largest class has one queue for all of its buckets.
template <bool kIsLargest>
using SmallCellSort =
    CellSort<kSmallSortItems, SmallSortItem, kIsLargest ? kLargestSortCells : kSmallSortCells, kIsLargest>;

using SmallRepeatSort = RepeatSort<kSmallSortItems, SmallSortItem, kSmallSortCells>;

// The shared memory of the sort of a block.
template <bool kIsLargest>
__host__ __device__ constexpr u32 small_sort_bytes(u32 threads) {
    const u32 bytes = SmallSort<kIsLargest>::bytes(threads);
    if constexpr (kSortsByCells) {
        return max_bytes(bytes, SmallCellSort<kIsLargest>::Memory::bytes(threads));
    }
    return bytes;
}

// The shared memory of a block: what the sort takes, and two entries of the queue, or two known buckets.
template <bool kIsLargest>
__host__ __device__ constexpr u32 small_sort_shared_bytes(u32 threads) {
    return small_sort_bytes<kIsLargest>(threads)
        + 2 * (kMayFindAhead && !kIsLargest ? sizeof(KnownBucket) : sizeof(u32));
}

// Returns the function that loads the items of a piece.
template <bool kIsLargest>
__device__ __forceinline__ auto source_of(
    const Piece<kIsLargest>& piece, const ElementArray& in, const ElementArray& out, bool is_of_input) {
    const ElementArray source = is_of_input ? out.from(piece.offset) : in.from(piece.begin);
    return [source](u32 base, u32 offset) {
#if KEEPS_ORDER
        return placed_key(source, base, offset);
#else
        return source.from(base).load_ordered(offset);
#endif
    };
}

// Sorts the pieces of a queue by `Cells`, if the small sort begins with cells. `array_of(piece)` is where a piece lies.
// It may lie in the input (`may_be_of_input`), if a pass has failed to divide the input, or if the input is sorted
// alone and its keys have to be mapped.
template <bool kIsLargest, typename Cells, typename ArrayOf>
__device__ __forceinline__ void sort_queue(
    const ArrayOf& array_of, bool may_be_of_input, const ElementArray& out, const Queues& queues, u32 queue) {
    using Sort = SmallSort<kIsLargest>;
    SmallSortItem* items = (SmallSortItem*)shared_memory;
    // There are two words, used in turn: the block may still be reading one when its first thread writes the other.
    // Each piece has a barrier between the two, and a sort has it at its end, so warps begin the next piece as soon as
    // they are done with this one.
    u32* next_index = (u32*)(shared_memory + small_sort_bytes<kIsLargest>(blockDim.x));
    // The next index, and kRepeats if few numbers are expected and it is not the queue that says so: buckets that a
    // block sorts one after another are usually alike. Both share a word, to keep registers free for elements.
    constexpr u32 kRepeats = 2;
    // Whether cells are left out if they were often of no use, and the bit for this in the same word.
    constexpr bool kMayLeaveOut = kSortsByCells && !kIsLargest && Cells::kLeavesUneven;
    static_assert(!kMayLeaveOut || !Cells::kMayRepeat, "the bit that says so is not taken for kRepeats");
    constexpr u32 kLeaveOut = UnevenBuckets::kLeaveOut;
    u32 turn = 0;
    u32 i = blockIdx.x;
    const auto take_next = [&]() {
        const u32 next = next_index[turn % 2];
        turn ^= 1;
        if constexpr (kMayLeaveOut) {
            turn = turn % kLeaveOut | (next & kLeaveOut);
        }
        i = kMayLeaveOut ? next % kLeaveOut : next;
    };
    // The count is read again for each piece, to keep registers free for elements.
    const bool is_alone = sorts_input_alone<kIsLargest>(queues);
    for (; i < (is_alone ? gridDim.x : queues.sizes[queue]); take_next()) {
        // Pieces are taken one by one: buckets differ in size and multiprocessors in speed, and an equal share for each
        // block took 10% longer. The atomic is in flight while the block sorts.
        if (threadIdx.x == 0) {
            const u32 next = gridDim.x + (is_alone ? 0 : atomicAdd(&queues.taken[queue], 1u));
            next_index[turn % 2] = kMayLeaveOut ? UnevenBuckets::with_advice(queues, queue, next) : next;
        }
        Piece<kIsLargest> piece(queues, queue, i);
        const ElementArray in = array_of(piece);
        const bool is_of_input = kIsLargest && may_be_of_input && piece.array == 0;
        if (piece.no_sort) {
            copy_equal(in.from(piece.begin), out.from(piece.offset), piece.size);
            __syncthreads();
        } else {
            if (is_of_input) {
                // The elements are first copied, so that there is only one way to load: a choice at each load would
                // make the loads wait for each other.
                const ElementArray moved = out.from(piece.offset);
                for (u32 index = threadIdx.x; index < piece.size; index += blockDim.x) {
                    moved.store_ordered(index, in.load(piece.begin + index));
                }
                __syncthreads();
            }
            bool is_in_cells = false;
            typename Sort::Items sorted{items, 0};
            if constexpr (kSortsByCells) {
#pragma unroll 1
                while (!kMayLeaveOut || turn < kLeaveOut) {
                    const auto source = source_of(piece, array_of(piece), out, is_of_input);
                    const CellOutcome outcome =
                        sort_by_cells(Cells(shared_memory), piece.size, source, turn >= kRepeats);
                    is_in_cells = outcome == CellOutcome::kSorted;
                    if (kMayLeaveOut && outcome == CellOutcome::kUneven && threadIdx.x == 0) {
                        UnevenBuckets::note(queues, queue);
                    }
                    if (!Cells::kMayRepeat || outcome != CellOutcome::kOtherKind) {
                        break;
                    }
                    turn ^= kRepeats;
                    piece = Piece<kIsLargest>(queues, queue, i);
                }
            }
            if (!is_in_cells) {
                const Piece<kIsLargest> same(queues, queue, i);
                sorted = Sort::sort(items, same.size, source_of(same, array_of(same), out, is_of_input));
            }
            // The piece is read again, to keep registers free for elements while the block sorts.
            const Piece<kIsLargest> same(queues, queue, i);
            const ElementArray target = out.from(same.offset);
            const auto store = [&](u32 base, u32 offset, const Element& element) {
                if (kIsLargest && same.is_run) {
                    target.from(base).store_ordered(offset, element);
                } else {
                    target.from(base).store(offset, element);
                }
            };
#if KEEPS_ORDER
            join_payloads<Sort>(
                sorted, items, same.size, is_of_input ? target : array_of(same).from(same.begin), store);
#else
            Sort::for_each(sorted, same.size, store);
#endif
            if constexpr (kSortsByCells) {
                // Payloads that join their keys have used the memory in which cells are counted.
                if (!is_in_cells || KEEPS_ORDER) {
                    __syncthreads();
                    Cells(shared_memory).memory.clear();
                    __syncthreads();
                }
            }
        }
    }
}

// Prepares a block, and makes it sort a queue. The small sorts of the queues are independent, so each begins while the
// one before it is running. That of the largest class is the first: it waits for the phase before the small sort, and
// lets no other begin until that phase has ended.
template <bool kIsLargest, typename SortQueue>
__device__ __forceinline__ void run_small_sort(const SortQueue& sort) {
    if constexpr (kSortsByCells) {
        SmallCellSort<kIsLargest>(shared_memory).memory.clear();
        __syncthreads();
    }
    if constexpr (kIsLargest) {
        wait_for_previous_kernel();
    }
    allow_next_kernel();
    sort();
    // The launch ends no earlier than the one before it, so whatever follows the last launch follows all of them. One
    // block is enough for that; the other blocks end and leave their shared memory to later launches.
    if (blockIdx.x == 0) {
        wait_for_previous_kernel();
    }
}

// Does all of that with a queue of any class but the largest.
template <bool kAhead, typename Cells>
__device__ __forceinline__ void sort_class(
    const ElementArray& in, const ElementArray& out, const Queues& queues, u32 queue) {
    run_small_sort<false>([&]() {
        if constexpr (kAhead) {
            KnownBucket* buckets = (KnownBucket*)(shared_memory + small_sort_bytes<false>(blockDim.x));
            sort_queue_ahead<SmallSort<!kAhead>, Cells>(buckets, in, out, queues, queue);
        } else {
            sort_queue<false, Cells>(
                [&](const Piece<false>&) -> const ElementArray& { return in; }, false, out, queues, queue);
        }
    });
}

// Blocks of several sizes share the registers, so the bound applies to the number of threads of all blocks together.
// The bound of a block is its share of that number.
constexpr int kMostSmallSortThreads = size_class_threads(kLargestClass - 1);
constexpr int kSmallSortBlocks = small_sort_blocks(kMostSmallSortThreads);
constexpr int kSmallSortBound = kSmallSortResidentThreads / kSmallSortBlocks / 32 * 32;
