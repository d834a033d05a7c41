// Counts how many elements of a large random sample of the input fall into each bucket of the first pass.
#pragma once
#include "parts/counted_keys.cuh"
#include "parts/primitives.cuh"

__device__ void flush_counts(const u32* counts, const Pass& pass) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    for (u32 bucket = threadIdx.x; bucket < bucket_count; bucket += blockDim.x) {
        if (counts[bucket] != 0) {
            atomicAdd(&pass.write_positions[bucket], (u64)counts[bucket]);
        }
    }
}

// As many blocks run at once as in the scatter. Keys that are made while they are loaded take more registers, so with
// them there is one block.
constexpr int kCountBlocks =
    SORTS_INDEXES || (kKeysAreMapped && sizeof(OrderedKey) > sizeof(u32)) ? 1 : kDistributionBlocks;

extern "C" __global__ void __launch_bounds__(kDistributionThreads, kCountBlocks)
    count_sample(ElementArray in, Pass pass, u64 seed, u64 sample_size) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    const CountShared shared(shared_memory, bucket_count);
    shared.clear(bucket_count);
    const u8 kind = pass.segment_kinds[0];
    if (kind >= kCopy) {
        return;
    }
    load_tree(shared.tree, shared.equality, pass, 0, kind);
    __syncthreads();
    const u32 sample_count = (u32)sample_size;
    shared.count(
        [&](u64 place) { return in.key(place, false); }, Strata(pass.element_count, sample_count), sample_count,
        (u32)seed, (u32)pass.log_bucket_count, kind, blockIdx.x, gridDim.x);
    __syncthreads();
    flush_counts(shared.counts, pass);
}
