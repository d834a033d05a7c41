// The room of buckets.
#pragma once
#include "parts/segments.cuh"

// Returns the room for a bucket that has `sampled` of the sampled keys, each of which stands for this many elements of
// the segment's `size`. The sizes of buckets with this many sampled keys have a gamma distribution around the product.
// The bucket gets `slack` standard deviations more, and half the square of that for the longer tail if `sampled` is
// small. With a slack of 6 one bucket in 10^9 needs more, with a slack of 5 and 16 sampled keys one in 5 * 10^7.
__device__ __forceinline__ u64 bucket_room(const Pass& pass, u32 sampled, double elements_a_key, u64 size) {
    const float slack = (float)pass.slack;
    const float sampled_with_slack = (float)sampled + slack * sqrtf((float)sampled) + slack * slack / 2;
    return min_of(size, (u64)((double)sampled_with_slack * elements_a_key) + 1);
}

// Returns the room of a bucket of a segment that is not divided: all of its elements are in the first bucket, unless
// the segment stays where it lies.
__device__ __forceinline__ u64 room_of_copy(u8 kind, u32 bucket, u64 size) {
    return kind == kCopy && bucket == 0 ? size : 0;
}

// Hands out the room of a segment: bucket b gets room(b).
template <typename Room>
__device__ void assign_rooms(const Pass& pass, u64 segment, u64* warp_totals, const Room& room) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    const u64 first_bucket = segment << pass.log_bucket_count;
    const u64 end = room_bound(pass, segment, true);
    u64 begin = room_bound(pass, segment, false);
    for (u32 base = 0; base < bucket_count; base += blockDim.x) {
        const u32 bucket = base + threadIdx.x;
        u64 total;
        const u64 size = bucket < bucket_count ? room(bucket) : 0;
        const u64 before = block_exclusive_scan<u64>(size, warp_totals, total);
        if (bucket < bucket_count) {
            // The host has made the room of the segment large enough for any sample. The minimum is for orders that
            // contradict themselves, and for the rare groups of segments that exceed their estimate.
            const u64 bucket_begin = min_of(begin + before, end);
            pass.bucket_begins[first_bucket + bucket] = bucket_begin;
            pass.bucket_ends[first_bucket + bucket] = min_of(bucket_begin + size, end);
            pass.write_positions[first_bucket + bucket] = bucket_begin;
        }
        begin += total;
        __syncthreads();
    }
}
