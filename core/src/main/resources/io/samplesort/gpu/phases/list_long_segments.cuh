// Lists the segments of a user's array that are too long for the small sort, as the segments of a first pass
// (segments.cuh). A pass makes equally many buckets of each of its segments, so segments of different lengths are divided
// in several sorts: class c has those up to kSmallSortLimit * 8^(c + 1) elements, and the last class has all others.
//
// The list keeps the order of the segments. So each block takes a range of segments, and first all blocks count.
#pragma once
#include "parts/given_segments.cuh"
#include "parts/segments.cuh"

constexpr u32 kLogClassFactor = 3;

// How many long segments of each class each block has, and their elements.
//
// The host writes all fields as eight bytes each, by the same names (KernelStructs.LongCounts).
struct LongCounts {
    u64* segments;  // [class_count * kListBlocks]
    u64* elements;  // [class_count * kListBlocks]
    u64 class_count;
};

// Returns the class of a segment; kNoClass if it is not long.
constexpr u32 kNoClass = ~0u;

__device__ __forceinline__ u32 long_class(u64 size, u32 class_count) {
    if (size <= kSmallSortLimit) {
        return kNoClass;
    }
    u32 size_class = 0;
    while (size_class + 1 < class_count && size > (u64)kSmallSortLimit << kLogClassFactor * (size_class + 1)) {
        ++size_class;
    }
    return size_class;
}

constexpr u32 kLongSharedBytes = kWarpSize * sizeof(u64) + 2 * kMostClasses * sizeof(u64);

// Calls use(segment, begin, size) for the segments of this block's range, one for each thread. Threads without one pass
// size 0. All threads make the same calls.
template <typename Use>
__device__ __forceinline__ void for_segments_of_block(const UserSegments& segments, const Use& use) {
    const u64 share = ceil_div(segments.segment_count, gridDim.x);
    const u64 end = min_of(blockIdx.x * share + share, segments.segment_count);
    for (u64 base = blockIdx.x * share; base < end; base += blockDim.x) {
        const u64 segment = min_of(base + threadIdx.x, end);
        const u64 begin = segments.offset(segment);
        use(begin, segments.offset(min_of(segment + 1, end)) - begin);
    }
}

// Launched with at most kListBlocks blocks, and as many as the next kernel.
static_assert(kListBlocks <= kListThreads, "a thread adds the counts of a block");

extern "C" __global__ void __launch_bounds__(kListThreads)
    count_long_segments(UserSegments segments, LongCounts counts) {
    follow_previous_kernel();
    u64* of_classes = (u64*)shared_memory + kWarpSize;
    if (threadIdx.x < 2 * kMostClasses) {
        of_classes[threadIdx.x] = 0;
    }
    __syncthreads();
    if (!segments.are_wrong()) {
        for_segments_of_block(segments, [&](u64, u64 size) {
            const u32 size_class = long_class(size, (u32)counts.class_count);
            if (size_class != kNoClass) {
                atomicAdd(&of_classes[size_class], 1ull);
                atomicAdd(&of_classes[kMostClasses + size_class], size);
            }
        });
    }
    __syncthreads();
    if (threadIdx.x < counts.class_count) {
        counts.segments[threadIdx.x * kListBlocks + blockIdx.x] = of_classes[threadIdx.x];
        counts.elements[threadIdx.x * kListBlocks + blockIdx.x] = of_classes[kMostClasses + threadIdx.x];
    }
}

// Writes one segment of the list.
__device__ __forceinline__ void list_segment(const Pass& pass, u64 place, u64 offset, u64 moved, bool is_gap) {
    pass.segment_offsets[place] = offset;
    ((u64*)pass.segment_begins)[place] = is_gap ? offset | kStaysApart : offset;
    pass.segment_moved[place] = moved;
    ((u8*)pass.segment_marks)[place] = is_gap ? kGap : 0;
}

// Each segment is followed by the gap before the next one, and the last gap by segments without elements.
extern "C" __global__ void __launch_bounds__(kListThreads)
    list_long_segments(UserSegments segments, LongCounts counts, Pass pass, u64 size_class) {
    follow_previous_kernel();
    u64* warp_totals = (u64*)shared_memory;
    u64* own = warp_totals + kWarpSize;
    // Thread t adds the counts of block t.
    const bool is_there = threadIdx.x < gridDim.x;
    const u64 counted = size_class * kListBlocks + threadIdx.x;
    const u64 listed = is_there ? counts.segments[counted] : 0;
    const u64 elements = is_there ? counts.elements[counted] : 0;
    u64 all;
    u64 all_moved;
    const u64 listed_before = block_exclusive_scan(listed, warp_totals, all);
    __syncthreads();
    const u64 moved_before = block_exclusive_scan(elements, warp_totals, all_moved);
    if (threadIdx.x == blockIdx.x) {
        own[0] = listed_before;
        own[1] = moved_before;
        own[2] = listed;
    }
    __syncthreads();
    u64 place = own[0];
    u64 moved = own[1];
    if (own[2] != 0) {
        for_segments_of_block(segments, [&](u64 begin, u64 size) {
            const bool is_listed = long_class(size, (u32)counts.class_count) == size_class;
            if (__syncthreads_or(is_listed)) {
                u64 total;
                u64 total_moved;
                const u64 at = place + block_exclusive_scan<u64>(is_listed, warp_totals, total);
                __syncthreads();
                const u64 moved_at = moved + block_exclusive_scan<u64>(is_listed ? size : 0, warp_totals, total_moved);
                if (is_listed) {
                    list_segment(pass, 2 * at, begin, moved_at, false);
                    list_segment(pass, 2 * at + 1, begin + size, moved_at + size, true);
                }
                place += total;
                moved += total_moved;
                __syncthreads();
            }
        });
    }
    for (u64 empty = 2 * all + blockIdx.x * blockDim.x + threadIdx.x; empty < pass.segment_count;
         empty += gridDim.x * blockDim.x) {
        list_segment(pass, empty, segments.element_count, all_moved, false);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        pass.segment_offsets[pass.segment_count] = segments.element_count;
    }
}
