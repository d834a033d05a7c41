// Finds the bucket that takes a large part of the keys of a segment. Lanes that count in one bucket wait for each
// other, so for a frequent bucket one lane counts for all.
#pragma once
#include "parts/splitter_tree.cuh"

constexpr u32 kNoBucket = ~0u;

// A bucket is surely frequent if the sample gives it two of this many parts of a segment. Smaller buckets may be found
// frequent, too.
constexpr u32 kFrequentParts = 16;

// Returns the first equality bucket of a segment that is frequent, or kNoBucket. Its splitters are equal, so two of
// them are at multiples of a part. All lanes of a warp call this.
__device__ __forceinline__ u32 find_frequent_bucket(const OrderedKey* tree, u32 bucket_count) {
    const u32 part = bucket_count / kFrequentParts;
    if (part == 0) {
        return kNoBucket;
    }
    const auto splitter = [&](u32 index) { return tree[splitter_node(index, bucket_count)]; };
    const u32 own = min_of(threadIdx.x % kWarpSize, kFrequentParts - 2) * part;
    const u32 lanes = __ballot_sync(kAllLanes, !less(splitter(own), splitter(own + part)));
    if (lanes == 0) {
        return kNoBucket;
    }
    u32 high = ((u32)__ffs((int)lanes) - 1) * part;
    const OrderedKey key = splitter(high);
    u32 low = high < part ? 0 : high - part;
    while (low < high) {
        const u32 middle = (low + high) / 2;
        if (less(splitter(middle), key)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low + 1;
}
