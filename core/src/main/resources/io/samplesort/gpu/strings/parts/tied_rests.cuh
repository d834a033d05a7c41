// The bytes by which tied strings are compared in later rounds (ties.cuh).
#pragma once
#include "strings/parts/ties.cuh"

// The word of strings that share more bytes with the first one of their group than a thread examines, and of those that
// equal it. The digit tells them apart.
__device__ __forceinline__ u64 middle_word(u32 tail, bool has_more) {
    return kMiddleCode << (tail - kCodeBits) | has_more;
}

__device__ __forceinline__ u32 tail_bits(u64 word_bytes) { return kCodeBits + 8 * (u32)word_bytes + kDigitBits; }

// The rests of a tied string and of the first one of its group.
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
