// Counts the bytes that two strings share: a single thread examines the first ones, and a whole warp the rest if that
// is long.
#pragma once
#include "strings/parts/text.cuh"

// A single thread examines at most this many bytes of two strings.
constexpr u32 kMostShared = 120;

// Returns the number of the first byte, from 0, in which two different words differ.
__device__ __forceinline__ u32 first_difference(u64 a, u64 b) { return (u32)__clzll((long long)(a ^ b)) / 8; }

// Returns how many of the first `most` bytes at two places are the same. The search stops at `limit`, so a result of
// `limit` or more means at least that many.
__device__ __forceinline__ u64 common_bytes(const TextReader& text, u64 a, u64 b, u64 most, u64 limit) {
    u64 common = 0;
    while (common < most && common < limit) {
        const u64 word_a = text.bytes(a + common, a + most);
        const u64 word_b = text.bytes(b + common, b + most);
        if (word_a != word_b) {
            return common + first_difference(word_a, word_b);
        }
        common += kWordBytes;
    }
    return min_of(common, most);
}

// Returns the same without a limit, to the lanes that want it (`is_wanted`). All lanes of a warp call this, and
// together serve one of those after another.
__device__ __forceinline__ u64 common_bytes_by_warp(const TextReader& text, u64 a, u64 b, u64 most, bool is_wanted) {
    const u32 lane = threadIdx.x % kWarpSize;
    u64 result = 0;
    for (u32 wanted = __ballot_sync(kAllLanes, is_wanted); wanted != 0; wanted &= wanted - 1) {
        const int served = __ffs((int)wanted) - 1;
        const u64 served_a = __shfl_sync(kAllLanes, a, served);
        const u64 served_b = __shfl_sync(kAllLanes, b, served);
        const u64 served_most = __shfl_sync(kAllLanes, most, served);
        u64 common = served_most;
        for (u64 step = 0; step < served_most; step += kWarpSize * kWordBytes) {
            const u64 at = step + lane * kWordBytes;
            const u64 word_a = text.bytes(served_a + at, served_a + served_most);
            const u64 word_b = text.bytes(served_b + at, served_b + served_most);
            const u32 different = __ballot_sync(kAllLanes, word_a != word_b);
            if (different != 0) {
                const u64 here = at + (word_a != word_b ? first_difference(word_a, word_b) : 0);
                common = __shfl_sync(kAllLanes, here, __ffs((int)different) - 1);
                break;
            }
        }
        result = (int)lane == served ? common : result;
    }
    return result;
}

// The rest of a string.
struct Rest {
    u64 begin;
    u64 length;
};

// Returns a negative number if `a` comes before `b` byte by byte, 0 if they are equal, else a positive number, to the
// lanes that want it. All lanes of a warp call this.
__device__ __forceinline__ int compare_by_warp(const TextReader& text, Rest a, Rest b, bool is_wanted) {
    const u64 most = min_of(a.length, b.length);
    u64 common = is_wanted ? common_bytes(text, a.begin, b.begin, most, kMostShared) : 0;
    const bool is_long = is_wanted && common >= kMostShared && common < most;
    const u64 all_common = common_bytes_by_warp(text, a.begin, b.begin, most, is_long);
    common = is_long ? all_common : common;
    if (!is_wanted) {
        return 0;
    }
    if (common == most) {
        return a.length < b.length ? -1 : a.length > b.length;
    }
    return text.bytes(a.begin + common, a.begin + most) < text.bytes(b.begin + common, b.begin + most) ? -1 : 1;
}
