// The words of later rounds (ties.cuh).
#pragma once

// Reads at random places wait for memory, so as many threads as possible wait at once.
constexpr u32 kTiedWordBlocks = 6;

// The word of strings that share more with the first one of their group than a thread looks at, and of those that are
// like it. The digit tells them apart.
__device__ __forceinline__ u64 middle_word(u32 tail, bool has_more) {
    return kMiddleCode << (tail - kCodeBits) | has_more;
}

__device__ __forceinline__ u32 tail_bits(u64 word_bytes) {
    return kCodeBits + 8 * (u32)word_bytes + kDigitBits;
}

// What is left of a tied string, and of the first one of its group.
struct TiedRests {
    Rest own;
    Rest first;
    bool is_first;

    __device__ __forceinline__ TiedRests(const TextReader& text, const TiedStrings& tied, u64 i, u64 group) {
        const u32 string = tied.strings[i];
        const u32 first_string = tied.firsts[group];
        const u64 depth = tied.depths[group];
        const Span span = text.span(string);
        const Span first_span = text.span(first_string);
        own = Rest{span.begin + depth, span.length() - depth};
        first = Rest{first_span.begin + depth, first_span.length() - depth};
        is_first = string == first_string;
    }
};

// Makes the word of each tied string.
extern "C" __global__ void __launch_bounds__(kWordThreads, kTiedWordBlocks) make_tied_words(
    const Text strings, const TiedStrings tied, u64 word_bytes, u64* words, TieState* state) {
    const TextReader text(strings);
    const u32 tail = tail_bits(word_bytes);
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < tied.count; i += stride) {
        const u64 group = tied.groups[i];
        const TiedRests rests(text, tied, i, group);
        const Rest own = rests.own;
        const Rest first = rests.first;
        // The first string shares all with itself.
        const u64 common = rests.is_first
            ? own.length
            : common_bytes(text, own.begin, first.begin, min_of(own.length, first.length), kMostShared);
        u64 word;
        if (common >= kMostShared) {
            word = middle_word(tail, true);
            volatile u64* has_skips = &state->has_skips;
            if (*has_skips == 0) {
                *has_skips = 1;
            }
        } else if (common == own.length && common == first.length) {
            word = middle_word(tail, false);
        } else {
            const u64 begin = own.begin + common;
            const u64 left = own.length - common;
            const u64 used = min_of(left, word_bytes);
            const u64 next = text.bytes(begin, begin + used);
            const u64 first_begin = first.begin + common;
            const bool is_less = left == 0
                || (common < first.length && next >> 56 < text.bytes(first_begin, first_begin + 1) >> 56);
            const u64 code = is_less ? common : 2 * kMiddleCode - 1 - common;
            word = code << (tail - kCodeBits) | next >> (64 - 8 * word_bytes) << kDigitBits
                | (left > word_bytes ? word_bytes + 1 : used);
        }
        if (strings.is_reversed != 0) {
            word ^= (1ull << tail) - 1;
        }
        words[i] = word | group << tail;
    }
}

// Finds how much is shared by the strings of each group that share more with the first one than a thread looks at: all
// of them will skip as much as the one that shares least. A warp looks at one string after another.
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
