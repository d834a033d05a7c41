// Finds long common beginnings of tied strings.
#pragma once
#include "strings/parts/tied_rests.cuh"

// For the strings of each group that share more with the first one than a thread examines, finds how much they share:
// all of them will skip as much as the one that shares least. A warp examines one string after another.
extern "C" __global__ void find_skips(
    const Text strings, const TiedStrings tied, u64 word_bytes, const u64* words, const TieState* state) {
    if (state->has_skips == 0) {
        return;
    }
    const TextReader text(strings);
    const u32 tail = tail_bits(word_bytes);
    const u64 tail_mask = (1ull << tail) - 1;
    const u64 skipping = middle_word(tail, true) ^ (strings.is_reversed != 0 ? tail_mask : 0);
    const u64 stride = (u64)gridDim.x * blockDim.x;
    const u64 lane = threadIdx.x % kWarpSize;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i - lane < tied.count; i += stride) {
        const bool skips = i < tied.count && (words[i] & tail_mask) == skipping;
        u64 group = 0;
        Rest own{};
        Rest first{};
        bool is_first = false;
        if (skips) {
            group = tied.groups[i];
            const TiedRests rests(text, tied, i, group);
            own = rests.own;
            first = rests.first;
            is_first = rests.is_first;
        }
        const u64 most = min_of(own.length, first.length);
        const u64 common = common_bytes_by_warp(text, own.begin, first.begin, most, skips && !is_first);
        if (skips) {
            const u64 skipped = is_first ? own.length : common;
            if (skipped < *(volatile u64*)&tied.skips[group]) {
                atomicMin(&tied.skips[group], skipped);
            }
        }
    }
}
