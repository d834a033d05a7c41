// Takes a sample before the first round: in many inputs all strings share a beginning, such as "https://www.", and have
// few of the 256 bytes after it.
#pragma once
#include "strings/parts/alphabet.cuh"
#include "strings/parts/ties.cuh"

// How many strings a thread examines.
constexpr u32 kGuessedStrings = 2;

// In shared memory.
struct Guess {
    u32 prefix;
    u32 occurring[kByteSets];
};
constexpr u32 kGuessSharedBytes = sizeof(Guess);

__device__ __forceinline__ Span guessed_span(const TextReader& text, u32 k) {
    const u64 sampled = (u64)kGuessedStrings * blockDim.x;
    return text.span(text.text.count * (k * blockDim.x + threadIdx.x) / sampled);
}

// Finds how many bytes a sample of strings shares with the first string, and which bytes follow these. This takes one
// block.
extern "C" __global__ void guess_prefix(const Text strings, TieState* state, Alphabet* alphabet) {
    const TextReader text(strings);
    Guess& guess = *(Guess*)shared_memory;
    if (threadIdx.x == 0) {
        guess.prefix = kMostShared;
    }
    if (threadIdx.x < kByteSets) {
        guess.occurring[threadIdx.x] = 0;
    }
    __syncthreads();
    const Span first = text.span(0);
    u32 shared = kMostShared;
#pragma unroll
    for (u32 k = 0; k < kGuessedStrings; ++k) {
        const Span span = guessed_span(text, k);
        const u64 most = min_of(first.length(), span.length());
        shared = (u32)min_of<u64>(common_bytes(text, first.begin, span.begin, most, kMostShared), shared);
    }
    atomicMin(&guess.prefix, shared);
    __syncthreads();
    const u64 prefix = guess.prefix;
    u32 occurring[kByteSets] = {};
    for (u32 k = 0; k < kGuessedStrings; ++k) {
        const Span span = guessed_span(text, k);
        const u64 begin = span.begin + prefix;
        const u32 used = (u32)min_of<u64>(span.end - begin, kMostSymbols);
#pragma unroll
        for (u32 done = 0; done < kMostSymbols; done += kWordBytes) {
            const u64 word = text.bytes(begin + done, begin + used);
#pragma unroll
            for (u32 i = 0; i < kWordBytes; ++i) {
                const u32 byte = (u32)(word >> (56 - 8 * i)) & 0xff;
                const u32 bit = done + i < used ? 1u << byte % 32 : 0;
#pragma unroll
                for (u32 set = 0; set < kByteSets; ++set) {
                    occurring[set] |= byte / 32 == set ? bit : 0;
                }
            }
        }
    }
#pragma unroll
    for (u32 set = 0; set < kByteSets; ++set) {
        u32 all = occurring[set];
        for (u32 distance = kWarpSize / 2; distance > 0; distance /= 2) {
            all |= __shfl_xor_sync(kAllLanes, all, (int)distance);
        }
        if (threadIdx.x % kWarpSize == 0) {
            atomicOr(&guess.occurring[set], all);
        }
    }
    __syncthreads();
    if (threadIdx.x < kByteSets) {
        alphabet->guessed[threadIdx.x] = guess.occurring[threadIdx.x];
        alphabet->found[threadIdx.x] = guess.occurring[threadIdx.x];
    }
    if (threadIdx.x == 0) {
        state->guessed_prefix = prefix;
        state->prefix = prefix;
        state->symbols = SymbolFormat(guess.occurring).count;
    }
}
