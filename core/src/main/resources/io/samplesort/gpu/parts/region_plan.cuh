// The plan that is made after the first pass of a sort in place: which buckets are sorted together, and which pages
// move. The GPU makes the plan, so that it need not wait for the host, which reads the plan while splitters are chosen.
#pragma once
#include "parts/basics.cuh"

// Neighbouring segments that are divided further and sorted together. The host reads all fields as eight bytes each, by
// the same names (KernelStructs.Region).
struct Region {
    u64 first_segment;
    u64 last_segment;  // the one after the last
    u64 begin;         // the first place of the array that they take
    u64 count;         // their elements
    u64 first_page;    // the place of their first page in the list of all pages
    u64 moves;         // how many pages lie where the region belongs, and move before it is sorted
    u64 moves_behind;  // 1 if they move to where the region was before it was divided
};

// The regions follow after it. The host reads all fields as eight bytes each, by the same names
// (KernelStructs.RegionPlan).
struct RegionPlan {
    u64 region_count;  // 0 if something went wrong
    u64 is_in_order;  // 0 if a bucket of different keys is divided among segments, which the sample should have avoided
    u64 settled;      // how many pages move from the work area to the array
    u64 moved_elements;  // of all pages that move
    u64 lacks_pages;     // 1 if there was no free page when one was needed

    __device__ __forceinline__ Region* regions() { return (Region*)(this + 1); }
};

// A move of a page, with pages by their numbers.
struct PageMove {
    u64 source;
    u64 target;
    u64 count;  // of elements
};

// The limits of segments and regions. The host writes all fields as eight bytes each, by the same names
// (KernelStructs.RegionLimits).
struct RegionLimits {
    u64 segments;         // the most that there may be
    u64 regions;          // the most that there may be
    u64 elements;         // of a segment, in whole pages
    u64 region_segments;  // segments of a region
    u64 region_room;      // of a region
    u64 part_room;        // what a segment takes of the room for each element, in units of 1 / kRoomUnit
    u64 part_buckets;     // and in addition to that
};
