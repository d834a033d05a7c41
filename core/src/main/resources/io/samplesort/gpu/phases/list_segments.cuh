// Puts the segments in the queues of the small sort that sort_segments leaves and a block can sort.
#pragma once
#include "parts/given_segments.cuh"
#include "parts/primitives.cuh"
#include "parts/queues.cuh"

constexpr u32 kListSharedBytes = 2 * kQueueCount * sizeof(u32);

// The small sort reads the user's array as if a pass had written it.
constexpr u32 kListedArray = 1;

// Maps the keys of the segments that list_segments lists, where that is needed for the small sort, which maps them
// back. Each warp takes one segment after another.
extern "C" __global__ void __launch_bounds__(kListThreads)
    order_segments(ElementArray elements, UserSegments segments) {
    follow_previous_kernel();
    constexpr u32 kAhead = 8;
    const u32 lane = threadIdx.x % kWarpSize;
    const u64 warps = gridDim.x * (u64)(kListThreads / kWarpSize);
    u64 segment = blockIdx.x * (u64)(kListThreads / kWarpSize) + threadIdx.x / kWarpSize;
    for (; segment < segments.segment_count; segment += warps) {
        const u64 begin = segments.offset(segment);
        const u64 size = segments.offset(segment + 1) - begin;
        if (size <= kShortItems * kWarpSize || size > kSmallSortLimit) {
            continue;
        }
        for (u64 first = lane; first < size; first += kAhead * kWarpSize) {
            OrderedKey keys[kAhead];
#pragma unroll
            for (u32 i = 0; i < kAhead; ++i) {
                if (first + i * kWarpSize < size) {
                    keys[i] = elements.key(begin + first + i * kWarpSize, false);
                }
            }
#pragma unroll
            for (u32 i = 0; i < kAhead; ++i) {
                if (first + i * kWarpSize < size) {
                    ((OrderedKey*)elements.keys)[begin + first + i * kWarpSize] = keys[i];
                }
            }
        }
    }
}

// `offsets` is null if the user's offsets have 8 bytes; otherwise they are copied there.
extern "C" __global__ void __launch_bounds__(kListThreads)
    list_segments(UserSegments segments, Queues queues, u64* offsets) {
    u32* shared_sizes = (u32*)shared_memory;
    u32* shared_bases = shared_sizes + kQueueCount;
    follow_previous_kernel();
    const u64 stride = gridDim.x * (u64)blockDim.x;
    const u64 rounds = ceil_div(segments.segment_count + 1, stride);
    for (u64 round = 0; round < rounds; ++round) {
        const u64 segment = round * stride + blockIdx.x * (u64)blockDim.x + threadIdx.x;
        const bool is_there = segment < segments.segment_count;
        const u64 begin = segments.offset(min_of(segment, segments.segment_count));
        const u64 size = is_there ? segments.offset(segment + 1) - begin : 0;
        if (offsets != nullptr && segment <= segments.segment_count) {
            offsets[segment] = begin;
        }
        const bool is_queued = size > kShortItems * kWarpSize && size <= kSmallSortLimit;
        if (__syncthreads_or(is_queued)) {
            const auto has_few = [](u32) { return false; };
            enqueue_bucket(
                queues, segment, is_queued ? size : 0, false, kListedArray, has_few, shared_sizes, shared_bases);
            __syncthreads();
        }
    }
}
