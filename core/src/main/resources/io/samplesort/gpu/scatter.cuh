// Phase 4 of a distribution pass (paper, Section 4): elements move to their buckets. Buckets are looked up again rather
// than stored by count_buckets, as in the paper. Unlike there, a tile is first put in bucket order in shared memory, so
// that neighbouring threads write neighbouring addresses, and reserves its place in each bucket with one global atomic:
// the order of equal keys is therefore not kept.
#pragma once

struct ScatterShared {
    OrderedKey* tree;
    u64* destinations;  // of a bucket: where position 0 of the tile would go
    u32* starts;        // first the bucket's count in the tile, then its first position
    u32* warp_totals;
    u16* position_buckets;
    Element* elements;

    // What does not depend on the bucket count comes first, at addresses known to the compiler.
    __device__ explicit ScatterShared(u32 bucket_count) {
        constexpr u32 kPositionBuckets = align_16(kTileSize * sizeof(Element));
        constexpr u32 kWarpTotals = kPositionBuckets + align_16(kTileSize * sizeof(u16));
        constexpr u32 kTree = kWarpTotals + kWarpSize * sizeof(u32);
        elements = (Element*)shared_memory;
        position_buckets = (u16*)(shared_memory + kPositionBuckets);
        warp_totals = (u32*)(shared_memory + kWarpTotals);
        tree = (OrderedKey*)(shared_memory + kTree);
        destinations = (u64*)(shared_memory + kTree + align_16(bucket_count * sizeof(OrderedKey)));
        starts = (u32*)(destinations + bucket_count);
    }
};

// Turns the counts of the tile's buckets into first positions, and reserves that many places in each bucket.
__device__ void reserve_places(const ScatterShared& shared, const Pass& pass, u64 segment) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    u64* write_positions = pass.bucket_counts + (segment << pass.log_bucket_count);
    const u32 share = (bucket_count + kDistributionThreads - 1) / kDistributionThreads;
    const u32 first = min_of(threadIdx.x * share, bucket_count);
    const u32 last = min_of(first + share, bucket_count);
    u32 sum = 0;
    for (u32 bucket = first; bucket < last; ++bucket) {
        sum += shared.starts[bucket];
    }
    u32 total;
    u32 start = block_exclusive_scan(sum, shared.warp_totals, total);
    for (u32 bucket = first; bucket < last; ++bucket) {
        const u32 count = shared.starts[bucket];
        shared.starts[bucket] = start;
        if (count != 0) {
            shared.destinations[bucket] = atomicAdd(&write_positions[bucket], (u64)count) - start;
        }
        start += count;
    }
}

__device__ void scatter_tile(
    const ScatterShared& shared, const ElementArray& in, const ElementArray& out, const Pass& pass, const Tile& tile,
    bool with_equality_buckets) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    Element elements[kDistributionItems];
    u32 buckets[kDistributionItems];
    u32 ranks[kDistributionItems];
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        const u32 index = min_of(threadIdx.x + i * kDistributionThreads, tile.count - 1);
        elements[i] = in.load(tile.begin + index);
    }
    for (u32 bucket = threadIdx.x; bucket < bucket_count; bucket += kDistributionThreads) {
        shared.starts[bucket] = 0;
    }
    find_buckets(shared.tree, (u32)pass.log_bucket_count, with_equality_buckets, elements, buckets);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        if (threadIdx.x + i * kDistributionThreads < tile.count) {
            ranks[i] = atomicAdd(&shared.starts[buckets[i]], 1u);
        }
    }
    __syncthreads();
    reserve_places(shared, pass, tile.segment);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        if (threadIdx.x + i * kDistributionThreads < tile.count) {
            const u32 position = shared.starts[buckets[i]] + ranks[i];
            shared.elements[position] = elements[i];
            shared.position_buckets[position] = (u16)buckets[i];
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        const u32 position = threadIdx.x + i * kDistributionThreads;
        if (position < tile.count) {
            out.store(shared.destinations[shared.position_buckets[position]] + position, shared.elements[position]);
        }
    }
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(kDistributionThreads, kDistributionBlocks) scatter(
    ElementArray in, ElementArray out, Pass pass) {
    const ScatterShared shared(1u << pass.log_bucket_count);
    TileSlots slots(pass, blockIdx.x, gridDim.x);
    Tile tile;
    u64 segment = ~0ull;
    u8 kind = kCopy;
    while (slots.next(tile)) {
        if (tile.segment != segment) {
            segment = tile.segment;
            kind = pass.segment_kinds[segment];
            if (kind != kCopy) {
                load_tree(shared.tree, pass, segment);
            }
            __syncthreads();
        }
        if (kind == kCopy) {
            for (u32 index = threadIdx.x; index < tile.count; index += kDistributionThreads) {
                out.store(tile.begin + index, in.load(tile.begin + index));
            }
        } else {
            scatter_tile(shared, in, out, pass, tile, kind == kDistributeWithEqualityBuckets);
        }
    }
}
