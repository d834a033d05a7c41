// Buckets that are too large for the small sort: rare, since equality buckets take the frequent keys, but nothing rules
// them out (an unlucky sample, an order that is no order). All blocks together sort them by merging, whatever their size,
// so that no input loses an element or waits for a single block. Also copies large equality buckets. And where a bucket of
// the fast layout had not enough room, the whole input is the one bucket.
//
// One cooperative launch: all blocks are resident, so they may wait for each other between the rounds.
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

// Runs of kTile elements are sorted first; round r merges runs of kTile << r.
struct LargeBucket {
    static constexpr u32 kTile = kSmallSortLimit;

    ElementArray source;
    u64 offset;  // where it belongs
    u64 size;
    u32 rounds;
    bool no_sort;
    bool is_input;  // source is the input itself

    __device__ LargeBucket(const Queues& queues, const ElementArray& in, const ElementArray& out, u32 index) {
        is_input = overflowed(queues.overflows, queues.pass_count);
        if (is_input) {
            source = out;
            offset = 0;
            size = queues.element_count;
            no_sort = false;
        } else {
            const u32 entry = queues.entries[kLargeQueue * queues.capacity + index];
            const u64 bucket = entry & ~kNoSort;
            source = in.from(queues.bucket_begins[bucket]);
            offset = queues.bucket_offsets[bucket];
            size = queues.bucket_offsets[bucket + 1] - offset;
            no_sort = (entry & kNoSort) != 0;
        }
        rounds = 0;
        while (((u64)kTile << rounds) < size) {
            ++rounds;
        }
    }

    // Where the bucket lies before round `round`, so that it lies in `out` after the last.
    __device__ ElementArray array(const ElementArray& out, const ElementArray& scratch, u32 round) const {
        return ((rounds - round) % 2 == 0 ? out : scratch).from(offset);
    }
};

constexpr int kMergeSortThreads = kSmallSortThreads * 8;

using MergeSortTile = BlockSort<kMergeSortThreads, kSmallSortItems, Element>;

struct OrderedKeys {
    ElementArray elements;

    __device__ __forceinline__ OrderedKey operator[](u64 index) const { return elements.key(index, true); }
};

// Merges the part of two runs that makes the kTile outputs from `tile_begin` on.
__device__ void merge_tile(
    const LargeBucket& bucket, const ElementArray& in, const ElementArray& out, u64 tile_begin, u64 run_size,
    bool is_last) {
    const MergeSortTile::Items elements{(Element*)shared_memory, 0};
    const u64 tile_end = min_of(tile_begin + LargeBucket::kTile, bucket.size);
    const u64 a = tile_begin / (2 * run_size) * (2 * run_size);
    const u64 b = min_of(a + run_size, bucket.size);
    const u64 b_end = min_of(b + run_size, bucket.size);
    const u64 a_first = merge_path(OrderedKeys{in.from(a)}, b - a, OrderedKeys{in.from(b)}, b_end - b, tile_begin - a);
    const u64 a_last = merge_path(OrderedKeys{in.from(a)}, b - a, OrderedKeys{in.from(b)}, b_end - b, tile_end - a);
    const u64 b_first = tile_begin - a - a_first;
    const u32 a_count = (u32)(a_last - a_first);
    const u32 count = (u32)(tile_end - tile_begin);

    __syncthreads();
    for (u32 index = threadIdx.x; index < count; index += kMergeSortThreads) {
        elements[index] = in.load_ordered(index < a_count ? a + a_first + index : b + b_first + (index - a_count));
    }
    __syncthreads();
    const u32 begin = min_of(threadIdx.x * kSmallSortItems, count);
    const u32 mine = min_of<u32>(kSmallSortItems, count - begin);
    Element merged[kSmallSortItems];
    if (mine > 0) {
        const u32 from_a = merge_path(elements, a_count, elements.from(a_count), count - a_count, begin);
        merge_serially(elements, from_a, a_count, a_count + begin - from_a, count, merged);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kSmallSortItems; ++i) {
        if (i < mine) {
            elements[begin + i] = merged[i];
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

extern "C" __global__ void __launch_bounds__(kMergeSortThreads) merge_sort(
    ElementArray in, ElementArray out, ElementArray scratch, Queues queues, u32* barrier_arrivals) {
    const u32 queue_size = overflowed(queues.overflows, queues.pass_count) ? 1 : queues.sizes[kLargeQueue];
    if (queue_size == 0) {
        return;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0 && overflowed(queues.overflows, queues.pass_count)) {
        *queues.largest_bucket = queues.element_count;
    }
    GridBarrier barrier(barrier_arrivals);
    u32 most_rounds = 0;
    // Tiles are dealt out by a running number over all buckets, so that many buckets of few tiles spread as well.
    u64 dealt = blockIdx.x;
    for (u32 i = 0; i < queue_size; ++i) {
        const LargeBucket bucket(queues, in, out, i);
        const ElementArray target = bucket.no_sort ? out.from(bucket.offset) : bucket.array(out, scratch, 0);
        most_rounds = bucket.no_sort ? most_rounds : max_of(most_rounds, bucket.rounds);
        const u64 tile_count = ceil_div(bucket.size, LargeBucket::kTile);
        for (; dealt < tile_count; dealt += gridDim.x) {
            const u64 begin = dealt * LargeBucket::kTile;
            const u32 count = (u32)min_of<u64>(LargeBucket::kTile, bucket.size - begin);
            if (bucket.no_sort) {
                for (u32 index = threadIdx.x; index < count; index += kMergeSortThreads) {
                    target.store(begin + index, bucket.source.load_ordered(begin + index));
                }
            } else {
                const auto sorted = MergeSortTile::sort((Element*)shared_memory, count, [&](u32 base, u32 offset) {
                    const ElementArray source = bucket.source.from(begin + base);
                    return bucket.is_input ? source.load(offset) : source.load_ordered(offset);
                });
                MergeSortTile::for_each(sorted, count, [&](u32 base, u32 offset, const Element& element) {
                    target.from(begin + base).store_ordered(offset, element);
                });
            }
            __syncthreads();
        }
        dealt -= tile_count;
    }
    for (u32 round = 0; round < most_rounds; ++round) {
        barrier.wait();
        dealt = blockIdx.x;
        for (u32 i = 0; i < queue_size; ++i) {
            const LargeBucket bucket(queues, in, out, i);
            if (bucket.no_sort || round >= bucket.rounds) {
                continue;
            }
            const u64 tile_count = ceil_div(bucket.size, LargeBucket::kTile);
            for (; dealt < tile_count; dealt += gridDim.x) {
                merge_tile(
                    bucket, bucket.array(out, scratch, round), bucket.array(out, scratch, round + 1),
                    dealt * LargeBucket::kTile, (u64)LargeBucket::kTile << round, round + 1 == bucket.rounds);
            }
            dealt -= tile_count;
        }
    }
}
