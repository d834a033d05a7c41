// Makes the words of the first round once more if the sample misled.
#pragma once
#include "strings/parts/first_words.cuh"
#include "strings/parts/ties.cuh"

// Makes the words anew if strings have a shorter prefix in common than guessed, or other bytes.
extern "C" __global__ void correct_words(const Text strings, u64* words, TieState* state, const Alphabet* alphabet) {
    const u64 prefix = state->prefix;
    bool is_right = prefix == state->guessed_prefix;
    for (u32 set = 0; set < kByteSets; ++set) {
        is_right = is_right && alphabet->found[set] == alphabet->guessed[set];
    }
    if (is_right) {
        return;
    }
    Symbols& symbols = *(Symbols*)shared_memory;
    const TextReader text(strings);
    number_symbols(alphabet->found, symbols);
    const SymbolFormat format(alphabet->found);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        state->symbols = format.count;
    }
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < strings.count; i += stride) {
        bool has_unknown = false;
        words[i] = first_word(text, text.span(i), prefix, format, symbols, has_unknown);
    }
}
