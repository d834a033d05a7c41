// Buckets that are too large for the small sort: rare, since equality buckets take the frequent keys, but nothing rules
// them out (an unlucky sample, an order that is no order). The small sort has made runs of them; all blocks together merge
// these, however many there are, so that no input loses an element or waits for a single block. And where a bucket of the
// fast layout had not enough room, the whole input is the one bucket.
//
// Runs are in the order of their elements, and of equal keys those of the first run come first (merge_path.cuh), so nothing
// here changes where the order of equal keys is kept.
//
// One cooperative launch: all blocks are resident, so they may wait for each other between the rounds.
//
// The tiles of a merge are found by searches of their own. Where `less` contradicts itself they might overlap, so of an
// order that is not trusted all blocks look first, and where any two tiles of a round do not fit together, that round only
// copies.
#pragma once

class GridBarrier {
  public:
    __device__ explicit GridBarrier(u32* arrivals)
        : arrivals_(arrivals), target_(0) {}

    __device__ void wait() {
        __syncthreads();
        target_ += gridDim.x;
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(arrivals_, 1u);
            while (*(volatile u32*)arrivals_ < target_) {
                __nanosleep(100);
            }
            __threadfence();
        }
        __syncthreads();
    }

  private:
    u32* arrivals_;  // 0 before the launch
    u32 target_;
};

// Round r merges runs of kTile << r.
struct LargeBucket {
    static constexpr u32 kTile = kSmallSortLimit;

    u64 offset;  // where it belongs
    u64 size;
    u32 rounds;

    __device__ LargeBucket(const Queues& queues, u32 index) {
        if (overflowed(queues.overflows, queues.pass_count)) {
            offset = 0;
            size = queues.element_count;
        } else {
            const u64 bucket = queues.entries[kLargeQueue * queues.capacity + index];
            offset = queues.bucket_offsets[bucket];
            size = queues.bucket_offsets[bucket + 1] - offset;
        }
        rounds = merge_rounds(size);
    }

    // Where the bucket lies before round `round`, so that it lies in `out` after the last.
    __device__ ElementArray array(const ElementArray& out, const ElementArray& scratch, u32 round) const {
        return ((rounds - round) % 2 == 0 ? out : scratch).from(offset);
    }
};

constexpr int kMergeSortThreads = kSmallSortThreads * 8;

using MergeSortTile = BlockSort<kSmallSortItems, Element>;

struct OrderedKeys {
    ElementArray elements;

    __device__ __forceinline__ OrderedKey operator[](u64 index) const { return elements.key(index, true); }
};

// What a tile of a merge takes of the two runs.
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

    // Where element `index` of what the tile takes lies: first those of run a.
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

// Calls act(bucket, tile_begin) for each tile of this block in a round of merges.
template <typename Act>
__device__ __forceinline__ void for_each_merge(const Queues& queues, u32 queue_size, u32 round, const Act& act) {
    u64 dealt = blockIdx.x;
    for (u32 i = 0; i < queue_size; ++i) {
        const LargeBucket bucket(queues, i);
        if (round >= bucket.rounds) {
            continue;
        }
        const u64 tile_count = ceil_div(bucket.size, LargeBucket::kTile);
        for (; dealt < tile_count; dealt += gridDim.x) {
            act(bucket, dealt * LargeBucket::kTile);
        }
        dealt -= tile_count;
    }
}

extern "C" __global__ void __launch_bounds__(kMergeSortThreads) merge_sort(
    ElementArray out, ElementArray scratch, Queues queues, u32* barrier_arrivals) {
    const bool is_overflow = overflowed(queues.overflows, queues.pass_count);
    const u32 queue_size = is_overflow ? 1 : queues.sizes[kLargeQueue];
    if (queue_size == 0) {
        return;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0 && is_overflow) {
        *queues.largest_bucket = queues.element_count;
    }
    GridBarrier barrier(barrier_arrivals);
    u32 most_rounds = 0;
    for (u32 i = 0; i < queue_size; ++i) {
        most_rounds = max_of(most_rounds, LargeBucket(queues, i).rounds);
    }
    for (u32 round = 0; round < most_rounds; ++round) {
        const u64 run_size = (u64)LargeBucket::kTile << round;
        if (round != 0) {
            barrier.wait();
        }
        u32* misfit = barrier_arrivals + 1 + round;
        if constexpr (!kOrderIsTrusted) {
            for_each_merge(queues, queue_size, round, [&](const LargeBucket& bucket, u64 tile_begin) {
                const MergePart part(bucket, bucket.array(out, scratch, round), tile_begin, run_size);
                if (threadIdx.x == 0 && !part.fits()) {
                    atomicMax(misfit, 1u);
                }
            });
            barrier.wait();
        }
        const bool only_copies = !kOrderIsTrusted && *(volatile u32*)misfit != 0;
        for_each_merge(queues, queue_size, round, [&](const LargeBucket& bucket, u64 tile_begin) {
            merge_tile(
                bucket, bucket.array(out, scratch, round), bucket.array(out, scratch, round + 1), tile_begin, run_size,
                round + 1 == bucket.rounds, only_copies);
        });
    }
}
