// Counts how many elements of a large random sample of the input fall into each bucket of the first pass. The splitters
// come from a smaller sample, which has to be sorted. Counting takes less, and the better the sizes of the buckets are
// known, the less room they need.
#pragma once
#include "parts/sample.cuh"

extern "C" __global__ void __launch_bounds__(kDistributionThreads, kCountBlocks)
    count_sample(ElementArray in, Pass pass, u64 seed, u64 sample_size) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    OrderedKey* tree = (OrderedKey*)shared_memory;
    u32* counts = (u32*)(shared_memory + align_16(bucket_count * sizeof(OrderedKey)));
    const EqualityBuckets equality{counts + bucket_count};
    for (u32 bucket = threadIdx.x; bucket < bucket_count; bucket += blockDim.x) {
        counts[bucket] = 0;
    }
    const u8 kind = pass.segment_kinds[0];
    if (kind >= kCopy) {
        return;
    }
    load_tree(tree, equality, pass, 0, kind);
    __syncthreads();
    const u32 sample_count = (u32)sample_size;
    const Strata strata(pass.element_count, sample_count);
    for (u32 first = blockIdx.x * kTileSize; first < sample_count; first += gridDim.x * kTileSize) {
        Element elements[kDistributionItems];
        u32 buckets[kDistributionItems];
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            // Past the end the last key stands in: it is looked up and not counted.
            const u32 index = min_of(first + threadIdx.x + i * kDistributionThreads, sample_count - 1);
            elements[i].key = in.key(strata.random_place(index, (u32)seed + index), false);
        }
        find_buckets(
            tree, (u32)pass.log_bucket_count, equality, kind == kDistributeWithEqualityBuckets, elements, buckets);
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            if (first + threadIdx.x + i * kDistributionThreads < sample_count) {
                atomicAdd(&counts[buckets[i]], 1u);
            }
        }
    }
    __syncthreads();
    flush_counts(counts, pass, 0);
}
