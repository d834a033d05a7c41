// The words of the first round, from the highest bit on: symbols (alphabet.cuh), and a bit that says whether the string
// goes on after them. A symbol of zero bits comes before all others and stands for places after the end, so equal words
// of strings that have ended mean equal strings, whatever bytes these hold.
#pragma once
#include "strings/parts/alphabet.cuh"

// Returns the word of a string after its first `prefix` bytes. `has_unknown` becomes true if a byte has no number.
__device__ __forceinline__ u64 first_word(
    const TextReader& text, Span span, u64 prefix, SymbolFormat format, const Symbols& symbols, bool& has_unknown) {
    const u64 begin = span.begin + prefix;
    const u64 rest = span.end - begin;
    const u32 used = (u32)min_of<u64>(rest, format.count);
    u64 word = 0;
    for (u32 done = 0; done < format.count; done += kWordBytes) {
        const u64 next = text.bytes(begin + done, begin + used);
#pragma unroll
        for (u32 i = 0; i < kWordBytes; ++i) {
            if (done + i < format.count) {
                word = word << format.bits | symbols.numbers[next >> (56 - 8 * i) & 0xff];
            }
        }
    }
    const u64 behind = (1ull << (format.count - used) * format.bits) - 1;
    has_unknown = format.has_zero(word | behind);
    word &= ~behind;
    word = word << 1 | (rest > format.count ? 1 : 0);
    return text.text.is_reversed != 0 ? ~word : word;
}
