// The words of the first round.
#pragma once

__device__ __forceinline__ u64 first_word(const TextReader& text, Span span, u64 prefix) {
    const u64 begin = span.begin + prefix;
    const u64 rest = span.end - begin;
    const u64 used = min_of<u64>(rest, kFirstWordBytes);
    const u64 word = text.bytes(begin, begin + used) | (rest > kFirstWordBytes ? kMoreBytes : used);
    return text.text.is_reversed != 0 ? ~word : word;
}

// Makes the words behind the guessed prefix, and finds whether all strings have this prefix.
// Also tells of wrong offsets: then nothing is written to the permutation.
extern "C" __global__ void make_words(const Text strings, u64* words, TieState* state) {
    const TextReader text(strings);
    const u64 prefix = state->guessed_prefix;
    const Span first = text.span(0);
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < strings.count; i += stride) {
        if (text.is_wrong(i)) {
            atomicMax(&state->wrong, strings.count - i);
        }
        const Span span = text.span(i);
        if (prefix > 0) {
            const u64 common =
                common_bytes(text, first.begin, span.begin, min_of(prefix, span.length()), kMostShared);
            if (common < prefix) {
                atomicMin(&state->prefix, common);
                continue;
            }
        }
        words[i] = first_word(text, span, prefix);
    }
}

// Makes the words anew where the guess was wrong.
extern "C" __global__ void correct_words(const Text strings, u64* words, const TieState* state) {
    const u64 prefix = state->prefix;
    if (prefix == state->guessed_prefix) {
        return;
    }
    const TextReader text(strings);
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < strings.count; i += stride) {
        words[i] = first_word(text, text.span(i), prefix);
    }
}
