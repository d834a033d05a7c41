// Counts the segments of a user's array by their lengths, and lists those that are too long for the small sort as the
// segments of a first pass (segments.cuh). A pass makes equally many buckets of each of its segments, so segments of
// different lengths are divided in several sorts: class c has those up to kSmallSortLimit * 8^(c + 1) elements, but
// none of huge segments, which are sorted as whole inputs.
//
// A list keeps the order of the segments. So each block takes a range of segments, and all blocks count first.
#pragma once
#include "parts/given_segments.cuh"
#include "parts/segments.cuh"

constexpr u32 kLogClassFactor = 3;

// What the host reads of the segments of an array, all 0 before.
struct SegmentTotals {
    u64 wrong;       // 0, or how many offsets there are from the first wrong one on
    u64 in_warps;    // segments that warps sort
    u64 in_blocks;   // segments that the small sort takes
    u64 huge_count;  // segments that are sorted as whole inputs, which come next
    u64 huge[2 * kMostHuge];
};

// The totals, and how many long segments of each class each block has, with their elements.
//
// The host writes all fields as eight bytes each, by the same names (KernelStructs.SegmentCounts).
struct SegmentCounts {
    SegmentTotals* totals;
    u64* segments;  // [class_count * kListBlocks]
    u64* elements;  // [class_count * kListBlocks]
    u64 class_count;
    u64 huge_from;  // longer segments are huge
};

// The class of segments that are not long, or huge.
constexpr u32 kNoClass = ~0u;

__device__ __forceinline__ u32 long_class(u64 size, const SegmentCounts& counts) {
    if (size <= kSmallSortLimit || size > counts.huge_from) {
        return kNoClass;
    }
    u32 size_class = 0;
    while (size_class + 1 < counts.class_count && size > (u64)kSmallSortLimit << kLogClassFactor * (size_class + 1)) {
        ++size_class;
    }
    return size_class;
}

constexpr u32 kLongSharedBytes = kWarpSize * sizeof(u64) + 2 * kMostClasses * sizeof(u64);

// How many segments of the calling thread are of no class. They are added up at the end: an atomic for each would take
// longer than all else.
struct OtherSegments {
    u32 in_warps = 0;
    u32 in_blocks = 0;

    __device__ __forceinline__ void count(const SegmentCounts& counts, u64 begin, u64 size) {
        in_warps += size > 1 && size <= kShortItems * kWarpSize;
        in_blocks += size > kShortItems * kWarpSize && size <= kSmallSortLimit;
        if (size > kSmallSortLimit && size > counts.huge_from) {
            const u64 place = atomicAdd(&counts.totals->huge_count, 1ull);
            if (place < kMostHuge) {
                counts.totals->huge[2 * place] = begin;
                counts.totals->huge[2 * place + 1] = size;
            }
        }
    }

    __device__ __forceinline__ void add_to(SegmentTotals* totals) const {
        const u32 warps = warp_sum(in_warps);
        const u32 blocks = warp_sum(in_blocks);
        if (threadIdx.x % kWarpSize == 0) {
            atomicAdd(&totals->in_warps, (u64)warps);
            atomicAdd(&totals->in_blocks, (u64)blocks);
        }
    }
};

// Offsets may not fall, and no segment ends beyond the array.
__device__ __forceinline__ void check_offsets_of(
    const UserSegments& segments, const SegmentCounts& counts, u64 segment, u64 begin) {
    const u64 next = segments.offset(min_of(segment + 1, segments.segment_count));
    const bool is_wrong = begin > segments.element_count;
    if (is_wrong || next < begin || next > segments.element_count) {
        atomicMax(&counts.totals->wrong, segments.segment_count + 1 - (is_wrong ? segment : segment + 1));
    }
}

static_assert(2 * kMostClasses <= kWarpSize, "one warp is enough to begin with");

// Launched with kListBlocks blocks of any number of whole warps.
extern "C" __global__ void __launch_bounds__(kSegmentCountThreads)
    count_segments(UserSegments segments, SegmentCounts counts) {
    follow_previous_kernel();
    u64* of_classes = (u64*)shared_memory + kWarpSize;
    if (threadIdx.x < 2 * kMostClasses) {
        of_classes[threadIdx.x] = 0;
    }
    __syncthreads();
    OtherSegments others;
    for_segments_of_range(segments, blockIdx.x, [&](u64 segment, u64 begin, u64 size) {
        check_offsets_of(segments, counts, segment, begin);
        others.count(counts, begin, size);
        const u32 size_class = long_class(size, counts);
        if (size_class != kNoClass) {
            atomicAdd(&of_classes[size_class], 1ull);
            atomicAdd(&of_classes[kMostClasses + size_class], size);
        }
    });
    others.add_to(counts.totals);
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

static_assert(kListBlocks <= kListThreads, "a thread adds the counts of a range");

// Lists the segments of a class in the ranges from `first_range` on, with a block for each range. Each segment is
// followed by the gap before the next one, and the last gap by segments without elements.
extern "C" __global__ void __launch_bounds__(kListThreads)
    list_long_segments(UserSegments segments, SegmentCounts counts, Pass pass, u64 size_class, u64 first_range) {
    follow_previous_kernel();
    u64* warp_totals = (u64*)shared_memory;
    u64* own = warp_totals + kWarpSize;
    // Thread t adds the counts of the block t.
    const bool is_there = threadIdx.x < gridDim.x;
    const u64 counted = size_class * kListBlocks + first_range + threadIdx.x;
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
        for_segments_of_range(segments, first_range + blockIdx.x, [&](u64, u64 begin, u64 size) {
            const bool is_listed = long_class(size, counts) == size_class;
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
