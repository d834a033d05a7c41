// GPU sample sort as it was published (Leischner, Osipov and Sanders 2009), with its parameters: k = 2^kLogBucketCount
// buckets in a pass, tiles of kThreads x kItems elements, and kCounterArrays counter arrays in a block. One
// distribution has four steps: splitters, count, scan and scatter. Each of them is one kernel or a few. Two choices of
// the paper are parameters as well: kStoresBuckets and kReorders are 0 as published, and 1 for the alternative that the
// paper decided against.
#include "config.cuh"

#include "block_quicksort.cuh"
#include "elements.cuh"
#include "networks.cuh"
#include "scan.cuh"

constexpr u32 kTileSize = kThreads * kItems;
constexpr u32 kBucketCount = 1u << kLogBucketCount;

// The splitters of a segment come first as a search tree in heap order, with the root at 1, and then in sorted order.
constexpr u32 kSorted = kBucketCount;
constexpr u32 kSplitterSlots = 2 * kBucketCount;

// The type of the index of a bucket in memory, which is as small as possible.
template <bool kIsByte>
struct IndexOf {
    typedef unsigned char Type;
};
template <>
struct IndexOf<false> {
    typedef unsigned short Type;
};
typedef IndexOf<kBucketCount <= 256>::Type BucketIndex;

// What blocks have in shared memory. The host knows the sizes.
struct __align__(16) SampleShared {
    Element elements[kOversampling * kBucketCount];
    u32 has_equal;
};

struct __align__(16) Distribution {
    Key splitters[kSplitterSlots];
    u32 counters[kCounterArrays][kBucketCount];
    u32 has_equal;
};

struct __align__(16) ReorderingDistribution : Distribution {
    Element elements[kTileSize];
    u32 sums[kThreads];
    u32 moves[kBucketCount];  // place in the segment minus place in the tile, modulo 2^32
    BucketIndex buckets[kTileSize];
};

template <bool kIsReordering>
struct ScatterSharedOf {
    typedef Distribution Type;
};
template <>
struct ScatterSharedOf<true> {
    typedef ReorderingDistribution Type;
};
typedef ScatterSharedOf<kReorders != 0>::Type ScatterShared;

// Returns shared memory for one of these. With some parameters it takes more than 48 KiB, which only dynamic memory
// may.
template <typename T>
__device__ __forceinline__ T& block_shared() {
    if constexpr (sizeof(T) <= kMaxStaticBytes) {
        __shared__ T shared;
        return shared;
    } else {
        return *(T*)shared_memory;
    }
}

static_assert(sizeof(SampleShared) == kSampleBytes, "the host must know the size");
static_assert(sizeof(Distribution) == kDistributionBytes, "the host must know the size");
static_assert(sizeof(ScatterShared) == kScatterBytes, "the host must know the size");

// A bucket that is too large, and the seed of its sample.
struct Segment {
    u64 begin;
    u64 count;
    u64 seed;
};

// Step 1. Draws a random sample of kOversampling elements for each splitter. Each thread has a linear congruential
// generator, whose seed the host draws from a Mersenne Twister. Each segment has one block.
extern "C" __global__ void __launch_bounds__(kThreads)
    select_splitters(const Key* keys, const Segment* segments, Key* all_splitters, u32* has_equal) {
    const Segment segment = segments[blockIdx.x];
    Key* splitters = all_splitters + (u64)blockIdx.x * kSplitterSlots;
    SampleShared& shared = block_shared<SampleShared>();
    Element* sample = shared.elements;
    u64 state = segment.seed + threadIdx.x * 0x9e3779b97f4a7c15ull;
    for (u32 i = threadIdx.x; i < kOversampling * kBucketCount; i += kThreads) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        sample[i].key = keys[segment.begin + __umul64hi(state, segment.count)];
#if HAS_PAYLOAD
        sample[i].payload = 0;
#endif
    }
    if (threadIdx.x == 0) {
        shared.has_equal = 0;
    }
    __syncthreads();
    odd_even_merge_sort(SharedElements{sample}, kOversampling * kBucketCount);
    for (u32 i = threadIdx.x; i < kBucketCount - 1; i += kThreads) {
        const Key splitter = sample[(i + 1) * kOversampling].key;
        splitters[kSorted + i] = splitter;
        // The more often 2 divides the number i + 1 of a splitter, the higher it stands in the tree.
        splitters[(kBucketCount + i + 1) >> __ffs((int)(i + 1))] = splitter;
        if (i > 0 && !less(sample[i * kOversampling].key, splitter)) {
            atomicOr(&shared.has_equal, 1u);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        has_equal[blockIdx.x] = shared.has_equal;
    }
}

// Returns whether all elements of a bucket are equal, because the splitters on both its sides are equal.
__device__ __forceinline__ bool is_constant(const Key* splitters, u32 bucket) {
    return bucket > 0 && bucket < kBucketCount - 1
        && !less(splitters[kSorted + bucket - 1], splitters[kSorted + bucket]);
}

// Finds the bucket of a key with one comparison for each level and no branch. If the splitter above the bucket occurs
// twice, elements equal to it go to the next bucket. It would be empty otherwise, and needs no sorting.
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

// Puts the splitters into shared memory; the next barrier makes them visible.
__device__ __forceinline__ void load_splitters(Distribution& shared, const Key* splitters, const u32* has_equal) {
    for (u32 i = threadIdx.x; i < kBucketCount - 1; i += kThreads) {
        shared.splitters[1 + i] = splitters[1 + i];
        shared.splitters[kSorted + i] = splitters[kSorted + i];
    }
    if (threadIdx.x == 0) {
        shared.has_equal = *has_equal;
    }
}

// Counts the elements of the tile by bucket. Neighbouring threads use different counter arrays, so that fewer of them
// meet. `buckets` becomes the bucket of each element, which bucket_of(index) finds, and `ranks` its place among the
// elements of the same bucket in the same array.
template <typename BucketOf>
__device__ __forceinline__ void count_tile(
    Distribution& shared, u64 count, u32 (&buckets)[kItems], u32 (&ranks)[kItems], const BucketOf& bucket_of) {
    for (u32 i = threadIdx.x; i < kCounterArrays * kBucketCount; i += kThreads) {
        shared.counters[i / kBucketCount][i % kBucketCount] = 0;
    }
    __syncthreads();
    const u64 first = (u64)blockIdx.x * kTileSize + threadIdx.x;
#pragma unroll
    for (u32 i = 0; i < kItems; ++i) {
        if (first + i * kThreads < count) {
            buckets[i] = bucket_of(first + i * kThreads);
            ranks[i] = atomicAdd(&shared.counters[threadIdx.x % kCounterArrays][buckets[i]], 1u);
        }
    }
    __syncthreads();
}

// Returns how many elements of the tile are in a bucket.
__device__ __forceinline__ u32 count_in_all_arrays(const Distribution& shared, u32 bucket) {
    u32 total = 0;
    for (u32 array = 0; array < kCounterArrays; ++array) {
        total += shared.counters[array][bucket];
    }
    return total;
}

// Turns the counts of a bucket into the places where the elements of each array begin. The first ones begin at `place`.
__device__ __forceinline__ void begin_arrays(Distribution& shared, u32 bucket, u32 place) {
    for (u32 array = 0; array < kCounterArrays; ++array) {
        const u32 size = shared.counters[array][bucket];
        shared.counters[array][bucket] = place;
        place += size;
    }
}

// Step 2. Makes the histogram of each tile, a column of the table, whose entries are at bucket * tiles + tile.
extern "C" __global__ void __launch_bounds__(kThreads) count_buckets(
    const Key* keys, u64 begin, u64 count, const Key* splitters, const u32* has_equal, BucketIndex* stored,
    u32* table) {
    Distribution& shared = block_shared<Distribution>();
    u32 buckets[kItems];
    u32 ranks[kItems];
    load_splitters(shared, splitters, has_equal);
    count_tile(shared, count, buckets, ranks, [&](u64 index) {
        const u32 bucket = find_bucket(shared, keys[begin + index]);
        if constexpr (kStoresBuckets != 0) {
            stored[index] = (BucketIndex)bucket;
        }
        return bucket;
    });
    for (u32 bucket = threadIdx.x; bucket < kBucketCount; bucket += kThreads) {
        table[(u64)bucket * gridDim.x + blockIdx.x] = count_in_all_arrays(shared, bucket);
    }
}

// The places in the segment of the elements that a tile has of each bucket.
struct Places {
    const u32* table;
    const Key* splitters;
    u64* bucket_begins;

    // The first block also tells the host where the bucket begins. The highest bit says that the bucket is constant.
    __device__ __forceinline__ u32 of(u32 bucket) const {
        const u32 place = table[(u64)bucket * gridDim.x + blockIdx.x];
        if (blockIdx.x == 0) {
            bucket_begins[bucket] = place | (is_constant(splitters, bucket) ? 1ull << 63 : 0);
        }
        return place;
    }
};

// The published scatter writes elements straight to their places.
__device__ __forceinline__ void move_tile(
    Distribution& shared, const ElementArray& from, const ElementArray& to, u64 begin, u64 count, const Places& places,
    const u32 (&buckets)[kItems], const u32 (&ranks)[kItems]) {
    for (u32 bucket = threadIdx.x; bucket < kBucketCount; bucket += kThreads) {
        begin_arrays(shared, bucket, places.of(bucket));
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

// The other scatter first puts the tile in the order of its buckets in shared memory, so that neighbouring threads
// write to neighbouring places.
__device__ __forceinline__ void move_tile(
    ReorderingDistribution& shared, const ElementArray& from, const ElementArray& to, u64 begin, u64 count,
    const Places& places, const u32 (&buckets)[kItems], const u32 (&ranks)[kItems]) {
    // Each thread handles a few neighbouring buckets.
    constexpr u32 kShare = (kBucketCount + kThreads - 1) / kThreads;
    const u32 first_bucket = min_of(threadIdx.x * kShare, kBucketCount);
    const u32 end_bucket = min_of(first_bucket + kShare, kBucketCount);
    u32 mine = 0;
    for (u32 bucket = first_bucket; bucket < end_bucket; ++bucket) {
        mine += count_in_all_arrays(shared, bucket);
    }
    u32 total;
    u32 start = block_exclusive_scan(mine, shared.sums, total);
    for (u32 bucket = first_bucket; bucket < end_bucket; ++bucket) {
        const u32 size = count_in_all_arrays(shared, bucket);
        begin_arrays(shared, bucket, start);
        shared.moves[bucket] = places.of(bucket) - start;
        start += size;
    }
    __syncthreads();
    const u64 first = (u64)blockIdx.x * kTileSize + threadIdx.x;
#pragma unroll
    for (u32 i = 0; i < kItems; ++i) {
        if (first + i * kThreads < count) {
            const u32 place = shared.counters[threadIdx.x % kCounterArrays][buckets[i]] + ranks[i];
            shared.elements[place] = from.load(begin + first + i * kThreads);
            shared.buckets[place] = (BucketIndex)buckets[i];
        }
    }
    __syncthreads();
#pragma unroll
    for (u32 i = 0; i < kItems; ++i) {
        const u32 place = threadIdx.x + i * kThreads;
        if (place < total) {
            to.store(begin + (u32)(place + shared.moves[shared.buckets[place]]), shared.elements[place]);
        }
    }
}

// Step 4. Scatters the elements. It finds the buckets again unless they are stored. Step 3 is scan.cuh.
extern "C" __global__ void __launch_bounds__(kThreads) scatter(
    Key* from_keys, Payload* from_payloads, Key* to_keys, Payload* to_payloads, u64 begin, u64 count,
    const Key* splitters, const u32* has_equal, const BucketIndex* stored, const u32* table, u64* bucket_begins) {
    ScatterShared& shared = block_shared<ScatterShared>();
    const ElementArray from = {from_keys, from_payloads};
    const ElementArray to = {to_keys, to_payloads};
    u32 buckets[kItems];
    u32 ranks[kItems];
    if constexpr (kStoresBuckets != 0) {
        count_tile(shared, count, buckets, ranks, [&](u64 index) { return (u32)stored[index]; });
    } else {
        load_splitters(shared, splitters, has_equal);
        count_tile(
            shared, count, buckets, ranks, [&](u64 index) { return find_bucket(shared, from_keys[begin + index]); });
    }
    move_tile(shared, from, to, begin, count, {table, splitters, bucket_begins}, buckets, ranks);
}

struct OddEvenMergeSort {
    __device__ void operator()(const SharedElements& elements, u64 count) const {
        odd_even_merge_sort(elements, count);
    }
};

// Each bucket is sorted by one block, the largest one first.
extern "C" __global__ void __launch_bounds__(kThreads) sort_buckets(
    Key* result_keys, Payload* result_payloads, Key* auxiliary_keys, Payload* auxiliary_payloads, const Task* tasks) {
    __shared__ QuicksortShared<kThreads> shared;
    block_quicksort(
        ElementArray{result_keys, result_payloads}, ElementArray{auxiliary_keys, auxiliary_payloads}, tasks[blockIdx.x],
        shared, OddEvenMergeSort());
}
