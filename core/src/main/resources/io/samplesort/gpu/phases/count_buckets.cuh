// Phase 2 of a distribution pass (paper, Section 4), in the exact layout: counts how many elements fall into each
// bucket. A block has one array of counters in shared memory. Its tiles are consecutive, so the counters go to global
// memory once for each segment and not once for each tile.
#pragma once

__device__ void flush_counts(u32* counts, const Pass& pass, u64 segment) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    u64* global_counts = pass.write_positions + (segment << pass.log_bucket_count);
    for (u32 bucket = threadIdx.x; bucket < bucket_count; bucket += blockDim.x) {
        if (counts[bucket] != 0) {
            atomicAdd(&global_counts[bucket], (u64)counts[bucket]);
        }
        counts[bucket] = 0;
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
    count_buckets(ElementArray in, Pass pass) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    OrderedKey* tree = (OrderedKey*)shared_memory;
    u32* counts = (u32*)(shared_memory + align_16(bucket_count * sizeof(OrderedKey)));
    const EqualityBuckets equality{counts + bucket_count};
    for (u32 bucket = threadIdx.x; bucket < bucket_count; bucket += blockDim.x) {
        counts[bucket] = 0;
    }
    allow_next_kernel();

    TileSlots slots(pass, blockIdx.x, gridDim.x);
    Tile tile;
    u32 segment = ~0u;
    u8 kind = kCopy;
    while (slots.next(tile)) {
        if (tile.segment != segment) {
            __syncthreads();
            if (kind != kCopy) {
                flush_counts(counts, pass, segment);
            }
            segment = tile.segment;
            kind = pass.segment_kinds[segment];
            if (kind != kCopy) {
                load_tree(tree, equality, pass, segment, kind);
            }
            __syncthreads();
        }
        if (kind == kCopy) {
            continue;
        }
        Element elements[kDistributionItems];
        u32 buckets[kDistributionItems];
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            // Past the end the last element stands in: it is looked up and not counted.
            const u32 index = min_of(threadIdx.x + i * kDistributionThreads, tile.count - 1);
            elements[i].key = in.key(tile.begin + index, pass.index != 0);
        }
        find_buckets(
            tree, (u32)pass.log_bucket_count, equality, kind == kDistributeWithEqualityBuckets, elements, buckets);
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            if (threadIdx.x + i * kDistributionThreads < tile.count) {
                atomicAdd(&counts[buckets[i]], 1u);
            }
        }
    }
    __syncthreads();
    if (kind != kCopy) {
        flush_counts(counts, pass, segment);
    }
}
