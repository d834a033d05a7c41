// GPU sample sort as it was published (Leischner, Osipov and Sanders 2009), with its parameters: k = 2^kLogBucketCount
// buckets a pass, tiles of kThreads x kItems elements, kCounterArrays counter arrays a block. One distribution is four
// steps, each a kernel or a few: splitters, count, scan, scatter.
#include "config.cuh"

#include "elements.cuh"
#include "networks.cuh"
#include "block_quicksort.cuh"
#include "scan.cuh"

constexpr u32 kTileSize = kThreads * kItems;
constexpr u32 kBucketCount = 1u << kLogBucketCount;

// The splitters of a segment: first the search tree in heap order, its root at 1, then the same in sorted order.
constexpr u32 kSorted = kBucketCount;
constexpr u32 kSplitterSlots = 2 * kBucketCount;

// A bucket that is too large, and the seed of its sample.
struct Segment {
    u64 begin;
    u64 count;
    u64 seed;
};

// Step 1. A random sample of kOversampling elements for each splitter, by a linear congruential generator for each
// thread; the host draws the seeds from a Mersenne Twister. One block a segment.
extern "C" __global__ void __launch_bounds__(kThreads) select_splitters(
    const Key* keys, const Segment* segments, Key* all_splitters, u32* has_equal) {
    const Segment segment = segments[blockIdx.x];
    Key* splitters = all_splitters + (u64)blockIdx.x * kSplitterSlots;
    __shared__ Element sample[kOversampling * kBucketCount];
    __shared__ u32 equal;
    u64 state = segment.seed + threadIdx.x * 0x9e3779b97f4a7c15ull;
    for (u32 i = threadIdx.x; i < kOversampling * kBucketCount; i += kThreads) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        sample[i].key = keys[segment.begin + __umul64hi(state, segment.count)];
#if HAS_PAYLOAD
        sample[i].payload = 0;
#endif
    }
    if (threadIdx.x == 0) {
        equal = 0;
    }
    __syncthreads();
    odd_even_merge_sort(SharedElements{sample}, kOversampling * kBucketCount);
    for (u32 i = threadIdx.x; i < kBucketCount - 1; i += kThreads) {
        const Key splitter = sample[(i + 1) * kOversampling].key;
        splitters[kSorted + i] = splitter;
        // Splitter number i + 1: the more often 2 divides it, the higher in the tree.
        splitters[(kBucketCount + i + 1) >> __ffs((int)(i + 1))] = splitter;
        if (i > 0 && !less(sample[i * kOversampling].key, splitter)) {
            atomicOr(&equal, 1u);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        has_equal[blockIdx.x] = equal;
    }
}

struct Distribution {
    Key splitters[kSplitterSlots];
    u32 counters[kCounterArrays][kBucketCount];
    u32 has_equal;
};

// Whether all elements of a bucket are equal: those that are equal to the splitters on both its sides.
__device__ __forceinline__ bool is_constant(const Key* splitters, u32 bucket) {
    return bucket > 0 && bucket < kBucketCount - 1
        && !less(splitters[kSorted + bucket - 1], splitters[kSorted + bucket]);
}

// One comparison a level and no branch. Where the splitter above the bucket is there twice, the elements equal to it go
// to the next bucket, which would be empty otherwise and needs no sorting.
__device__ __forceinline__ u32 find_bucket(const Distribution& shared, Key key) {
    u32 node = 1;
#pragma unroll
    for (u32 level = 0; level < kLogBucketCount; ++level) {
        node = 2 * node + (less(shared.splitters[node], key) ? 1 : 0);
    }
    u32 bucket = node - kBucketCount;
    if (shared.has_equal != 0 && is_constant(shared.splitters, bucket + 1)
        && !less(key, shared.splitters[kSorted + bucket])) {
        ++bucket;
    }
    return bucket;
}

// Loads the splitters and counts the tile's elements by bucket, in one of the counter arrays each: neighbouring threads
// take different arrays, so that fewer of them meet. `buckets` and `ranks` become each element's bucket and its place
// among those of the same array.
__device__ void count_tile(
    Distribution& shared,
    const Key* splitters,
    const u32* has_equal,
    const Key* keys,
    u64 end,
    u32 (&buckets)[kItems],
    u32 (&ranks)[kItems]) {
    for (u32 i = threadIdx.x; i < kBucketCount - 1; i += kThreads) {
        shared.splitters[1 + i] = splitters[1 + i];
        shared.splitters[kSorted + i] = splitters[kSorted + i];
    }
    for (u32 i = threadIdx.x; i < kCounterArrays * kBucketCount; i += kThreads) {
        shared.counters[i / kBucketCount][i % kBucketCount] = 0;
    }
    if (threadIdx.x == 0) {
        shared.has_equal = *has_equal;
    }
    __syncthreads();
    const u64 first = (u64)blockIdx.x * kTileSize + threadIdx.x;
#pragma unroll
    for (u32 i = 0; i < kItems; ++i) {
        if (first + i * kThreads < end) {
            buckets[i] = find_bucket(shared, keys[first + i * kThreads]);
            ranks[i] = atomicAdd(&shared.counters[threadIdx.x % kCounterArrays][buckets[i]], 1u);
        }
    }
    __syncthreads();
}

// Step 2. The histogram of each tile, a column of the table: entry bucket * tiles + tile.
extern "C" __global__ void __launch_bounds__(kThreads) count_buckets(
    const Key* keys, u64 begin, u64 count, const Key* splitters, const u32* has_equal, u32* table) {
    __shared__ Distribution shared;
    u32 buckets[kItems];
    u32 ranks[kItems];
    count_tile(shared, splitters, has_equal, keys + begin, count, buckets, ranks);
    for (u32 bucket = threadIdx.x; bucket < kBucketCount; bucket += kThreads) {
        u32 total = 0;
        for (u32 array = 0; array < kCounterArrays; ++array) {
            total += shared.counters[array][bucket];
        }
        table[(u64)bucket * gridDim.x + blockIdx.x] = total;
    }
}

// Step 4. The buckets are found again rather than stored, and elements go straight to their places. The first block also
// tells the host where each bucket begins, with the highest bit where it is constant.
extern "C" __global__ void __launch_bounds__(kThreads) scatter(
    Key* from_keys,
    Payload* from_payloads,
    Key* to_keys,
    Payload* to_payloads,
    u64 begin,
    u64 count,
    const Key* splitters,
    const u32* has_equal,
    const u32* table,
    u64* bucket_begins) {
    __shared__ Distribution shared;
    const ElementArray from = {from_keys, from_payloads};
    const ElementArray to = {to_keys, to_payloads};
    u32 buckets[kItems];
    u32 ranks[kItems];
    count_tile(shared, splitters, has_equal, from_keys + begin, count, buckets, ranks);
    for (u32 bucket = threadIdx.x; bucket < kBucketCount; bucket += kThreads) {
        u32 place = table[(u64)bucket * gridDim.x + blockIdx.x];
        if (blockIdx.x == 0) {
            bucket_begins[bucket] = place | (is_constant(shared.splitters, bucket) ? 1ull << 63 : 0);
        }
        for (u32 array = 0; array < kCounterArrays; ++array) {
            const u32 size = shared.counters[array][bucket];
            shared.counters[array][bucket] = place;
            place += size;
        }
    }
    __syncthreads();
    const u64 first = (u64)blockIdx.x * kTileSize + threadIdx.x;
#pragma unroll
    for (u32 i = 0; i < kItems; ++i) {
        if (first + i * kThreads < count) {
            const u64 place = shared.counters[threadIdx.x % kCounterArrays][buckets[i]] + ranks[i];
            to.store(begin + place, from.load(begin + first + i * kThreads));
        }
    }
}

struct OddEvenMergeSort {
    __device__ void operator()(const SharedElements& elements, u64 count) const {
        odd_even_merge_sort(elements, count);
    }
};

// One block a bucket, the largest bucket first.
extern "C" __global__ void __launch_bounds__(kThreads) sort_buckets(
    Key* result_keys, Payload* result_payloads, Key* auxiliary_keys, Payload* auxiliary_payloads, const Task* tasks) {
    __shared__ QuicksortShared<kThreads> shared;
    block_quicksort(
        ElementArray{result_keys, result_payloads}, ElementArray{auxiliary_keys, auxiliary_payloads},
        tasks[blockIdx.x], shared, OddEvenMergeSort());
}
