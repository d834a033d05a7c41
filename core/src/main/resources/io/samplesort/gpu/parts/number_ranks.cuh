// Ranks of the numbers that occur among the items of a bucket, where all numbers lie in a short range: flags say which do,
// and bits count them. No atomics are needed, as all that set a flag store the same.
#pragma once
#include "parts/block_sort.cuh"

template <int kItems, typename Item>
struct NumberRanks {
    // So many flags for each thread of a block are the range of numbers.
    static constexpr u32 kFlags = 32;

    unsigned char* slots;

    // Whether the slots of a warp have room.
    static constexpr bool kFits = (kItems + 1) * (u32)sizeof(Item) >= 48 && kItems * sizeof(Item) % 4 == 0;

    // Clears the flags that the calling thread counts. They lie in the slots of its own warp, which is done with these.
    __device__ __forceinline__ void clear() const {
        __syncwarp();
        uint4* flags = own_flags();
        flags[0] = uint4{0, 0, 0, 0};
        flags[1] = uint4{0, 0, 0, 0};
    }

    // Says that the number at this place of the range occurs. Others may say the same at the same time.
    __device__ __forceinline__ void mark(u32 place) const {
        ((volatile unsigned char*)part_of(place))[place % kWarpFlags] = 1;
    }

    // Counts the flags, behind a barrier. Each warp writes one word. Returns how many numbers occur. This has a barrier.
    __device__ __forceinline__ u32 count(u32* warp_totals) const {
        const uint4* flags = own_flags();
        const u32 bits = bits_of(flags[0]) | bits_of(flags[1]) << 16;
        const u32 own = (u32)__popc(bits);
        const u32 inclusive = warp_inclusive_scan(own);
        const u32 lane = threadIdx.x % kWarpSize;
        ((Group*)(own_part() + kGroups))[lane] = Group{bits, inclusive - own};
        if (lane == kWarpSize - 1) {
            warp_totals[threadIdx.x / kWarpSize] = inclusive;
        }
        __syncthreads();
        const u32 of_warp = lane < blockDim.x / kWarpSize ? warp_totals[lane] : 0;
        const u32 up_to = warp_inclusive_scan(of_warp);
        first_ranks()[lane] = up_to - of_warp;
        __syncwarp();
        return __shfl_sync(kAllLanes, up_to, kWarpSize - 1);
    }

    // Returns how many of the numbers that occur lie before the one at this place.
    __device__ __forceinline__ u32 operator()(u32 place) const {
        const Group group = ((const Group*)(part_of(place) + kGroups))[place % kWarpFlags / kFlags];
        return first_ranks()[place / kWarpFlags] + group.before + __popc(group.flags & (1u << place % kFlags) - 1);
    }

  private:
    struct alignas(8) Group {
        u32 flags;   // of one thread
        u32 before;  // how many are set before them in the part of the warp
    };

    static constexpr u32 kWarpFlags = kFlags * kWarpSize;
    // In the slots of a warp, its groups lie behind its flags, and behind these where the ranks of each warp begin.
    static constexpr u32 kGroups = kWarpFlags;
    static constexpr u32 kFirstRanks = kGroups + kWarpSize * (u32)sizeof(Group);
    static constexpr u32 kWarpBytes = (kItems + 1) * kWarpSize * (u32)sizeof(Item);
    static_assert(!kFits || kFirstRanks + kWarpSize * sizeof(u32) <= kWarpBytes, "they fit the slots of a warp");

    __device__ __forceinline__ unsigned char* part_of(u32 place) const {
        return slots + place / kWarpFlags * kWarpBytes;
    }

    __device__ __forceinline__ unsigned char* own_part() const { return slots + threadIdx.x / kWarpSize * kWarpBytes; }

    __device__ __forceinline__ uint4* own_flags() const {
        return (uint4*)(own_part() + threadIdx.x % kWarpSize * kFlags);
    }

    __device__ __forceinline__ u32* first_ranks() const { return (u32*)(own_part() + kFirstRanks); }

    // Returns a bit for each flag.
    __device__ __forceinline__ static u32 bits_of(const uint4& flags) {
        return bits_of(flags.x) | bits_of(flags.y) << 4 | bits_of(flags.z) << 8 | bits_of(flags.w) << 12;
    }

    // A byte is 0 or 1, and the product has all four side by side in its uppermost bits.
    __device__ __forceinline__ static u32 bits_of(u32 flags) { return flags * 0x10204080u >> 28; }
};
