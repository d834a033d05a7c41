// Copies keys of four bytes that lie one behind the other between global memory and registers, four at a time.
#pragma once
#include "parts/primitives.cuh"

constexpr bool kCopiesQuads = !HAS_PAYLOAD && !SORTS_INDEXES && sizeof(Key) == 4;

struct alignas(16) KeyQuad {
    Key keys[4];
};

// The keys of a warp: aligned quads, and up to three keys before and behind them.
struct QuadRun {
    KeyQuad* quads;
    u32 quad_count;
    u32 head;
    u32 count;

    __device__ __forceinline__ QuadRun(Key* keys, u32 count)
        : head(min_of(count, (u32)(-(u64)keys % sizeof(KeyQuad) / sizeof(Key)))), count(count) {
        quads = (KeyQuad*)(keys + head);
        quad_count = (count - head) / 4;
    }

    // Calls `copy` with the places of the keys before and behind the quads, one for each lane.
    template <typename Copy>
    __device__ __forceinline__ void for_others(const Copy& copy) const {
        const u32 lane = threadIdx.x % kWarpSize;
        if (lane < head) {
            copy(lane);
        }
        const u32 place = head + 4 * quad_count + lane;
        if (place < count) {
            copy(place);
        }
    }

    // Calls `take` with each key and its place.
    template <typename Take>
    __device__ __forceinline__ void load(const Take& take) const {
        constexpr u32 kAhead = 4;
        for (u32 base = threadIdx.x % kWarpSize; base < quad_count; base += kAhead * kWarpSize) {
            KeyQuad loaded[kAhead];
#pragma unroll
            for (u32 i = 0; i < kAhead; ++i) {
                if (base + i * kWarpSize < quad_count) {
                    loaded[i] = quads[base + i * kWarpSize];
                }
            }
#pragma unroll
            for (u32 i = 0; i < kAhead; ++i) {
                const u32 quad = base + i * kWarpSize;
                if (quad < quad_count) {
#pragma unroll
                    for (u32 k = 0; k < 4; ++k) {
                        take(head + 4 * quad + k, loaded[i].keys[k]);
                    }
                }
            }
        }
        const Key* keys = (const Key*)quads - head;
        for_others([&](u32 place) { take(place, keys[place]); });
    }

    // Stores the key that `give` returns for each place.
    template <typename Give>
    __device__ __forceinline__ void store(const Give& give) const {
#pragma unroll 2
        for (u32 quad = threadIdx.x % kWarpSize; quad < quad_count; quad += kWarpSize) {
            KeyQuad stored;
#pragma unroll
            for (u32 k = 0; k < 4; ++k) {
                stored.keys[k] = give(head + 4 * quad + k);
            }
            quads[quad] = stored;
        }
        Key* keys = (Key*)quads - head;
        for_others([&](u32 place) { keys[place] = give(place); });
    }
};
