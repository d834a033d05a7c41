// How prefix sums turn the sizes of a segment's buckets into offsets. A segment's buckets belong where the segment
// belongs, so each block scans one segment independently of the others. After the last pass the block also puts the
// buckets in the queues of the small sort.
#pragma once
#include "parts/few_numbers.cuh"
#include "parts/queues.cuh"

// The shared memory of a block: a total for each warp, and two counters for each queue.
constexpr u32 kScanSharedBytes = kWarpSize * sizeof(u64) + 2 * kQueueCount * sizeof(u32);

// Scans the segment of this block, which has been divided as `kind` says.
__device__ __forceinline__ void scan_segment(const Pass& pass, const Queues& queues, bool is_last, u8 kind) {
    u64* warp_totals = (u64*)shared_memory;
    u32* shared_sizes = (u32*)(warp_totals + kWarpSize);
    u32* shared_bases = shared_sizes + kQueueCount;
    const u64 segment = blockIdx.x;
    const u32 bucket_count = 1u << pass.log_bucket_count;
    const u64 first_bucket = segment << pass.log_bucket_count;
    const u8 segment_mark = pass.segment_marks[segment];
    const u64 begin = pass.segment_offsets[segment];
    const u64 end = pass.segment_offsets[segment + 1];
    const OrderedKey* tree = pass.splitter_trees + first_bucket;
    u64 largest = 0;
    u64 offset = begin;
    u64 moved = pass.segment_moved[segment];
    for (u32 base = 0; base < bucket_count; base += kScanThreads) {
        const u32 index = base + threadIdx.x;
        const bool valid = index < bucket_count;
        const u64 bucket = first_bucket + index;
        u64 size = 0;
        u8 mark = 0;
        if (valid && kind >= kCopy) {
            size = index == 0 ? end - begin : 0;
            mark = index == 0 ? segment_mark : 0;
            if (index == 0 && kind == kStay) {
                mark |= (mark & kStays) != 0 ? 0 : staying_in(pass.index);
                pass.bucket_begins[bucket] = pass.segment_begins[segment] | kStaysApart;
            }
        } else if (valid) {
            size = pass.write_positions[bucket] - pass.bucket_begins[bucket];
            if (kind == kDistributeWithEqualityBuckets && is_equality_bucket(tree, index, bucket_count)) {
                mark = kIsEquality;
                if (!is_last && size > kSmallSortLimit) {
                    mark |= staying_in(pass.index + 1);
                    pass.bucket_begins[bucket] |= kStaysApart;
                }
            }
        }
        const bool equality = (mark & kIsEquality) != 0;
        u64 total;
        const u64 before = block_exclusive_scan(size, warp_totals, total);
        if (valid) {
            pass.bucket_offsets[bucket] = offset + before;
            pass.bucket_marks[bucket] = mark;
            largest = equality || mark == kGap ? largest : max_of(largest, size);
        }
        offset += total;
        if (is_last) {
            const u32 array = (mark & kStays) != 0 ? array_of_mark(mark) : (u32)queues.last_array;
            const auto has_few = [&](u32 size_class) {
                return kind < kCopy && has_few_numbers(tree, index, bucket_count, size_class_threads(size_class));
            };
            const u64 sorted = mark == kGap ? 0 : size;
            enqueue_bucket(queues, bucket, sorted, equality, array, has_few, shared_sizes, shared_bases);
        } else {
            __syncthreads();
            const u64 moved_before = block_exclusive_scan<u64>((mark & kStays) != 0 ? 0 : size, warp_totals, total);
            if (valid) {
                pass.bucket_moved[bucket] = moved + moved_before;
            }
            moved += total;
        }
        __syncthreads();
    }
    if (segment + 1 == pass.segment_count && threadIdx.x == 0) {
        // If another group follows, its first segment writes the same value.
        pass.bucket_offsets[first_bucket + bucket_count] = end;
    }
    if (is_last) {
        // Atomics on one address come one after another, so a warp makes one.
        largest = warp_max(largest);
        if (threadIdx.x % kWarpSize == 0 && largest != 0) {
            atomicMax(queues.largest_bucket, largest);
        }
    }
}
