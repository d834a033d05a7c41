// The implicit search tree over the splitters of a segment (paper, Section 4). It is in heap order: the children of
// node j are 2j and 2j + 1, and each level takes one comparison and no branch. Bucket b takes the keys in (splitter b -
// 1, splitter b].
//
// If splitters b and b + 1 are equal, the interval of bucket b + 1 is empty. That bucket takes the keys equal to
// splitter b instead and becomes an equality bucket, which needs no sorting. So equality buckets cost one more
// comparison, and only in segments whose sample had a frequent key.
#pragma once
#include "parts/segments.cuh"
#include "parts/splitter_questions.cuh"

// Returns the place of splitter `index` (from 0, in sorted order) in a tree over `bucket_count` buckets.
__device__ __forceinline__ u32 splitter_node(u32 index, u32 bucket_count) {
    return (bucket_count + index + 1) >> __ffs((int)(index + 1));
}

__device__ __forceinline__ bool is_equality_bucket(const OrderedKey* tree, u32 bucket, u32 bucket_count) {
    return bucket > 0 && bucket + 1 < bucket_count
        && !less(tree[splitter_node(bucket - 1, bucket_count)], tree[splitter_node(bucket, bucket_count)]);
}

// Which buckets of a segment are equality buckets, with one bit for each in shared memory: reading that from the tree
// would take two of its nodes.
struct EqualityBuckets {
    u32* words;

    // The words for `bucket_count` buckets, and for the one after them, which find_buckets() reads.
    __host__ __device__ static constexpr u32 word_count(u32 bucket_count) { return bucket_count / kWarpSize + 1; }

    // The block sees this after its next barrier.
    __device__ __forceinline__ void load(const OrderedKey* tree, u32 bucket_count) const {
        const u32 lane = threadIdx.x % kWarpSize;
        for (u32 first = threadIdx.x - lane; first <= bucket_count; first += kDistributionThreads) {
            const u32 bits = __ballot_sync(kAllLanes, is_equality_bucket(tree, first + lane, bucket_count));
            if (lane == 0) {
                words[first / kWarpSize] = bits;
            }
        }
    }

    __device__ __forceinline__ bool contain(u32 bucket) const {
        return (words[bucket / kWarpSize] >> bucket % kWarpSize & 1) != 0;
    }
};

// The levels of the tree that are walked in registers. A comparison with one of the few splitters that all items share
// takes no load, and loads from shared memory bound the scatter. Choosing among the eight splitters of a fourth level
// takes more instructions than loading one. Scatters of pairs took as long with this, or 1 % longer; keys above 8 bytes
// were not tried.
constexpr bool kIsKeyAlone = sizeof(Element) == sizeof(OrderedKey) && !SORTS_INDEXES;
constexpr u32 kTopLevels = kIsKeyAlone && sizeof(OrderedKey) <= sizeof(u64) && kMaxBucketCount >= 8 ? 3 : 0;

// Walks the tree for all items of a thread at once: the walks are independent, so their latencies overlap.
template <int kItems>
__device__ __forceinline__ void find_buckets(
    const OrderedKey* tree, u32 log_bucket_count, const EqualityBuckets& equality, bool with_equality_buckets,
    const Element (&elements)[kItems], u32 (&buckets)[kItems]) {
    const u32 bucket_count = 1u << log_bucket_count;
    // Nodes are found by their address in shared memory, in 32 bits, which takes fewer instructions for each level than
    // by their index. The right child of the node at base + offset is at twice the offset and one node more, so it is
    // the left child of the place half a node further. Larger keys use only the offset: by address, scatters of them
    // took up to a quarter longer.
    constexpr u32 kNode = sizeof(OrderedKey);
    constexpr bool kByAddress = kNode <= sizeof(u64);
    const u32 base = kByAddress ? shared_address(tree) : 0;
    const auto node = [&](u32 place) -> const OrderedKey& {
        if constexpr (kByAddress) {
            return at_shared_address<OrderedKey>(place);
        } else {
            return *(const OrderedKey*)((const unsigned char*)tree + place);
        }
    };
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
        buckets[i] = base + kNode;
    }
    u32 level = 0;
    if constexpr (kTopLevels == 3) {
        if (log_bucket_count >= kTopLevels) {
            OrderedKey top[8];
#pragma unroll
            for (u32 j = 1; j < 8; ++j) {
                top[j] = node(base + j * kNode);
            }
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                const OrderedKey& key = elements[i].key;
                const bool is_right = less(top[1], key);
                const bool is_right_again = less(is_right ? top[3] : top[2], key);
                const OrderedKey left = is_right_again ? top[5] : top[4];
                const OrderedKey right = is_right_again ? top[7] : top[6];
                buckets[i] = base + (is_right ? 12 * kNode : 8 * kNode);
                add_if(is_right_again, buckets[i], 2 * kNode);
                add_if(less(is_right ? right : left, key), buckets[i], kNode);
            }
            level = kTopLevels;
        }
    }
    for (; level < log_bucket_count; ++level) {
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            const bool is_right = less(node(buckets[i]), elements[i].key);
            if constexpr (kNode % 2 == 0) {
                add_if(is_right, buckets[i], kNode / 2);
                buckets[i] = 2 * buckets[i] - base;
            } else {
                buckets[i] = 2 * buckets[i] - base + (is_right ? kNode : 0);
            }
        }
    }
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
        buckets[i] = (buckets[i] - base) / kNode - bucket_count;
    }
    if (with_equality_buckets) {
        // A key equal to the splitter after its bucket goes to the equality bucket of that splitter.
        const auto find = [&](int i) {
            return SplitterQuestion{
                equality.contain(buckets[i] + 1), splitter_node(buckets[i], bucket_count), buckets[i]};
        };
        const auto is_equal = [&](int i, const OrderedKey& splitter) { return !less(elements[i].key, splitter); };
        ask_splitters(tree, 1, find, is_equal, buckets);
    }
}

// Loads the data for finding the buckets of a segment that is divided. The block sees it after its next barrier.
__device__ __forceinline__ void load_tree(
    OrderedKey* shared_tree, const EqualityBuckets& equality, const Pass& pass, u64 segment, u8 kind) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    const OrderedKey* tree = pass.splitter_trees + (segment << pass.log_bucket_count);
    for (u32 node = 1 + threadIdx.x; node < bucket_count; node += blockDim.x) {
        shared_tree[node] = tree[node];
    }
    if (kind == kDistributeWithEqualityBuckets) {
        equality.load(tree, bucket_count);
    }
}
