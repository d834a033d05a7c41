// Phase 1 of a distribution pass (paper, Section 4): one block a segment draws a random sample, sorts it and takes the
// splitters from it at equal distances.
#pragma once

__device__ __forceinline__ u64 random_bits(u64 seed) {
    // SplitMix64 (Steele, Lea, Flood 2014): a counter in, random bits out, so samples need no state.
    u64 z = seed * 0x9e3779b97f4a7c15ull + 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// A random place within stratum `index` of `sample_count` equal strata of `size` elements: as random as independent
// draws for any input, and better for presorted ones.
__device__ __forceinline__ u64 sample_position(u64 seed, u64 index, u64 sample_count, u64 size) {
    const u64 begin = index * size / sample_count;
    const u64 end = (index + 1) * size / sample_count;
    return begin + __umul64hi(random_bits(seed), end - begin);
}

extern "C" __global__ void __launch_bounds__(kSampleThreads) select_splitters(
    ElementArray in, Pass pass, u64 seed, u64 oversampling) {
    using Sort = BlockSort<kSampleThreads, kSampleItems, OrderedKey>;
    const u64 segment = blockIdx.x;
    const u64 begin = pass.segment_offsets[segment];
    const u64 size = pass.segment_offsets[segment + 1] - begin;
    if (pass.segment_equality[segment] || size <= kSmallSortLimit) {
        if (threadIdx.x == 0) {
            pass.segment_kinds[segment] = kCopy;
        }
        return;
    }

    const u32 bucket_count = 1u << pass.log_bucket_count;
    u64 limit = min_of<u64>(Sort::kCapacity, size);
    const u32 sample_count = (u32)min_of<u64>(oversampling * bucket_count, limit);
    const auto sample = Sort::sort((OrderedKey*)shared_memory, sample_count, [&](u32 base, u32 offset) {
        const u64 draw = (seed + segment) * Sort::kCapacity + base + offset;
        return in[begin + sample_position(draw, base + offset, sample_count, size)];
    });

    OrderedKey* tree = pass.splitter_trees + (segment << pass.log_bucket_count);
    // Not i * (sample_count / bucket_count): the remainder would all fall into the last bucket.
    const auto splitter = [&](u32 index) { return sample[(u32)((u64)(index + 1) * sample_count / bucket_count)]; };
    bool any_equal = false;
    for (u32 index = threadIdx.x; index + 1 < bucket_count; index += kSampleThreads) {
        tree[splitter_node(index, bucket_count)] = splitter(index);
        any_equal |= index + 2 < bucket_count && !less(splitter(index), splitter(index + 1));
    }
    any_equal = __syncthreads_or(any_equal);
    if (threadIdx.x == 0) {
        pass.segment_kinds[segment] = any_equal ? kDistributeWithEqualityBuckets : kDistribute;
    }
}
