// The implicit search tree over the splitters of a segment (paper, Section 4): heap order, children of j at 2j and
// 2j + 1, one comparison a level and no branch. Bucket b takes the keys in (splitter b - 1, splitter b].
//
// Equal keys: where splitters b and b + 1 are equal, the interval of bucket b + 1 is empty. It takes the keys equal to
// splitter b instead and becomes an equality bucket, which needs no sorting. So equality buckets cost one comparison
// more, and only in segments whose sample had a frequent key.
#pragma once

// The place of splitter `index` (0-based, in sorted order) in a tree over `bucket_count` buckets.
__device__ __forceinline__ u32 splitter_node(u32 index, u32 bucket_count) {
    return (bucket_count + index + 1) >> __ffs((int)(index + 1));
}

__device__ __forceinline__ bool is_equality_bucket(const OrderedKey* tree, u32 bucket, u32 bucket_count) {
    return bucket > 0 && bucket + 1 < bucket_count
        && !less(tree[splitter_node(bucket - 1, bucket_count)], tree[splitter_node(bucket, bucket_count)]);
}

// One instruction; the compiler would make both sums and choose.
__device__ __forceinline__ void add_if(bool condition, u32& sum, u32 value) {
#ifdef __CUDA_ARCH__
    asm("{\n\t"
        ".reg .pred p;\n\t"
        "setp.ne.u32 p, %1, 0;\n\t"
        "@p add.u32 %0, %0, %2;\n\t"
        "}"
        : "+r"(sum)
        : "r"((u32)condition), "r"(value));
#else
    sum += condition ? value : 0;
#endif
}

// Walks the tree for all items of a thread at once: the walks are independent, so their latencies overlap.
template <int kItems>
__device__ __forceinline__ void find_buckets(
    const OrderedKey* tree, u32 log_bucket_count, bool with_equality_buckets, const Element (&elements)[kItems],
    u32 (&buckets)[kItems]) {
    const u32 bucket_count = 1u << log_bucket_count;
    // Nodes by their address in shared memory, in 32 bits: fewer instructions a level than by their index. The right child
    // of what lies at base + offset is at twice the offset and a node more, so the child of what lies half a node behind. Of
    // larger keys by the offset alone: by address scatters of them took up to a quarter longer.
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
    for (u32 level = 0; level < log_bucket_count; ++level) {
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
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            const u32 bucket = buckets[i];
            if (bucket + 2 < bucket_count && !less(elements[i].key, tree[splitter_node(bucket, bucket_count)])
                && is_equality_bucket(tree, bucket + 1, bucket_count)) {
                buckets[i] = bucket + 1;
            }
        }
    }
}

__device__ __forceinline__ void load_tree(OrderedKey* shared_tree, const Pass& pass, u64 segment) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    const OrderedKey* tree = pass.splitter_trees + (segment << pass.log_bucket_count);
    for (u32 node = 1 + threadIdx.x; node < bucket_count; node += blockDim.x) {
        shared_tree[node] = tree[node];
    }
}
