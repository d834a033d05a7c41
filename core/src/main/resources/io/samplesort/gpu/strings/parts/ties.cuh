// Strings that earlier rounds could not tell apart. A round sorts words of 64 bits, each made of some bytes of a
// string, and groups of strings whose words are equal go on to the next round with the bytes after these.
//
// first_words.cuh has the words of the first round. Words of later rounds have, from the highest bit on: the number of
// the group; a code that says how the string compares with the first string of its group; bytes; and a digit that says
// how many bytes these are, or one more if the string goes on. So a zero byte differs from the end and sorts after it,
// and equal words of strings that have ended mean equal strings.
//
// If a string shares l bytes with the first one, its code is l if it comes before that one, and grows as l shrinks if
// it comes after it: strings that share more bytes lie nearer to each other. So each string skips what it shares with
// the first one, and it need not be known what the whole group shares.
#pragma once
#include "strings/parts/common_bytes.cuh"

// Strings that share at least kMostShared bytes with the first string have the code in the middle and no bytes. They
// share at least that many bytes with each other.
constexpr u32 kCodeBits = 8;
constexpr u64 kMiddleCode = 1 << (kCodeBits - 1);
constexpr u32 kDigitBits = 3;
constexpr u32 kMostWordBytes = (1 << kDigitBits) - 2;
static_assert(kMostShared < kMiddleCode, "codes of what comes before the first string are less than the middle");

// What kernels tell each other and the host. The host reads it by the same names (KernelStructs.TieState).
struct TieState {
    u64 guessed_prefix;  // how many bytes a sample of the strings shares
    u64 prefix;          // how many of these all strings share
    u64 symbols;         // how many bytes after these a word of the first round has
    u64 wrong;           // 0, or how far from the end the first string is whose offsets are wrong
    u64 has_skips;       // whether strings share more with the first one of their group than a thread examines
    u64 small_members;   // strings in small groups
    u64 tied;            // strings in larger groups, in the lower half; how many such groups in the upper half
};

// The data of one round. The host writes all fields as eight bytes each, by the same names (KernelStructs.Round).
struct Round {
    u64 count;                 // strings that this round sorts
    const WordKey<3>* sorted;  // their words in order: the number of a string in this round, then its word
    const u32* strings;        // the string of each number; null in the first round, where all strings are sorted
    const u32* places;  // where the i-th in order goes in the permutation; null in the first round, where it is i
    const u64* depths;  // [groups] how many bytes of a group's strings earlier rounds have used
    const u64* skips;   // [groups] how many more are shared by those that share more than kMostShared
    u64 word_bytes;     // how many bytes a word has
    TieState* state;

    __device__ __forceinline__ bool is_first() const { return strings == nullptr; }

    __device__ __forceinline__ u64 word(u64 i) const { return bits64(sorted[i], 1); }

    // Returns the string that comes i-th in this round.
    __device__ __forceinline__ u32 string(u64 i) const {
        const u32 number = sorted[i].words[0];
        return is_first() ? number : strings[number];
    }

    __device__ __forceinline__ u64 place(u64 i) const { return is_first() ? i : places[i]; }

    // Returns the bits of a word after the number of its group.
    __device__ __forceinline__ u32 tail_bits() const { return kCodeBits + 8 * (u32)word_bytes + kDigitBits; }
};

// The strings of larger groups, in their order. The host writes all fields as eight bytes each, by the same names
// (KernelStructs.TiedStrings).
struct TiedStrings {
    u64 count;
    u32* strings;  // [count]
    u32* places;   // [count] of the permutation
    u32* groups;   // [count] the number of the group
    u32* firsts;   // [groups] one string of the group, with which the others are compared
    u64* depths;   // [groups] how many bytes all strings of the group share, at least
    u64* skips;    // [groups] see Round
};

// Counts of strings and of groups in one number: groups in the upper half.
constexpr u32 kGroupShift = 32;

// A string of a small group: its number in the order of the round, how many strings of its group come before it in this
// order, and how many the group has. The entries of a group are consecutive.
constexpr u32 kBeforeShift = 32;
constexpr u32 kSizeShift = 40;

// Returns whether strings with this word have ended.
__device__ __forceinline__ bool has_ended(const Round& round, const Text& text, u64 word) {
    const u64 ordered = text.is_reversed != 0 ? ~word : word;
    if (round.is_first()) {
        return (ordered & 1) == 0;
    }
    const u32 tail = round.tail_bits();
    const u64 digit = ordered & ((1 << kDigitBits) - 1);
    const u64 code = (ordered & ((1ull << tail) - 1)) >> (tail - kCodeBits);
    return code == kMiddleCode ? digit == 0 : digit <= round.word_bytes;
}

// Returns how many bytes the strings of a group with this word share.
__device__ __forceinline__ u64 shared_bytes(const Round& round, const Text& text, u64 word) {
    if (round.is_first()) {
        return round.state->prefix + round.state->symbols;
    }
    const u32 tail = round.tail_bits();
    const u64 group = word >> tail;
    const u64 ordered = text.is_reversed != 0 ? ~word : word;
    const u64 code = (ordered & ((1ull << tail) - 1)) >> (tail - kCodeBits);
    const u64 depth = round.depths[group];
    if (code == kMiddleCode) {
        return depth + round.skips[group];
    }
    return depth + (code < kMiddleCode ? code : 2 * kMiddleCode - 1 - code) + round.word_bytes;
}
