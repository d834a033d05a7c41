// Counts how many keys of a large random sample fall into each bucket of a segment. The splitters come from a smaller
// sample, which has to be sorted. Counting takes less time, and the better the sizes of the buckets are known, the less
// room they need.
#pragma once
#include "parts/sample.cuh"
#include "parts/splitter_tree.cuh"

// The shared memory of a block: the splitter tree, the counters, and the marks of equality buckets.
struct CountShared {
    OrderedKey* tree;
    u32* counts;
    EqualityBuckets equality;

    __device__ CountShared(unsigned char* memory, u32 bucket_count) {
        tree = (OrderedKey*)memory;
        counts = (u32*)(memory + align_16(bucket_count * sizeof(OrderedKey)));
        equality.words = counts + bucket_count;
    }

    __host__ __device__ static constexpr u32 bytes(u32 bucket_count) {
        return align_16(bucket_count * sizeof(OrderedKey))
            + (bucket_count + EqualityBuckets::word_count(bucket_count)) * sizeof(u32);
    }

    // Clears the counters. The block sees this after its next barrier.
    __device__ __forceinline__ void clear(u32 bucket_count) const {
        for (u32 bucket = threadIdx.x; bucket < bucket_count; bucket += kDistributionThreads) {
            counts[bucket] = 0;
        }
    }

    // Counts one key from each of some strata of a segment. Block `block` of `block_count` takes its share of them.
    // key_at(place) is the key at a place of the segment, and `seed` begins the random numbers. The tree must be
    // loaded; the block sees the counts after its next barrier.
    template <typename KeyAt>
    __device__ __forceinline__ void count(
        const KeyAt& key_at, const Strata& strata, u32 sample_count, u32 seed, u32 log_bucket_count, u8 kind, u32 block,
        u32 block_count) const {
        constexpr u32 kTaken = kDistributionThreads * kCountedItems;
        for (u32 first = block * kTaken; first < sample_count; first += block_count * kTaken) {
            Element elements[kCountedItems];
            u32 buckets[kCountedItems];
#pragma unroll
            for (int i = 0; i < kCountedItems; ++i) {
                // Past the end, the last key is used: it is looked up and not counted.
                const u32 index = min_of(first + threadIdx.x + i * kDistributionThreads, sample_count - 1);
                elements[i].key = key_at(strata.random_place(index, seed + index));
            }
            find_buckets(tree, log_bucket_count, equality, kind == kDistributeWithEqualityBuckets, elements, buckets);
#pragma unroll
            for (int i = 0; i < kCountedItems; ++i) {
                if (first + threadIdx.x + i * kDistributionThreads < sample_count) {
                    atomicAdd(&counts[buckets[i]], 1u);
                }
            }
        }
    }
};
