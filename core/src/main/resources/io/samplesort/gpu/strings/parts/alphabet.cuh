// The bytes that occur in the words of the first round. Usually these are few of the 256, so numbering them takes fewer
// bits: a word has 12 small letters instead of 7. A sample tells which bytes there are, and the kernel that makes the
// words finds those that the sample has missed.
#pragma once
#include "strings/parts/text.cuh"

constexpr u32 kByteValues = 256;
constexpr u32 kByteSets = kByteValues / 32;

// A word has no more symbols than this, so that the sample covers all their places.
constexpr u32 kMostSymbols = 16;

// In global memory. Bit b % 32 of [b / 32] says whether byte b occurs.
struct Alphabet {
    u32 guessed[kByteSets];
    u32 found[kByteSets];  // in all strings, once the words are made
};

// The number of each byte that occurs, from 1 on, and 0 for the others. In shared memory.
struct Symbols {
    u16 numbers[kByteValues];
};
constexpr u32 kSymbolsSharedBytes = sizeof(Symbols);

// The format of words: the number of symbols, and the bits of each. Zero bits stand for places beyond the end of a
// string.
struct SymbolFormat {
    u32 bits;
    u32 count;
    u64 lowest_bits;  // of all symbols

    // Makes the format for these bytes. The lowest bit of a word says whether the string goes on.
    __device__ __forceinline__ explicit SymbolFormat(const u32* occurring) {
        u32 different = 0;
        for (u32 set = 0; set < kByteSets; ++set) {
            different += (u32)__popc(occurring[set]);
        }
        bits = max_of<u32>(32 - (u32)__clz((int)different), 1);
        count = min_of(63 / bits, kMostSymbols);
        lowest_bits = 0;
        for (u32 symbol = 0; symbol < count; ++symbol) {
            lowest_bits = lowest_bits << bits | 1;
        }
    }

    // Returns whether the bits of any symbol are zero: when 1 is subtracted from each, the lowest such symbol borrows,
    // and so gets a highest bit that it did not have.
    __device__ __forceinline__ bool has_zero(u64 word) const {
        return ((word - lowest_bits) & ~word & lowest_bits << (bits - 1)) != 0;
    }
};

// Numbers the bytes that occur. All threads of a block call this.
__device__ __forceinline__ void number_symbols(const u32* occurring, Symbols& symbols) {
    for (u32 byte = threadIdx.x; byte < kByteValues; byte += blockDim.x) {
        u32 below = 0;
        for (u32 set = 0; set < kByteSets; ++set) {
            const u32 counted = set < byte / 32 ? kAllLanes : set == byte / 32 ? (1u << byte % 32) - 1 : 0;
            below += (u32)__popc(occurring[set] & counted);
        }
        symbols.numbers[byte] = (u16)((occurring[byte / 32] >> byte % 32 & 1) != 0 ? below + 1 : 0);
    }
    __syncthreads();
}

// Notes that a byte occurs.
__device__ __forceinline__ void add_byte(Alphabet& alphabet, u32 byte) {
    volatile u32* set = &alphabet.found[byte / 32];
    const u32 bit = 1u << byte % 32;
    if ((*set & bit) == 0) {
        atomicOr(&alphabet.found[byte / 32], bit);
    }
}

// Notes all bytes from one place to another.
__device__ __forceinline__ void add_bytes(Alphabet& alphabet, const TextReader& text, u64 begin, u64 end) {
    for (u64 at = begin; at < end; ++at) {
        add_byte(alphabet, (u32)(text.bytes(at, at + 1) >> 56));
    }
}
