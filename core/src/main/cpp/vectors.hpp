// Vectors of 64 bytes with keys, and their operations. `Longs` and `Ints` have the same for 8 and 4 bytes.
// `ComparedLongs` are for processors whose minima of longs are slow.
#pragma once

#include <immintrin.h>
#include <stdint.h>

#define INLINE inline __attribute__((always_inline))

struct Longs {
    using Key = int64_t;
    using Mask = __mmask8;
    static constexpr int LANES = 8;
    static constexpr Key GREATEST = INT64_MAX;
    // How many NaNs have a sign.
    static constexpr Key NEGATIVE_NANS = 0x000fffffffffffff;

    static INLINE __m512i all(Key key) { return _mm512_set1_epi64(key); }
    static INLINE __m512i min(__m512i a, __m512i b) { return _mm512_min_epi64(a, b); }
    static INLINE __m512i max(__m512i a, __m512i b) { return _mm512_max_epi64(a, b); }
    static INLINE void compareExchange(__m512i& a, __m512i& b) {
        __m512i least = min(a, b);
        b = max(a, b);
        a = least;
    }
    static INLINE __m512i maxWhere(Mask where, __m512i otherwise, __m512i a, __m512i b) {
        return _mm512_mask_max_epi64(otherwise, where, a, b);
    }
    static INLINE Mask greater(__m512i a, __m512i b) { return _mm512_cmpgt_epi64_mask(a, b); }
    static INLINE Mask notLess(__m512i a, __m512i b) { return _mm512_cmpge_epi64_mask(a, b); }
    static INLINE Mask unequal(__m512i a, __m512i b) { return _mm512_cmpneq_epi64_mask(a, b); }
    // Adds one to each lane of `counts` where a equals b.
    static INLINE __m512i countEqual(__m512i counts, __m512i a, __m512i b) {
        return _mm512_mask_sub_epi64(counts, _mm512_cmpeq_epi64_mask(a, b), counts, all(-1));
    }
    static INLINE int64_t sum(__m512i v) { return _mm512_reduce_add_epi64(v); }
    static INLINE __m512i add(__m512i a, __m512i b) { return _mm512_add_epi64(a, b); }
    // The numbers whose signed order is the order of these floating-point numbers.
    static INLINE __m512i fromFloating(__m512i v) {
        return _mm512_xor_si512(v, _mm512_srli_epi64(_mm512_srai_epi64(v, 63), 1));
    }
    // Drops the first lane and takes the first of another vector as the last.
    static INLINE __m512i shiftIn(__m512i v, __m512i following) { return _mm512_alignr_epi64(following, v, 1); }
    static INLINE __m512i load(const Key* from) { return _mm512_loadu_si512(from); }
    static INLINE __m512i load(Mask where, __m512i otherwise, const Key* from) {
        return _mm512_mask_loadu_epi64(otherwise, where, from);
    }
    static INLINE void store(Key* to, __m512i v) { _mm512_storeu_si512(to, v); }
    static INLINE void store(Key* to, Mask where, __m512i v) { _mm512_mask_storeu_epi64(to, where, v); }
    static INLINE __m512i compress(Mask where, __m512i v) { return _mm512_maskz_compress_epi64(where, v); }

    // Swaps each lane with the one whose number differs by the bit DISTANCE.
    template <int DISTANCE>
    static INLINE __m512i swap(__m512i v) {
        if constexpr (DISTANCE == 1) {
            return _mm512_shuffle_epi32(v, static_cast<_MM_PERM_ENUM>(0x4e));
        } else if constexpr (DISTANCE == 2) {
            return _mm512_permutex_epi64(v, 0x4e);
        } else {
            return _mm512_shuffle_i64x2(v, v, 0x4e);
        }
    }

    // Reverses each group of lanes.
    template <int GROUP>
    static INLINE __m512i reverse(__m512i v) {
        if constexpr (GROUP == 2) {
            return swap<1>(v);
        } else if constexpr (GROUP == 4) {
            return _mm512_permutex_epi64(v, 0x1b);
        } else {
            return _mm512_permutexvar_epi64(_mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7), v);
        }
    }

    // The lanes whose number has the bit DISTANCE.
    static constexpr Mask upper(int distance) { return distance == 1 ? 0xaa : distance == 2 ? 0xcc : 0xf0; }
};

// Intel's processors compute a minimum of longs by two instructions, which only one port executes; comparing once and
// choosing twice is shared by two ports.
struct ComparedLongs : Longs {
    static INLINE void compareExchange(__m512i& a, __m512i& b) {
        Mask swapped = greater(a, b);
        __m512i least = _mm512_mask_mov_epi64(a, swapped, b);
        b = _mm512_mask_mov_epi64(b, swapped, a);
        a = least;
    }
};

struct Ints {
    using Key = int32_t;
    using Mask = __mmask16;
    static constexpr int LANES = 16;
    static constexpr Key GREATEST = INT32_MAX;
    // How many NaNs have a sign.
    static constexpr Key NEGATIVE_NANS = 0x007fffff;

    static INLINE __m512i all(Key key) { return _mm512_set1_epi32(key); }
    static INLINE __m512i min(__m512i a, __m512i b) { return _mm512_min_epi32(a, b); }
    static INLINE __m512i max(__m512i a, __m512i b) { return _mm512_max_epi32(a, b); }
    static INLINE void compareExchange(__m512i& a, __m512i& b) {
        __m512i least = min(a, b);
        b = max(a, b);
        a = least;
    }
    static INLINE __m512i maxWhere(Mask where, __m512i otherwise, __m512i a, __m512i b) {
        return _mm512_mask_max_epi32(otherwise, where, a, b);
    }
    static INLINE Mask greater(__m512i a, __m512i b) { return _mm512_cmpgt_epi32_mask(a, b); }
    static INLINE Mask notLess(__m512i a, __m512i b) { return _mm512_cmpge_epi32_mask(a, b); }
    static INLINE Mask unequal(__m512i a, __m512i b) { return _mm512_cmpneq_epi32_mask(a, b); }
    static INLINE __m512i countEqual(__m512i counts, __m512i a, __m512i b) {
        return _mm512_mask_sub_epi32(counts, _mm512_cmpeq_epi32_mask(a, b), counts, all(-1));
    }
    static INLINE int64_t sum(__m512i v) { return _mm512_reduce_add_epi32(v); }
    static INLINE __m512i add(__m512i a, __m512i b) { return _mm512_add_epi32(a, b); }
    // The numbers whose signed order is the order of these floating-point numbers.
    static INLINE __m512i fromFloating(__m512i v) {
        return _mm512_xor_si512(v, _mm512_srli_epi32(_mm512_srai_epi32(v, 31), 1));
    }
    // Drops the first lane and takes the first of another vector as the last.
    static INLINE __m512i shiftIn(__m512i v, __m512i following) { return _mm512_alignr_epi32(following, v, 1); }
    static INLINE __m512i load(const Key* from) { return _mm512_loadu_si512(from); }
    static INLINE __m512i load(Mask where, __m512i otherwise, const Key* from) {
        return _mm512_mask_loadu_epi32(otherwise, where, from);
    }
    static INLINE void store(Key* to, __m512i v) { _mm512_storeu_si512(to, v); }
    static INLINE void store(Key* to, Mask where, __m512i v) { _mm512_mask_storeu_epi32(to, where, v); }
    static INLINE __m512i compress(Mask where, __m512i v) { return _mm512_maskz_compress_epi32(where, v); }

    template <int DISTANCE>
    static INLINE __m512i swap(__m512i v) {
        if constexpr (DISTANCE == 1) {
            return _mm512_shuffle_epi32(v, static_cast<_MM_PERM_ENUM>(0xb1));
        } else if constexpr (DISTANCE == 2) {
            return _mm512_shuffle_epi32(v, static_cast<_MM_PERM_ENUM>(0x4e));
        } else if constexpr (DISTANCE == 4) {
            return _mm512_shuffle_i32x4(v, v, 0xb1);
        } else {
            return _mm512_shuffle_i32x4(v, v, 0x4e);
        }
    }

    template <int GROUP>
    static INLINE __m512i reverse(__m512i v) {
        if constexpr (GROUP == 2) {
            return swap<1>(v);
        } else if constexpr (GROUP == 4) {
            return _mm512_shuffle_epi32(v, static_cast<_MM_PERM_ENUM>(0x1b));
        } else if constexpr (GROUP == 8) {
            __m512i lanes = _mm512_set_epi32(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
            return _mm512_permutexvar_epi32(lanes, v);
        } else {
            __m512i lanes = _mm512_set_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            return _mm512_permutexvar_epi32(lanes, v);
        }
    }

    static constexpr Mask upper(int distance) {
        return distance == 1 ? 0xaaaa : distance == 2 ? 0xcccc : distance == 4 ? 0xf0f0 : 0xff00;
    }
};

// The first `count` lanes, at most all of them.
template <class V>
INLINE typename V::Mask firstLanes(int count) {
    return static_cast<typename V::Mask>((1u << count) - 1);
}
