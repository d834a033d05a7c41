// Brings records of any size into the order of their places.
#pragma once

#include <type_traits>

#include "vectors.hpp"

// Records are prefetched this many bytes before they are copied: reads at random places take as long as the memory
// needs to answer, however many are under way.
constexpr int64_t AHEAD_BYTES = 2048;

// Records pass through a stage of this size in the cache of a core, and go on from there in whole lines.
constexpr int64_t STAGE_BYTES = 8192;

constexpr int64_t LINE = 64;

// Copies memory past the caches, since it is not read soon.
inline void stream(char* target, const char* source, int64_t bytes) {
    int64_t head = -reinterpret_cast<uintptr_t>(target) & (LINE - 1);
    head = head < bytes ? head : bytes;
    __mmask64 first = (uint64_t{1} << head) - 1;
    _mm512_mask_storeu_epi8(target, first, _mm512_maskz_loadu_epi8(first, source));
    target += head;
    source += head;
    bytes -= head;
    for (; bytes >= LINE; bytes -= LINE) {
        _mm512_stream_si512(reinterpret_cast<__m512i*>(target), _mm512_loadu_si512(source));
        target += LINE;
        source += LINE;
    }
    __mmask64 last = (uint64_t{1} << bytes) - 1;
    _mm512_mask_storeu_epi8(target, last, _mm512_maskz_loadu_epi8(last, source));
}

// How the bits of a key are read; the class SimdRecords has the same numbers.
enum class Read : int64_t { INT = 0, LONG = 1, FLOAT = 2, DOUBLE = 3, BYTES = 4 };

// Returns bits in the order of the numbers at `from`, or of the eight bytes there, except for the sign bit; see the
// class KeyBits.
template <Read READ>
INLINE uint64_t readBits(const char* from) {
    int32_t number;
    int64_t wide;
    switch (READ) {
        case Read::INT: __builtin_memcpy(&number, from, 4); return static_cast<uint32_t>(number);
        case Read::FLOAT:
            __builtin_memcpy(&number, from, 4);
            return (static_cast<uint32_t>(number) ^ static_cast<uint32_t>(number >> 31) >> 1) - 0x7fffffU;
        case Read::LONG: __builtin_memcpy(&wide, from, 8); return static_cast<uint64_t>(wide);
        case Read::DOUBLE:
            __builtin_memcpy(&wide, from, 8);
            return (static_cast<uint64_t>(wide) ^ static_cast<uint64_t>(wide >> 63) >> 1) - 0xfffffffffffffUL;
        default: __builtin_memcpy(&wide, from, 8); return __builtin_bswap64(static_cast<uint64_t>(wide));
    }
}

// What is packed for each record: the bits of its key, with those of `flip` inverted, less `least`, and without the
// lowest `right` bits; below them the place of the record in `placeBits` bits. The record of this name in the class
// SimdRecords has the same fields, word for word.
struct Packing {
    Read read;
    int64_t offset;
    uint64_t flip;
    uint64_t least;
    int64_t right;
    int64_t placeBits;
};

// Calls a function object with the way of reading as a constant.
template <class F>
INLINE auto withRead(Read read, F f) {
    switch (read) {
        case Read::INT: return f(std::integral_constant<Read, Read::INT>());
        case Read::LONG: return f(std::integral_constant<Read, Read::LONG>());
        case Read::FLOAT: return f(std::integral_constant<Read, Read::FLOAT>());
        case Read::DOUBLE: return f(std::integral_constant<Read, Read::DOUBLE>());
        default: return f(std::integral_constant<Read, Read::BYTES>());
    }
}

// Copies `count` records, and writes their packed keys and places, with inverted sign bits, to `packed`. The place of
// the first record is `firstPlace`.
template <Read READ>
void pack(
    char* copy, int64_t* packed, const char* records, int64_t bytes, int64_t count, Packing how, int64_t firstPlace) {
    int64_t room = STAGE_BYTES / bytes;
    for (int64_t done = 0; done < count; done += room) {
        int64_t size = room < count - done ? room : count - done;
        const char* key = records + done * bytes + how.offset;
        for (int64_t i = done; i < done + size; i++) {
            uint64_t bits = (readBits<READ>(key) ^ how.flip) - how.least;
            packed[i] = static_cast<int64_t>(
                (bits >> how.right << how.placeBits | static_cast<uint64_t>(firstPlace + i)) ^ uint64_t{1} << 63);
            key += bytes;
        }
        stream(copy + done * bytes, records + done * bytes, size * bytes);
    }
    _mm_sfence();
}

// Copies one record, and touches no byte around it. The part of a record beyond whole vectors is copied together with
// bytes before it.
inline void copyRecord(char* target, const char* source, int64_t bytes) {
    if (bytes >= 64) {
        for (int64_t at = 0; at < bytes - 64; at += 64) {
            _mm512_storeu_si512(target + at, _mm512_loadu_si512(source + at));
        }
        _mm512_storeu_si512(target + bytes - 64, _mm512_loadu_si512(source + bytes - 64));
    } else if (bytes >= 32) {
        __m256i first = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(source));
        __m256i last = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(source + bytes - 32));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(target), first);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(target + bytes - 32), last);
    } else if (bytes >= 16) {
        __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(source));
        __m128i last = _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + bytes - 16));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(target), first);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(target + bytes - 16), last);
    } else {
        for (int64_t at = 0; at < bytes; at++) {
            target[at] = source[at];
        }
    }
}

// Copies the records at `count` places, the lowest bits of `places`, to `target`, one after the other.
inline void gather(
    char* target, const char* source, const int64_t* places, int64_t mask, int64_t bytes, int64_t count) {
    alignas(LINE) char stage[STAGE_BYTES];
    int64_t ahead = AHEAD_BYTES / bytes;
    int64_t room = STAGE_BYTES / bytes;
    auto ask = [&](int64_t i) {
        const char* record = source + (places[i] & mask) * bytes;
        for (int64_t at = 0; at < bytes; at += LINE) {
            _mm_prefetch(record + at, _MM_HINT_T0);
        }
        _mm_prefetch(record + bytes - 1, _MM_HINT_T0);
    };
    for (int64_t i = 0; i < ahead && i < count; i++) {
        ask(i);
    }
    for (int64_t done = 0; done < count; done += room) {
        int64_t size = room < count - done ? room : count - done;
        for (int64_t i = done; i < done + size; i++) {
            if (i + ahead < count) {
                ask(i + ahead);
            }
            copyRecord(stage + (i - done) * bytes, source + (places[i] & mask) * bytes, bytes);
        }
        stream(target + done * bytes, stage, size * bytes);
    }
    _mm_sfence();
}

// Returns the place of the first of the sorted numbers `from..to` that has the same bits as the one before, except for
// the lowest `bits`; `to` if there is none.
inline int64_t nextTie(const int64_t* numbers, int64_t bits, int64_t from, int64_t to) {
    __m512i least = _mm512_set1_epi64(int64_t{1} << bits);
    int64_t i = from;
    for (; i + 8 <= to; i += 8) {
        __m512i differences = _mm512_xor_si512(_mm512_loadu_si512(numbers + i), _mm512_loadu_si512(numbers + i - 1));
        __mmask8 ties = _mm512_cmplt_epu64_mask(differences, least);
        if (ties != 0) {
            return i + __builtin_ctz(ties);
        }
    }
    for (; i < to; i++) {
        if ((static_cast<uint64_t>(numbers[i] ^ numbers[i - 1]) >> bits) == 0) {
            return i;
        }
    }
    return to;
}
