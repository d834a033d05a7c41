// What is known of elements that are out of place: mark_outliers marks them, and take_out moves them.
#pragma once

constexpr u32 kOutlierTile = kOrderThreads * kOutlierItems;
static_assert(kOutlierItems == 8 || kOutlierItems == 16, "a thread marks whole bytes");

// What the blocks of mark_outliers tell each other and take_out. It is 0 before. The host has room for it
// (KernelStructs).
struct OutlierSearch {
    u32 failed;    // not 0 once a block has found fences that fall, or too many outliers
    u32 done;      // how many blocks have marked the outliers of all of their tiles
    u64 outliers;  // how many have been marked
};

// A bit for each element of all tiles, which is set for an outlier, and how many outliers each tile has.
struct OutlierMarks {
    uint4* bits;
    u32* counts;

    // Marks the elements of a tile that the calling thread looks at: bit i of `marked` is item i.
    __device__ __forceinline__ void mark_run(u32 tile, u32 marked) const {
        using Bits = typename SmallBits<kOutlierItems / 8>::Type;
        ((Bits*)bits)[(u64)tile * kOrderThreads + threadIdx.x] = (Bits)marked;
    }

    // Returns the bits of four rows of a tile, which are different ones for each lane.
    __device__ __forceinline__ uint4 rows(u32 tile, u32 lane) const {
        constexpr u32 kLanes = kOutlierTile / (4 * kWarpSize);
        return lane < kLanes ? bits[(u64)tile * kLanes + lane] : make_uint4(0, 0, 0, 0);
    }
};
