// Counts how many elements of a large random sample of the input fall into each bucket of the first pass. The splitters
// come from a smaller sample, which has to be sorted. Counting takes less, and the better the sizes of the buckets are
// known, the less room they need.
#pragma once
#include "parts/sample.cuh"

__device__ void flush_counts(const u32* counts, const Pass& pass) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    for (u32 bucket = threadIdx.x; bucket < bucket_count; bucket += blockDim.x) {
        if (counts[bucket] != 0) {
            atomicAdd(&pass.write_positions[bucket], (u64)counts[bucket]);
        }
    }
}

// There are as many blocks at once as in the scatter. Keys that are made as they are loaded take more registers, so
// there is one.
constexpr int kCountBlocks = SORTS_INDEXES || (kKeysAreMapped && sizeof(OrderedKey) > sizeof(u32)) ? 1 : kDistributionBlocks;

// The shared memory of a block: the splitter tree, the counters, and which buckets are equality buckets.
__host__ __device__ constexpr u32 count_shared_bytes(u32 bucket_count) {
    return align_16(bucket_count * sizeof(OrderedKey))
        + (bucket_count + EqualityBuckets::word_count(bucket_count)) * sizeof(u32);
}

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
    constexpr u32 kTaken = kDistributionThreads * kCountedItems;
    for (u32 first = blockIdx.x * kTaken; first < sample_count; first += gridDim.x * kTaken) {
        Element elements[kCountedItems];
        u32 buckets[kCountedItems];
#pragma unroll
        for (int i = 0; i < kCountedItems; ++i) {
            // Past the end the last key stands in: it is looked up and not counted.
            const u32 index = min_of(first + threadIdx.x + i * kDistributionThreads, sample_count - 1);
            elements[i].key = in.key(strata.random_place(index, (u32)seed + index), false);
        }
        find_buckets(
            tree, (u32)pass.log_bucket_count, equality, kind == kDistributeWithEqualityBuckets, elements, buckets);
#pragma unroll
        for (int i = 0; i < kCountedItems; ++i) {
            if (first + threadIdx.x + i * kDistributionThreads < sample_count) {
                atomicAdd(&counts[buckets[i]], 1u);
            }
        }
    }
    __syncthreads();
    flush_counts(counts, pass);
}
