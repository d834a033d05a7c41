// Work lists for the small sort: after the last distribution pass every bucket that still needs work stands in the queue
// of its size class.
#pragma once

// Buckets are sorted by blocks of 1, 2, 3, 4 or 8 times kSmallSortThreads threads, kSmallSortItems elements a thread, each
// size a class; the queue after the last class holds what is larger and goes to merge_sort. Most buckets fall between half
// the mean and twice the mean size, so the classes are finest there.
constexpr u32 kSizeClassCount = 5;
constexpr u32 kLargeQueue = kSizeClassCount;
constexpr u32 kQueueCount = kSizeClassCount + 1;
constexpr u32 kSizeClassUnit = kSmallSortThreads * kSmallSortItems;

__host__ __device__ constexpr u32 size_class_factor(u32 size_class) {
    return size_class < 4 ? size_class + 1 : 8;
}
static_assert(kSmallSortLimit == kSizeClassUnit * size_class_factor(kSizeClassCount - 1),
              "the largest size class is the small-sort limit");

// The host lays this struct out as eight-byte fields.
struct Queues {
    const u64* bucket_offsets;  // of the last pass: where the buckets belong
    const u64* bucket_begins;   // where they lie
    u64 capacity;               // entries a queue has room for
    u32* sizes;                 // [kQueueCount]
    u32* taken;                 // [kQueueCount]: how many entries blocks have taken beyond one each
    u32* entries;               // [kQueueCount * capacity]: bucket number, with kNoSort set where a copy is enough
    u64* largest_bucket;        // for the report: the size of the largest bucket that is no equality bucket
    u64 copy_needed;            // 1 where buckets do not lie where they belong
    const u32* overflows;       // [pass_count]; after an overflow there are no buckets
    u64 pass_count;
    u64 element_count;
};
static_assert(sizeof(Queues) == 11 * 8, "Kernels writes Queues as eleven eight-byte fields");

constexpr u32 kNoSort = 0x80000000u;

// Up to this size a block copies a bucket alone, as it sorts those of the largest class; larger ones are copied by all
// blocks together, one bucket after the other, in merge_sort.
constexpr u64 kLoneCopyLimit = 16 * kSmallSortLimit;

__device__ __forceinline__ u32 size_class(u64 size) {
    u32 size_class = 0;
    while (size_class < kSizeClassCount && size > kSizeClassUnit * size_class_factor(size_class)) {
        ++size_class;
    }
    return size_class;
}

// Puts one bucket a thread in its queue; threads without one pass size 0. `shared_sizes` and `shared_bases` are
// kQueueCount counters each. All threads of the block call this: the block takes room in each queue with one atomic.
__device__ void enqueue_bucket(
    const Queues& queues, u64 bucket, u64 size, bool equality, u32* shared_sizes, u32* shared_bases) {
    const bool no_sort = equality || size == 1;
    // Keys that were mapped have to be mapped back, even where they lie in their place.
    const bool queued = size != 0 && (!no_sort || queues.copy_needed || kKeysAreMapped);
    const u32 queue =
        no_sort && size <= kLoneCopyLimit ? min_of(size_class(size), kSizeClassCount - 1) : size_class(size);
    if (threadIdx.x < kQueueCount) {
        shared_sizes[threadIdx.x] = 0;
    }
    __syncthreads();
    const u32 rank = queued ? atomicAdd(&shared_sizes[queue], 1u) : 0;
    __syncthreads();
    if (threadIdx.x < kQueueCount && shared_sizes[threadIdx.x] != 0) {
        shared_bases[threadIdx.x] = atomicAdd(&queues.sizes[threadIdx.x], shared_sizes[threadIdx.x]);
    }
    __syncthreads();
    if (queued) {
        queues.entries[queue * queues.capacity + shared_bases[queue] + rank] = (u32)bucket | (no_sort ? kNoSort : 0);
    }
}
