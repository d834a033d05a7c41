// Makes the words of later rounds (ties.cuh).
#pragma once
#include "strings/parts/tied_rests.cuh"

// Reads at random places wait for memory, so as many threads as possible wait at once.
constexpr u32 kTiedWordBlocks = 6;

// Makes the word of each tied string.
extern "C" __global__ void __launch_bounds__(kWordThreads, kTiedWordBlocks)
    make_tied_words(const Text strings, const TiedStrings tied, u64 word_bytes, u64* words, TieState* state) {
    const TextReader text(strings);
    const u32 tail = tail_bits(word_bytes);
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < tied.count; i += stride) {
        const u64 group = tied.groups[i];
        const TiedRests rests(text, tied, i, group);
        const Rest own = rests.own;
        const Rest first = rests.first;
        // The first string shares everything with itself.
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
            const bool is_less =
                left == 0 || (common < first.length && next >> 56 < text.bytes(first_begin, first_begin + 1) >> 56);
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
