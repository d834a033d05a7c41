// Ends of lines, and copies of lines in another order. For any x86-64 processor.
#pragma once

#include <emmintrin.h>

#include "strings.hpp"

// Calls `found` with the place of each byte `terminator` in `text[0..bytes)`, in order, until it returns false.
template <class Found>
void findEnds(const char* text, int64_t bytes, char terminator, Found found) {
    __m128i wanted = _mm_set1_epi8(terminator);
    int64_t at = 0;
    for (; at + 16 <= bytes; at += 16) {
        __m128i next = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + at));
        for (uint32_t equal = _mm_movemask_epi8(_mm_cmpeq_epi8(next, wanted)); equal != 0; equal &= equal - 1) {
            if (!found(at + __builtin_ctz(equal))) {
                return;
            }
        }
    }
    for (; at < bytes; at++) {
        if (text[at] == terminator && !found(at)) {
            return;
        }
    }
}

// Copies a line. It may read and write 15 bytes more.
inline void copyLine(char* target, const char* source, int64_t bytes) {
    constexpr int64_t LONG = 512;
    if (bytes > LONG) {
        asm volatile("rep movsb" : "+D"(target), "+S"(source), "+c"(bytes) : : "memory");
        return;
    }
    for (int64_t at = 0; at < bytes; at += 16) {
        _mm_storeu_si128(
            reinterpret_cast<__m128i*>(target + at), _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + at)));
    }
}

// What a copy of lines has done.
struct Gathered {
    int64_t bytes = 0;
    int64_t dropped = 0;
    int64_t droppedBytes = 0;
    // Of lines behind their numbers: how many, their bytes, and the sum of the numbers.
    int64_t lines = 0;
    int64_t lineBytes = 0;
    int64_t counted = 0;
};

// Prefetches the places of lines that are this far ahead, and the bytes of those half as far.
constexpr int64_t AHEAD = 16;

inline void prefetchLines(const Strings& lines, const uint32_t* permutation, int64_t i, int64_t to) {
    if (i + AHEAD < to) {
        const char* offsets = static_cast<const char*>(lines.offsets);
        __builtin_prefetch(offsets + int64_t{permutation[i + AHEAD]} * (lines.isWide ? 8 : 4));
    }
    if (i + AHEAD / 2 < to) {
        __builtin_prefetch(lines.text + lines.start(permutation[i + AHEAD / 2]));
    }
}

inline bool areEqual(const Strings& keys, int64_t one, int64_t other) {
    int64_t length = keys.end(one) - keys.start(one);
    return keys.end(other) - keys.start(other) == length && keys.common(other, one, 0, length) == length;
}

// Copies lines in the order of `permutation[from..to)`, one after the other, until one is longer than the room that is
// left, or than `longest`. The target has 15 bytes more, and so has the text after the lines.
//   keys  what stands for the lines if those that are equal to the one before are left out; null otherwise
// Returns the place of the first line that was not handled.
inline int64_t gatherLines(
    const Strings& lines, const Strings* keys, const uint32_t* permutation, int64_t from, int64_t to, char* target,
    int64_t room, int64_t longest, Gathered& done) {
    int64_t i = from;
    for (; i < to; i++) {
        prefetchLines(lines, permutation, i, to);
        int64_t line = permutation[i];
        int64_t start = lines.start(line);
        int64_t bytes = lines.start(line + 1) - start;
        if (keys != nullptr && i > 0 && areEqual(*keys, line, permutation[i - 1])) {
            done.dropped++;
            done.droppedBytes += bytes;
            continue;
        }
        if (bytes > room - done.bytes || bytes > longest) {
            break;
        }
        copyLine(target + done.bytes, lines.text + start, bytes);
        done.bytes += bytes;
    }
    return i;
}

// Writes a number that is not negative and a space, aligned to the right in `columns`, or wider. Returns the end.
inline char* writeNumber(char* target, int64_t number, int64_t columns) {
    int64_t digits = 1;
    for (int64_t left = number / 10; left != 0; left /= 10) {
        digits++;
    }
    int64_t width = digits < columns ? columns : digits;
    for (int64_t at = width - 1; at >= 0; at--, number /= 10) {
        target[at] = number != 0 || at == width - 1 ? static_cast<char>('0' + number % 10) : ' ';
    }
    target[width] = ' ';
    return target + width + 1;
}

// Copies lines in the order of `permutation[from..to)` as `gatherLines` does, but the first one of equal lines alone,
// behind their number. The line at `from` differs from the one before. Lines that are equal to the last one may lie
// beyond `to`.
//   count    how many places there are
//   numbers  the bytes that one number may take
// Returns the place of the first line that was not handled; may be more than `to`.
inline int64_t countLines(
    const Strings& lines, const Strings& keys, const uint32_t* permutation, int64_t from, int64_t to, int64_t count,
    int64_t columns, int64_t numbers, char* target, int64_t room, Gathered& done) {
    int64_t i = from;
    while (i < to) {
        int64_t line = permutation[i];
        int64_t start = lines.start(line);
        int64_t bytes = lines.start(line + 1) - start;
        if (numbers + bytes > room - done.bytes) {
            break;
        }
        int64_t next = i;
        while (true) {
            prefetchLines(lines, permutation, next, count);
            next++;
            if (next == count || !areEqual(keys, permutation[next], permutation[next - 1])) {
                break;
            }
            int64_t repeated = permutation[next];
            done.dropped++;
            done.droppedBytes += lines.start(repeated + 1) - lines.start(repeated);
        }
        char* text = writeNumber(target + done.bytes, next - i, columns);
        copyLine(text, lines.text + start, bytes);
        done.lines++;
        done.lineBytes += bytes;
        done.counted += next - i;
        done.bytes = text + bytes - target;
        i = next;
    }
    return i;
}
