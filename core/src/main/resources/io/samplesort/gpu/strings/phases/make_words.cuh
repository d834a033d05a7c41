// Makes the words of the first round, as the sample suggests them.
#pragma once
#include "strings/parts/first_words.cuh"
#include "strings/parts/ties.cuh"

// Makes the words after the guessed prefix, and finds whether all strings have this prefix and which bytes they hold.
// This also finds wrong offsets; in that case nothing is written to the permutation.
extern "C" __global__ void make_words(const Text strings, u64* words, TieState* state, Alphabet* alphabet) {
    Symbols& symbols = *(Symbols*)shared_memory;
    const TextReader text(strings);
    const u64 prefix = state->guessed_prefix;
    number_symbols(alphabet->guessed, symbols);
    const SymbolFormat format(alphabet->guessed);
    const Span first = text.span(0);
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < strings.count; i += stride) {
        if (text.is_wrong(i)) {
            atomicMax(&state->wrong, strings.count - i);
        }
        const Span span = text.span(i);
        if (prefix > 0) {
            const u64 common = common_bytes(text, first.begin, span.begin, min_of(prefix, span.length()), kMostShared);
            if (common < prefix) {
                // Words that are made anew may begin here, or within what the other strings share.
                if (common < *(volatile u64*)&state->prefix) {
                    atomicMin(&state->prefix, common);
                    add_bytes(*alphabet, text, first.begin + common, first.begin + prefix);
                }
                add_bytes(*alphabet, text, span.begin + common, min_of(span.begin + common + kMostSymbols, span.end));
                continue;
            }
        }
        bool has_unknown = false;
        words[i] = first_word(text, span, prefix, format, symbols, has_unknown);
        if (has_unknown) {
            const u64 begin = span.begin + prefix;
            add_bytes(*alphabet, text, begin, min_of(begin + format.count, span.end));
        }
    }
}
