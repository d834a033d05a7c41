// Work lists for the small sort: after the last distribution pass, every bucket that still needs work is in the queue
// of its size class.
#pragma once
#include "parts/primitives.cuh"

// Blocks of several sizes sort buckets, with kSmallSortItems elements for each thread, and each size is a class. A
// bucket larger than the largest class is in the queue of that class in parts; if it has to be sorted, it is also in a
// list for merge_sort. Most buckets have between half and twice the mean size, so the classes are finest there.
//
// Each class but the largest has a second queue, for buckets with few different numbers (few_numbers.cuh).

// The threads of a block for a class: 3, 4, 5, 6, 8 or 16 halves of kSmallSortThreads. If a half is not a number of
// whole warps, the threads are 1, 2, 3, 4, 6 or 8 times kSmallSortThreads. The host has the same numbers (SizeClasses).
__host__ __device__ constexpr u32 size_class_threads(u32 size_class) {
    const bool has_halves = kSmallSortThreads / 2 % kWarpSize == 0;
    const u32 halves = size_class == 5 ? 16
        : size_class == 4              ? (has_halves ? 8 : 12)
                                       : (has_halves ? size_class + 3 : 2 * size_class + 2);
    return kSmallSortThreads * halves / 2;
}

// The size of the largest buckets of a class.
__host__ __device__ constexpr u32 size_class_limit(u32 size_class) {
    return size_class_threads(size_class) * kSmallSortItems;
}
static_assert(
    kSmallSortLimit == size_class_limit(kSizeClassCount - 1), "the largest size class is the small-sort limit");

// The host writes all fields as eight bytes each, by the same names (KernelStructs.Queues).
struct Queues {
    const u64* bucket_offsets;  // where the buckets of the last pass belong
    const u64* bucket_begins;   // where they lie
    u64 first_bucket;           // how many buckets the earlier groups have
    u64 capacity;               // entries for which a queue has room
    u32* sizes;                 // [kQueueCount]
    u32* taken;                 // [kQueueCount]: entries that blocks have taken, beyond one each
    u32* uneven;                // [kQueueCount]: how many buckets were too uneven for cells (uneven_buckets.cuh)
    u64* entries;               // [kSizeClassCount * capacity], each made by QueueEntry::of()
    u32* large_count;           // of all groups
    u64* large_buckets;         // those that merge_sort merges, of all groups
    u64* largest_bucket;        // the size of the largest bucket that is not an equality bucket
    u64 element_count;
    u64 lowest_class;  // smaller buckets go to this class as well
    u64 last_array;    // the array that the last pass writes, as PassArrays numbers them

    // Returns the address of an entry. Both queues of a class share memory: the second one begins at its end and grows
    // downwards.
    __device__ __forceinline__ u64* entry(u32 queue, u32 index) const {
        return queue < kSizeClassCount ? &entries[queue * capacity + index]
                                       : &entries[(queue - kSizeClassCount + 1) * capacity - 1 - index];
    }
};

// The arrays between the input and the result: array 0 is the input, and pass i - 1 writes array i.
struct PassArrays {
    ElementArray at[kMaxPasses + 1];
};

constexpr u64 kNoSort = 1ull << 31;
constexpr u32 kPartShift = 32;
constexpr u32 kArrayShift = 58;
static_assert(kMaxPasses < 1u << 6, "the number of an array fits a mark and an entry of a queue");

constexpr u32 kLargestClass = kSizeClassCount - 1;

// Queue kSizeClassCount + c has the buckets of class c with few different numbers.
constexpr u32 kQueueCount = 2 * kSizeClassCount;

// What a queue says about a piece of work.
struct QueueEntry {
    u64 bits;

    // Part `part` of a bucket, which lies in `array`. A copy is enough if `no_sort`.
    __device__ static u64 of(u64 bucket, bool no_sort, u32 part, u32 array) {
        return bucket | (no_sort ? kNoSort : 0) | (u64)part << kPartShift | (u64)array << kArrayShift;
    }

    __device__ u32 bucket() const { return (u32)(bits & (kNoSort - 1)); }
    __device__ bool no_sort() const { return (bits & kNoSort) != 0; }
    __device__ u32 part() const { return (u32)(bits >> kPartShift) & ((1u << (kArrayShift - kPartShift)) - 1); }
    __device__ u32 array() const { return (u32)(bits >> kArrayShift); }
};

// Buckets are copied in parts of the size that one block sorts, or in this many parts.
constexpr u64 kMaxCopyParts = 1024;

__device__ __forceinline__ u64 part_size(u64 bucket_size, bool no_sort) {
    return no_sort ? max_of<u64>(kSmallSortLimit, ceil_div(bucket_size, kMaxCopyParts)) : kSmallSortLimit;
}

// Returns how often merge_sort doubles the runs of a bucket, which have kSmallSortLimit elements at first. The number
// is even, so that runs are made where the bucket belongs and end there.
__device__ __forceinline__ u32 merge_rounds(u64 bucket_size) {
    u32 rounds = 0;
    while (((u64)kSmallSortLimit << rounds) < bucket_size) {
        rounds += 2;
    }
    return rounds;
}

// Returns the class of a bucket up to the small-sort limit.
__device__ __forceinline__ u32 size_class(u64 size, u64 lowest_class) {
    u32 size_class = (u32)lowest_class;
    while (size_class < kLargestClass && size > size_class_limit(size_class)) {
        ++size_class;
    }
    return size_class;
}

// Puts one bucket for each thread in its queue; threads without a bucket pass size 0. `array` is the array in which the
// bucket lies. has_few_numbers(c) returns whether the bucket has few different numbers for class c. `shared_sizes` and
// `shared_bases` have kQueueCount counters each. All threads of the block call this, and the block takes room in each
// queue with one atomic.
template <typename HasFewNumbers>
__device__ __forceinline__ void enqueue_bucket(
    const Queues& queues, u64 bucket, u64 size, bool equality, u32 array, const HasFewNumbers& has_few_numbers,
    u32* shared_sizes, u32* shared_bases) {
    const bool no_sort = equality || size == 1;
    const bool queued = size != 0;
    const bool is_large = size > kSmallSortLimit;
    // Only the kernel of the largest class reads all arrays.
    u32 queue = is_large || array != queues.last_array ? kLargestClass : size_class(size, queues.lowest_class);
    if (kTellsFewNumbers && queued && !no_sort && queue != kLargestClass && has_few_numbers(queue)) {
        queue += kSizeClassCount;
    }
    const u32 parts = is_large ? (u32)ceil_div(size, part_size(size, no_sort)) : 1;
    const bool is_merged = is_large && !no_sort;
    if (threadIdx.x < kQueueCount) {
        shared_sizes[threadIdx.x] = 0;
    }
    __syncthreads();
    const u32 rank = queued ? atomicAdd(&shared_sizes[queue], parts) : 0;
    __syncthreads();
    if (threadIdx.x < kQueueCount && shared_sizes[threadIdx.x] != 0) {
        shared_bases[threadIdx.x] = atomicAdd(&queues.sizes[threadIdx.x], shared_sizes[threadIdx.x]);
    }
    __syncthreads();
    const u32 first = queued ? shared_bases[queue] + rank : 0;
    const u64 entry = QueueEntry::of(bucket, no_sort, 0, array);
    if (queued && parts == 1) {
        *queues.entry(queue, first) = entry;
    }
    // A bucket with many parts would keep its thread busy for long, so the whole warp writes them.
    for (u32 lanes = __ballot_sync(kAllLanes, parts > 1); lanes != 0; lanes &= lanes - 1) {
        const int lane = __ffs((int)lanes) - 1;
        const u64 first_entry = __shfl_sync(kAllLanes, entry, lane);
        const u32 first_place = __shfl_sync(kAllLanes, first, lane);
        const u32 count = __shfl_sync(kAllLanes, parts, lane);
        for (u32 part = threadIdx.x % kWarpSize; part < count; part += kWarpSize) {
            *queues.entry(kLargestClass, first_place + part) = first_entry | (u64)part << kPartShift;
        }
    }
    if (is_merged) {
        queues.large_buckets[atomicAdd(queues.large_count, 1u)] = queues.first_bucket + bucket;
    }
}
