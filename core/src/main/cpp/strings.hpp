// Strings of bytes, one after the other, and the words by which they are compared. For any x86-64 processor.
#pragma once

#include <stdint.h>

// How strings are compared, as bits of a number.
enum StringOrder { IGNORES_CASE = 1, REVERSED = 2 };

// All strings of a sort.
//   text         their bytes, of which `textBytes` may be read
//   offsets      where each begins, and where the last one ends: int32_t, or int64_t if they are wide
//   terminators  how many bytes at the end of each are not compared
class Strings {
  public:
    // How many bytes of a string a word has. The lowest byte of a word is the number of bytes in it, or a greater
    // number if the string goes on.
    static constexpr int64_t WORD_BYTES = 7;

    const char* text;
    int64_t textBytes;
    const void* offsets;
    bool isWide;
    int64_t terminators;
    bool ignoresCase;
    // The bits of a word that are inverted.
    uint64_t inverted;

    explicit Strings(const int64_t* fields)
        : text(reinterpret_cast<const char*>(fields[0])),
          textBytes(fields[1]),
          offsets(reinterpret_cast<const void*>(fields[2])),
          isWide(fields[3] == sizeof(int64_t)),
          terminators(fields[4]),
          ignoresCase((fields[5] & IGNORES_CASE) != 0),
          inverted((fields[5] & REVERSED) != 0 ? ~uint64_t{0} : 0) {}

    int64_t start(int64_t i) const {
        return isWide ? static_cast<const int64_t*>(offsets)[i] : static_cast<const int32_t*>(offsets)[i];
    }

    // Returns where the compared part of a string ends.
    int64_t end(int64_t i) const {
        int64_t begin = start(i);
        int64_t end = start(i + 1) - terminators;
        return end < begin ? begin : end;
    }

    // Returns the word of string i after its first `depth` bytes; it must have these. Words compare as the strings do,
    // as far as they reach.
    uint64_t word(int64_t i, int64_t depth) const {
        int64_t at = start(i) + depth;
        int64_t left = end(i) - at;
        uint64_t kept = left < WORD_BYTES ? left : WORD_BYTES;
        uint64_t bytes = folded(eight(at)) & ~(~uint64_t{0} >> 8 * kept);
        return (bytes | (left > WORD_BYTES ? WORD_BYTES + 1 : kept)) ^ inverted;
    }

    // Returns whether strings with this word go on after it.
    bool goesOn(uint64_t word) const { return ((word ^ inverted) & 0xff) > WORD_BYTES; }

    // Returns how many bytes the strings have in common after the first `depth`, at most `limit`. Both must have this
    // many.
    int64_t common(int64_t i, int64_t j, int64_t depth, int64_t limit) const {
        int64_t at = start(i) + depth;
        int64_t other = start(j) + depth;
        for (int64_t done = 0; done < limit; done += 8) {
            uint64_t different = folded(eight(at + done)) ^ folded(eight(other + done));
            if (different != 0) {
                int64_t same = done + (__builtin_clzll(different) >> 3);
                return same < limit ? same : limit;
            }
        }
        return limit;
    }

    // Returns whether string i belongs after string j, or is equal to it.
    bool isOrdered(int64_t j, int64_t i) const {
        int64_t length = end(i) - start(i);
        int64_t other = end(j) - start(j);
        int64_t shorter = length < other ? length : other;
        int64_t same = common(i, j, 0, shorter);
        return word(j, same) <= word(i, same);
    }

  private:
    // Returns eight bytes of the text as a number, the first in its highest bits; those beyond the text are 0.
    uint64_t eight(int64_t at) const {
        uint64_t bytes = 0;
        if (at + 8 <= textBytes) {
            __builtin_memcpy(&bytes, text + at, 8);
            return __builtin_bswap64(bytes);
        }
        for (int64_t i = 0; at + i < textBytes; i++) {
            bytes |= uint64_t{static_cast<uint8_t>(text[at + i])} << (56 - 8 * i);
        }
        return bytes;
    }

    // Turns small letters of ASCII into capitals if the order says so.
    uint64_t folded(uint64_t bytes) const {
        if (!ignoresCase) {
            return bytes;
        }
        constexpr uint64_t EACH = 0x0101010101010101;
        uint64_t low = bytes & 0x7f * EACH;
        uint64_t fromA = low + (0x80 - 'a') * EACH;
        uint64_t beyondZ = low + (0x80 - 'z' - 1) * EACH;
        return bytes ^ ((fromA & ~beyondZ & ~bytes & 0x80 * EACH) >> 2);
    }
};
