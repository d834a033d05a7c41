// Keeps the sort keys of the few elements that lie between two bounds, and counts the elements below the lower one.
// This reads all elements once and writes hardly anything, so it is made to read at the full rate: a lane has several
// loads of 16 bytes in flight, and a warp asks for room once in thousands of elements.
#pragma once
#include "parts/basics.cuh"

// What a selection is told.
struct SelectionCounts {
    u64 below;  // how many elements lie below the lower bound, if there is an upper one
    u64 kept;   // how many lie between the bounds, even if there was no room for all of them
};

// The elements of a lane in a tile, one for each bit of a mask.
constexpr u32 kLaneElements = 64;
constexpr u32 kKeepTile = kLaneElements * kWarpSize;
constexpr u32 kLoadBytes = 16;
// How many elements a load brings: 1 if elements do not fill a load.
constexpr u32 kLoadedElements = kLoadBytes % kIndexedBytes == 0 ? kLoadBytes / kIndexedBytes : 1;
constexpr u32 kLoadsInFlight = kLaneElements / kLoadedElements < 8 ? kLaneElements / kLoadedElements : 8;

// Elements that one load of a lane brings are neighbours, and so are the loads of neighbouring lanes.
__device__ __forceinline__ u32 place_in_tile(u32 lane, u32 bit) {
    return (bit / kLoadedElements * kWarpSize + lane) * kLoadedElements + bit % kLoadedElements;
}

// The bounds, and what a lane knows about the elements that it has seen.
template <bool kHasLow, bool kHasHigh>
class Between {
  public:
    __device__ __forceinline__ Between(const Key* sample, u64 low, u64 high)
        : low_(sample[kHasLow ? low : 0]), high_(sample[kHasHigh ? high : 0]) {}

    // Returns whether an element is kept, and counts it if it lies below.
    __device__ __forceinline__ bool keeps(const Key& key) {
        if constexpr (kHasLow) {
            const bool is_below = less(key, low_);
            if constexpr (!kHasHigh) {
                return !is_below;
            }
            below_ += is_below;
            return !is_below && !less(high_, key);
        }
        return !less(high_, key);
    }

    __device__ __forceinline__ u64 below() const { return below_; }

  private:
    Key low_;
    Key high_;
    u64 below_ = 0;
};

// Returns which of a lane's elements are kept, in a tile that is full and aligned.
template <typename Bounds>
__device__ __forceinline__ u64 kept_of_full_tile(const u8* elements, u64 tile, u32 lane, Bounds& bounds) {
    const uint4* loads = (const uint4*)(elements + tile * kIndexedBytes) + lane;
    u64 mask = 0;
#pragma unroll 1
    for (u32 first = 0; first < kLaneElements / kLoadedElements; first += kLoadsInFlight) {
        uint4 loaded[kLoadsInFlight];
#pragma unroll
        for (u32 i = 0; i < kLoadsInFlight; ++i) {
            loaded[i] = loads[(first + i) * kWarpSize];
        }
        u64 kept = 0;
#pragma unroll
        for (u32 i = 0; i < kLoadsInFlight; ++i) {
#pragma unroll
            for (u32 e = 0; e < kLoadedElements; ++e) {
                const u32 place = place_in_tile(lane, (first + i) * kLoadedElements) + e;
                const u8* element = (const u8*)&loaded[i] + e * kIndexedBytes;
                const bool keeps = bounds.keeps(make_sort_key(element, (u32)tile + place));
                kept |= (u64)keeps << (i * kLoadedElements + e);
            }
        }
        mask |= kept << first * kLoadedElements;
    }
    return mask;
}

// Does the same for any tile, one element after the other.
template <typename Bounds>
__device__ __forceinline__ u64 kept_of_tile(const u8* elements, u64 tile, u64 count, u32 lane, Bounds& bounds) {
    u64 mask = 0;
#pragma unroll 4
    for (u32 bit = 0; bit < kLaneElements; ++bit) {
        const u64 i = tile + place_in_tile(lane, bit);
        if (i < count) {
            mask |= (u64)bounds.keeps(make_sort_key(elements + i * kIndexedBytes, (u32)i)) << bit;
        }
    }
    return mask;
}

template <bool kHasLow, bool kHasHigh>
__device__ void keep_all_between(
    const u8* elements, u64 count, const Key* sample, u64 low, u64 high, Key* kept, u64 capacity,
    SelectionCounts* counts) {
    const u32 lane = threadIdx.x % kWarpSize;
    const u64 warp = ((u64)blockIdx.x * blockDim.x + threadIdx.x) / kWarpSize;
    const u64 stride = (u64)gridDim.x * blockDim.x / kWarpSize * kKeepTile;
    const bool is_aligned = kLoadBytes % kIndexedBytes == 0 && (u64)elements % kLoadBytes == 0;
    Between<kHasLow, kHasHigh> bounds(sample, low, high);
    for (u64 tile = warp * kKeepTile; tile < count; tile += stride) {
        u64 mask = 0;
        if (is_aligned && tile + kKeepTile <= count) {
            if constexpr (kLoadBytes % kIndexedBytes == 0) {
                mask = kept_of_full_tile(elements, tile, lane, bounds);
            }
        } else {
            mask = kept_of_tile(elements, tile, count, lane, bounds);
        }
        if (__ballot_sync(kAllLanes, mask != 0) == 0) {
            continue;
        }
        const u32 own = (u32)__popcll(mask);
        const u32 inclusive = warp_inclusive_scan(own);
        u64 place = 0;
        if (lane == kWarpSize - 1) {
            place = atomicAdd(&counts->kept, (u64)inclusive);
        }
        place = __shfl_sync(kAllLanes, place, kWarpSize - 1) + inclusive - own;
        for (; mask != 0; mask &= mask - 1, ++place) {
            const u64 i = tile + place_in_tile(lane, (u32)__ffsll((long long)mask) - 1);
            if (place < capacity) {
                kept[place] = make_sort_key(elements + i * kIndexedBytes, (u32)i);
            }
        }
    }
    if constexpr (kHasLow && kHasHigh) {
        const u64 below = warp_sum(bounds.below());
        if (lane == 0 && below != 0) {
            atomicAdd(&counts->below, below);
        }
    }
}

// `low` and `high` are the places of the bounds in the sorted sample, or ~0 for none; there is at least one. `counts`
// must be 0 before this.
extern "C" __global__ void keep_between(
    const unsigned char* elements, u64 count, const Key* sample, u64 low, u64 high, Key* kept, u64 capacity,
    SelectionCounts* counts) {
    if (low == ~0ull) {
        keep_all_between<false, true>(elements, count, sample, low, high, kept, capacity, counts);
    } else if (high == ~0ull) {
        keep_all_between<true, false>(elements, count, sample, low, high, kept, capacity, counts);
    } else {
        keep_all_between<true, true>(elements, count, sample, low, high, kept, capacity, counts);
    }
}
