// Phase 3 of a distribution pass (paper, Section 4): prefix sums turn bucket counts into bucket offsets. In the fast
// layout this comes after the scatter, which has counted by the way. A segment's buckets belong where the segment
// belongs, so each block scans one segment and needs no other block. After the last pass the block also puts the
// buckets in the queues of the small sort.
#pragma once

// The shared memory of a block: a total for each warp, and two counters for each queue.
constexpr u32 kScanSharedBytes = kWarpSize * sizeof(u64) + 2 * kQueueCount * sizeof(u32);

extern "C" __global__ void __launch_bounds__(kScanThreads) scan_counts(Pass pass, Queues queues, u64 is_last) {
    u64* warp_totals = (u64*)shared_memory;
    u32* shared_sizes = (u32*)(warp_totals + kWarpSize);
    u32* shared_bases = shared_sizes + kQueueCount;
    follow_previous_kernel();
    if (overflowed(pass.overflows, pass.index + 1)) {
        return;
    }
    const bool is_exact = pass.room == 0;
    const u64 segment = blockIdx.x;
    const u32 bucket_count = 1u << pass.log_bucket_count;
    const u64 first_bucket = segment << pass.log_bucket_count;
    const u8 kind = pass.segment_kinds[segment];
    const u64 begin = pass.segment_offsets[segment];
    const u64 end = pass.segment_offsets[segment + 1];
    const OrderedKey* tree = pass.splitter_trees + first_bucket;
    u64 largest = 0;
    u64 offset = begin;
    for (u32 base = 0; base < bucket_count; base += kScanThreads) {
        const u32 index = base + threadIdx.x;
        const bool valid = index < bucket_count;
        const u64 bucket = first_bucket + index;
        u64 size = 0;
        bool equality = false;
        if (valid && kind == kCopy) {
            size = index == 0 ? end - begin : 0;
            equality = index == 0 && pass.segment_equality[segment];
        } else if (valid) {
            size = pass.write_positions[bucket] - (is_exact ? 0 : pass.bucket_begins[bucket]);
            equality = kind == kDistributeWithEqualityBuckets && is_equality_bucket(tree, index, bucket_count);
        }
        u64 total;
        const u64 before = block_exclusive_scan(size, warp_totals, total);
        if (valid) {
            pass.bucket_offsets[bucket] = offset + before;
            if (is_exact) {
                pass.write_positions[bucket] = offset + before;
            }
            pass.bucket_equality[bucket] = equality;
            largest = equality ? largest : max_of(largest, size);
        }
        if (is_last) {
            enqueue_bucket(queues, bucket, size, equality, shared_sizes, shared_bases);
        }
        offset += total;
        __syncthreads();
    }
    if (segment + 1 == pass.segment_count && threadIdx.x == 0) {
        pass.bucket_offsets[first_bucket + bucket_count] = pass.element_count;
    }
    if (is_last) {
        // Atomics on one address come one after another, so a warp makes one.
        largest = warp_max(largest);
        if (threadIdx.x % kWarpSize == 0 && largest != 0) {
            atomicMax(queues.largest_bucket, largest);
        }
    }
}
