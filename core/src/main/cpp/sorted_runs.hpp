// Runs of equal keys: where each begins, and what is written of it.
#pragma once

#include <immintrin.h>

#include "sorted_keys.hpp"

namespace sorted {

// Bytes of a memory page and of a cache line.
constexpr uint64_t PAGE = 4096;
constexpr uint64_t LINE = 64;

// Fetches one line of what lies four pages behind `begin + offset`, for a loop with ascending offsets. Such a loop
// fetches from four pages by turns, which is faster than one page after the other.
inline void fetchAhead(const void* begin, uint64_t offset) {
    uint64_t line = offset / LINE % (4 * PAGE / LINE);
    uint64_t ahead = (offset / (4 * PAGE) + 1) * (4 * PAGE) + line % 4 * PAGE + line / 4 * LINE;
    __builtin_prefetch(static_cast<const char*>(begin) + ahead);
}

// The places of the bits that are set in each byte, one after the other.
struct BitPlaces {
    uint8_t of[256][8];

    constexpr BitPlaces() : of() {
        for (int byte = 0; byte < 256; byte++) {
            int count = 0;
            for (int bit = 0; bit < 8; bit++) {
                of[byte][count] = static_cast<uint8_t>(bit);
                count += byte >> bit & 1;
            }
        }
    }
};

constexpr BitPlaces BIT_PLACES;

inline __m256i load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }

inline __m128i loadHalf(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }

inline __m128i loadEight(const void* from) { return _mm_loadl_epi64(static_cast<const __m128i*>(from)); }

// Returns a bit for each of eight keys that differs from the one before it.
inline unsigned changes(const int8_t* keys) {
    return 0xff & ~static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(loadEight(keys), loadEight(keys - 1))));
}

inline unsigned changes(const int16_t* keys) {
    __m128i equal = _mm_cmpeq_epi16(loadHalf(keys), loadHalf(keys - 1));
    return 0xff & ~static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(equal, equal)));
}

inline unsigned changes(const int32_t* keys) {
    __m256i equal = _mm256_cmpeq_epi32(load(keys), load(keys - 1));
    return 0xff ^ static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(equal)));
}

inline unsigned changes(const int64_t* keys) {
    __m256i low = _mm256_cmpeq_epi64(load(keys), load(keys - 1));
    __m256i high = _mm256_cmpeq_epi64(load(keys + 4), load(keys + 3));
    int lowEqual = _mm256_movemask_pd(_mm256_castsi256_pd(low));
    int highEqual = _mm256_movemask_pd(_mm256_castsi256_pd(high));
    return 0xff ^ static_cast<unsigned>(highEqual << 4 | lowEqual);
}

// Writes the places, from 1 on, of the keys that differ from the one before them, and returns how many there are.
template <typename K>
int64_t heads(const void* memory, int64_t count, int32_t* places) {
    auto keys = static_cast<const K*>(memory);
    int32_t* next = places;
    int64_t i = 1;
    constexpr int64_t IN_LINE = LINE / sizeof(K);
    for (; i + IN_LINE <= count; i += IN_LINE) {
        fetchAhead(keys, static_cast<uint64_t>(i - 1) * sizeof(K));
        // There is room for eight places at a time, since at least eight keys are left.
        for (int64_t j = i; j < i + IN_LINE; j += 8) {
            unsigned changed = changes(keys + j);
            __m128i bits = loadEight(BIT_PLACES.of[changed]);
            __m256i found = _mm256_add_epi32(_mm256_cvtepu8_epi32(bits), _mm256_set1_epi32(static_cast<int32_t>(j)));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(next), found);
            next += __builtin_popcount(changed);
        }
    }
    for (; i < count; i++) {
        *next = static_cast<int32_t>(i);
        next += keys[i] != keys[i - 1];
    }
    return next - places;
}

template <typename T>
void gather(const void* memory, const int32_t* places, int64_t count, void* target) {
    auto from = static_cast<const T*>(memory);
    auto to = static_cast<T*>(target);
    constexpr int64_t BLOCK = 8;
    int64_t i = 0;
    for (; i + BLOCK <= count; i += BLOCK) {
        // Where nearly all keys differ, most places follow one another.
        if (places[i + BLOCK - 1] - places[i] == BLOCK - 1) {
            __builtin_memcpy(to + i, from + places[i], BLOCK * sizeof(T));
        } else {
            for (int64_t j = i; j < i + BLOCK; j++) {
                to[j] = from[places[j]];
            }
        }
    }
    for (; i < count; i++) {
        to[i] = from[places[i]];
    }
}

template <typename N>
void offsets(const int32_t* places, int64_t count, int64_t base, N* target) {
    for (int64_t i = 0; i < count; i++) {
        target[i] = static_cast<N>(base + places[i]);
    }
}

template <typename N>
void lengths(const int32_t* places, int64_t count, int64_t first, N* target) {
    if (count > 0) {
        target[0] = static_cast<N>(first);
    }
    for (int64_t i = 1; i < count; i++) {
        target[i] = static_cast<N>(places[i] - places[i - 1]);
    }
}

}  // namespace sorted
