// What GpuValueCellsTest asks the grid of splitters.
#include "parts/bucket_order.cuh"

// Finds the buckets of `key_count` keys by a grid of sorted splitters, one fewer than buckets. `kind` becomes 0 if
// there is no grid, 1 if its cells go by numbers, and 2 if they go by values. One block does this.
extern "C" __global__ void __launch_bounds__(kDistributionThreads) find_by_grid(
    const Key* splitters, u64 count, u64 with_equality_buckets, const Key* keys, u64 key_count, u32* buckets,
    u32* kind) {
    const ScatterShared shared;
    const u32 bucket_count = (u32)count;
    for (u32 i = threadIdx.x; i + 1 < bucket_count; i += kDistributionThreads) {
        shared.tree[splitter_node(i, bucket_count)] = order_key(splitters[i]);
    }
    __syncthreads();
    shared.grid.build(shared.tree, bucket_count, with_equality_buckets != 0, shared.warp_totals);
    __syncthreads();
    if (threadIdx.x == 0) {
        *kind = !shared.grid.exists() ? 0 : shared.grid.state->is_wide != 0 ? 2 : 1;
    }
    if (!shared.grid.exists()) {
        return;
    }
    for (u64 begin = threadIdx.x; begin < key_count; begin += kTileSize) {
        Element elements[kDistributionItems];
        u32 found[kDistributionItems];
        for (int i = 0; i < kDistributionItems; ++i) {
            elements[i].key = order_key(keys[min_of(begin + i * kDistributionThreads, key_count - 1)]);
        }
        shared.grid.find_buckets(shared.tree, with_equality_buckets != 0, elements, found);
        for (int i = 0; i < kDistributionItems; ++i) {
            if (begin + i * kDistributionThreads < key_count) {
                buckets[begin + i * kDistributionThreads] = found[i];
            }
        }
    }
}
