// Sorts buckets that are too large for the small sort. They are rare, since equality buckets take the frequent keys,
// but an unlucky sample or an order that contradicts itself can cause them. If a bucket had too little room, its
// segment is such a bucket, too. The small sort has made runs of them. All blocks together merge these runs, however
// many there are, so that no input loses an element or waits for a single block.
//
// Runs are in the order of their elements, and among equal keys those of the first run come first (merge_path.cuh), so
// this keeps the order of equal keys.
//
// Blocks take tiles by tickets, round after round, and a tile waits until all tiles of the previous round have been
// merged. So a block waits only for blocks that have begun before it, and a launch works even if only one block fits
// the GPU at a time.
//
// Each tile of a merge is found by its own search. If `less` contradicts itself, tiles might overlap. So with an
// untrusted order each round has a step before it, in which blocks check all tiles; if any two do not fit together, the
// round only copies.
#pragma once
#include "parts/block_sort.cuh"
#include "parts/queues.cuh"

// What the blocks of the launch tell each other, all 0 before the launch. The host allocates room for it
// (KernelStructs).
struct MergeProgress {
    u64 taken;                    // how many tickets
    u64 done;                     // how many tiles
    u32 misfit[kMaxMergeRounds];  // for each round, not 0 if tiles do not fit together
};

// A bucket that is merged. Round r merges runs of kTile << r.
struct LargeBucket {
    static constexpr u32 kTile = kSmallSortLimit;

    u64 offset;  // where it belongs
    u64 size;
    u32 rounds;

    __device__ LargeBucket(const Queues& queues, u32 index) {
        const u64 bucket = queues.large_buckets[index];
        offset = queues.bucket_offsets[bucket];
        size = queues.bucket_offsets[bucket + 1] - offset;
        rounds = merge_rounds(size);
    }

    // Returns where the bucket lies before round `round`.
    __device__ ElementArray array(const ElementArray& out, const ElementArray& scratch, u32 round) const {
        return (round % 2 == 0 ? out : scratch).from(offset);
    }
};

constexpr int kMergeSortThreads = size_class_threads(kLargestClass);

using MergeSortTile = BlockSort<kSmallSortItems, Element>;
constexpr u32 kMergeSharedBytes = MergeSortTile::bytes(kMergeSortThreads);

struct OrderedKeys {
    ElementArray elements;

    __device__ __forceinline__ OrderedKey operator[](u64 index) const { return elements.key(index, true); }
};

// The parts of the two runs that a tile of a merge takes.
struct MergePart {
    u64 a;  // the first run, relative to the bucket
    u64 b;
    u64 a_first;
    u64 a_last;
    u64 tile_begin;
    u32 count;

    __device__ MergePart(const LargeBucket& bucket, const ElementArray& in, u64 begin, u64 run_size)
        : tile_begin(begin) {
        const u64 tile_end = min_of(tile_begin + LargeBucket::kTile, bucket.size);
        a = tile_begin / (2 * run_size) * (2 * run_size);
        b = min_of(a + run_size, bucket.size);
        const u64 b_end = min_of(b + run_size, bucket.size);
        a_first = merge_path(OrderedKeys{in.from(a)}, b - a, OrderedKeys{in.from(b)}, b_end - b, tile_begin - a);
        a_last = merge_path(OrderedKeys{in.from(a)}, b - a, OrderedKeys{in.from(b)}, b_end - b, tile_end - a);
        count = (u32)(tile_end - tile_begin);
    }

    __device__ bool fits() const { return a_first <= a_last && a_last - a_first <= count; }

    // Returns the place of element `index` of those that the tile takes. Those of run a come first.
    __device__ u64 source(u32 index) const {
        const u64 a_count = a_last - a_first;
        return index < a_count ? a + a_first + index : b + (tile_begin - a - a_first) + (index - a_count);
    }
};

// Merges the part of two runs that makes the kTile outputs from `tile_begin` on.
__device__ void merge_tile(
    const LargeBucket& bucket, const ElementArray& in, const ElementArray& out, u64 tile_begin, u64 run_size,
    bool is_last, bool only_copies) {
    const MergeSortTile::Items elements{(Element*)shared_memory, 0};
    const MergePart part(bucket, in, tile_begin, run_size);
    const u32 a_count = (u32)(part.a_last - part.a_first);
    const u32 count = part.count;

    __syncthreads();
    for (u32 index = threadIdx.x; index < count; index += kMergeSortThreads) {
        elements[index] = in.load_ordered(only_copies ? tile_begin + index : part.source(index));
    }
    __syncthreads();
    if (!only_copies) {
        const u32 begin = min_of(threadIdx.x * kSmallSortItems, count);
        const u32 end = min_of(begin + kSmallSortItems, count);
        const u32 from_a = merge_path(elements, a_count, elements.from(a_count), count - a_count, begin);
        u32 a_end = a_count;
        u32 b_end = count;
        bool fits = true;
        if constexpr (!kOrderIsTrusted) {
            u32* parts = (u32*)(shared_memory + MergeSortTile::slot_bytes());
            parts[threadIdx.x] = from_a;
            __syncthreads();
            a_end = end == count ? a_count : parts[threadIdx.x + 1];
            b_end = a_count + end - a_end;
            fits = from_a <= a_end && a_end - from_a <= end - begin;
        }
        Element merged[kSmallSortItems];
        if (fits && end > begin) {
            merge_serially(elements, from_a, a_end, a_count + begin - from_a, b_end, merged);
        }
        if (kOrderIsTrusted) {
            __syncthreads();
        } else {
            fits = __syncthreads_and(fits);
        }
#pragma unroll
        for (int i = 0; i < kSmallSortItems; ++i) {
            if (fits && i < end - begin) {
                elements[begin + i] = merged[i];
            }
        }
    }
    __syncthreads();
    MergeSortTile::for_each(elements, count, [&](u32 base, u32 offset, const Element& element) {
        const ElementArray target = out.from(tile_begin + base);
        if (is_last) {
            target.store(offset, element);
        } else {
            target.store_ordered(offset, element);
        }
    });
}

constexpr u32 kStepsARound = kOrderIsTrusted ? 1 : 2;

// The tiles of all steps in the order of their tickets: bucket after bucket, step after step.
class MergeTiles {
  public:
    __device__ MergeTiles(const Queues& queues, u32 queue_size)
        : queues_(queues), queue_size_(queue_size), step_(0), index_(0), first_(0), step_first_(0) {}

    // Moves to the tile of a ticket, which must be later than the previous one. Returns false if there is none.
    __device__ bool find(u64 ticket) {
        for (;;) {
            if (index_ == queue_size_) {
                if (first_ == step_first_) {
                    return false;
                }
                ++step_;
                index_ = 0;
                step_first_ = first_;
            }
            const LargeBucket bucket(queues_, index_);
            const u64 count = round() < bucket.rounds ? ceil_div(bucket.size, LargeBucket::kTile) : 0;
            if (ticket - first_ < count) {
                tile_begin_ = (ticket - first_) * LargeBucket::kTile;
                return true;
            }
            first_ += count;
            ++index_;
        }
    }

    __device__ u32 round() const { return step_ / kStepsARound; }
    __device__ bool only_looks() const { return step_ % kStepsARound + 1 < kStepsARound; }
    __device__ LargeBucket bucket() const { return LargeBucket(queues_, index_); }
    __device__ u64 tile_begin() const { return tile_begin_; }  // in the bucket
    // Returns how many tiles have to be done before this one.
    __device__ u64 steps_before() const { return step_first_; }

  private:
    const Queues& queues_;
    u32 queue_size_;
    u32 step_;
    u32 index_;       // the bucket
    u64 first_;       // the ticket of the bucket's first tile in this step
    u64 step_first_;  // the ticket of the step's first tile
    u64 tile_begin_;
};

// Takes the next ticket, for all threads of the block.
__device__ __forceinline__ u64 take_ticket(MergeProgress* progress) {
    u64* shared_ticket = (u64*)shared_memory;
    if (threadIdx.x == 0) {
        *shared_ticket = atomicAdd(&progress->taken, 1ull);
    }
    __syncthreads();
    return *shared_ticket;
}

__device__ __forceinline__ void wait_for_tiles(const MergeProgress* progress, u64 count) {
    if (threadIdx.x == 0) {
        while (*(const volatile u64*)&progress->done < count) {
            __nanosleep(100);
        }
        __threadfence();
    }
    __syncthreads();
}

__device__ __forceinline__ void tell_tile(MergeProgress* progress) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&progress->done, 1ull);
    }
}

// `largest_bucket` is for the report and lies in the host's memory: the size of the largest bucket that is not an
// equality bucket. It is null if not needed.
extern "C" __global__ void __launch_bounds__(kMergeSortThreads)
    merge_sort(ElementArray out, ElementArray scratch, Queues queues, MergeProgress* progress, u64* largest_bucket) {
    wait_for_previous_kernel();
    if (blockIdx.x == 0 && threadIdx.x == 0 && largest_bucket != nullptr) {
        *largest_bucket = *queues.largest_bucket;
    }
    const u32 queue_size = *queues.large_count;
    if (queue_size == 0) {
        return;
    }
    MergeTiles tiles(queues, queue_size);
    while (tiles.find(take_ticket(progress))) {
        wait_for_tiles(progress, tiles.steps_before());
        const LargeBucket bucket = tiles.bucket();
        const u32 round = tiles.round();
        const u64 run_size = (u64)LargeBucket::kTile << round;
        const ElementArray from = bucket.array(out, scratch, round);
        u32* misfit = progress->misfit + round;
        if (tiles.only_looks()) {
            const MergePart part(bucket, from, tiles.tile_begin(), run_size);
            if (threadIdx.x == 0 && !part.fits()) {
                atomicMax(misfit, 1u);
            }
        } else {
            const bool only_copies = !kOrderIsTrusted && *(volatile u32*)misfit != 0;
            const ElementArray to = bucket.array(out, scratch, round + 1);
            merge_tile(bucket, from, to, tiles.tile_begin(), run_size, round + 1 == bucket.rounds, only_copies);
        }
        tell_tile(progress);
    }
}
