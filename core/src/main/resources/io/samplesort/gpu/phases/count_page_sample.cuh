// Gives room to the buckets of segments that lie in pages, by counting a large random sample of each segment: how much
// room buckets need decides how many segments are sorted together in place.
#pragma once
#include "parts/counted_keys.cuh"
#include "parts/pages.cuh"
#include "parts/rooms.cuh"

// The shared memory of a block: a total for each warp, and the counters.
__host__ __device__ constexpr u32 page_count_shared_bytes(u32 bucket_count) {
    return kWarpSize * sizeof(u64) + CountShared::bytes(bucket_count);
}

// Returns whether this block is the last of the `part_count` blocks that count keys of a segment. In that case the
// counts of all are in shared memory. Blocks pass them on in the buckets' write positions, which are 0 and not in use
// yet, and count themselves where overflows will be marked.
__device__ __forceinline__ bool is_last_count(
    const CountShared& shared, const Pass& pass, u32 segment, u32 part_count) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    u64* positions = pass.write_positions + ((u64)segment << pass.log_bucket_count);
    for (u32 bucket = threadIdx.x; bucket < bucket_count; bucket += kDistributionThreads) {
        if (shared.counts[bucket] != 0) {
            atomicAdd(&positions[bucket], (u64)shared.counts[bucket]);
        }
    }
    __threadfence();
    __syncthreads();
    bool is_last = false;
    if (threadIdx.x == 0) {
        is_last = atomicAdd(&pass.overflows[segment], 1u) == part_count - 1;
        __threadfence();
    }
    if (!__syncthreads_or(is_last)) {
        return false;
    }
    for (u32 bucket = threadIdx.x; bucket < bucket_count; bucket += kDistributionThreads) {
        shared.counts[bucket] = (u32) * (volatile u64*)&positions[bucket];
    }
    if (threadIdx.x == 0) {
        pass.overflows[segment] = 0;
    }
    __syncthreads();
    return true;
}

// Each segment has `parts` blocks that count.
extern "C" __global__ void __launch_bounds__(kDistributionThreads, kDistributionBlocks)
    count_page_sample(ElementArray array, Pages pages, Pass pass, u64 seed, u64 sample_size, u64 parts) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    const u32 part_count = (u32)parts;
    const u32 segment = blockIdx.x / part_count;
    const u32 part = blockIdx.x % part_count;
    const u8 kind = pass.segment_kinds[segment];
    const u64 size = pass.segment_offsets[segment + 1] - pass.segment_offsets[segment];
    const u32 sample_count = (u32)sample_size;
    u64* warp_totals = (u64*)shared_memory;
    const CountShared shared(shared_memory + kWarpSize * sizeof(u64), bucket_count);
    if (kind < kCopy) {
        shared.clear(bucket_count);
        load_tree(shared.tree, shared.equality, pass, segment, kind);
        __syncthreads();
        const u64 begin = pass.segment_begins[segment];
        const auto key_at = [&](u64 place) {
            return pages.tile(array, pages.find_tile(begin + place)).key((u32)((begin + place) % kTileSize));
        };
        shared.count(
            key_at, Strata(size, sample_count), sample_count, ((u32)seed + segment) * sample_count,
            (u32)pass.log_bucket_count, kind, part, part_count);
        __syncthreads();
        if (part_count > 1 && !is_last_count(shared, pass, segment, part_count)) {
            return;
        }
    } else if (part != 0) {
        return;
    }
    const double elements_a_key = (double)size / sample_count;
    assign_rooms(pass, segment, warp_totals, [&](u32 bucket) {
        return kind < kCopy ? bucket_room(pass, shared.counts[bucket], elements_a_key, size)
                            : room_of_copy(kind, bucket, size);
    });
}
