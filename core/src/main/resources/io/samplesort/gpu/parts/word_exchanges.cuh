// Exchanges of words that lie one behind the other in the registers of a warp, kItems in each lane. Two of them change
// places if they are out of order, so words that are in order stay so.
#pragma once
#include "parts/basics.cuh"

template <int kItems>
struct WordExchanges {
    // Neighbours change places, even ones with the next and odd ones with the next in turn.
    __device__ __forceinline__ static void near(u32 (&words)[kItems]) { across<1>(words); }

    // Words 8, 4 and 2 places apart change places, each with one before it and one behind it in turn.
    __device__ __forceinline__ static void far(u32 (&words)[kItems]) {
        const u32 lane = threadIdx.x % kWarpSize;
#pragma unroll
        for (u32 odd = 0; odd < 2; ++odd) {
            const u32 partner = (lane + odd ^ 1) - odd;
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                const u32 other = __shfl_sync(kAllLanes, words[i], (int)(partner % kWarpSize));
                const u32 chosen = partner < lane ? max_of(words[i], other) : min_of(words[i], other);
                words[i] = partner < kWarpSize ? chosen : words[i];
            }
        }
        across<4>(words);
        across<2>(words);
    }

    // Returns whether any words are out of order.
    __device__ __forceinline__ static bool fall(const u32 (&words)[kItems]) {
        const u32 before = __shfl_up_sync(kAllLanes, words[kItems - 1], 1);
        bool falls = threadIdx.x % kWarpSize != 0 && words[0] < before;
#pragma unroll
        for (int i = 0; i + 1 < kItems; ++i) {
            falls |= words[i + 1] < words[i];
        }
        return __any_sync(kAllLanes, falls);
    }

  private:
    // Words of a lane and of the next one that are kApart places apart change places.
    template <int kApart>
    __device__ __forceinline__ static void across(u32 (&words)[kItems]) {
        const u32 lane = threadIdx.x % kWarpSize;
#pragma unroll
        for (int i = 0; i + kApart < kItems; ++i) {
            if (i % (2 * kApart) < kApart) {
                exchange(words[i], words[i + kApart]);
            }
        }
#pragma unroll
        for (int i = kApart; i + kApart < kItems; ++i) {
            if (i % (2 * kApart) >= kApart) {
                exchange(words[i], words[i + kApart]);
            }
        }
#pragma unroll
        for (int i = 0; i < kApart; ++i) {
            const u32 before = __shfl_up_sync(kAllLanes, words[kItems - kApart + i], 1);
            const u32 behind = __shfl_down_sync(kAllLanes, words[i], 1);
            u32& last = words[kItems - kApart + i];
            words[i] = lane == 0 ? words[i] : max_of(before, words[i]);
            last = lane == kWarpSize - 1 ? last : min_of(behind, last);
        }
    }

    __device__ __forceinline__ static void exchange(u32& a, u32& b) {
        const u32 less = min_of(a, b);
        b = max_of(a, b);
        a = less;
    }
};
