// Checks whether keys are in order already, and reverses them.
#pragma once

#include "vectors.hpp"

// The orders of keys, by number. Those of floating-point numbers are the orders of their bits, so that negative zeros
// come before zeros; NaNs with a sign bit come first.
enum Order { SIGNED = 0, UNSIGNED = 1, FLOATING = 2 };

template <class V, Order ORDER>
INLINE __m512i ranks(__m512i v) {
    return ORDER == UNSIGNED ? _mm512_xor_si512(v, V::all(static_cast<typename V::Key>(~V::GREATEST)))
        : ORDER == FLOATING  ? V::fromFloating(v)
                             : v;
}

// Returns whether no key is greater (DESCENDING: less) than the next. Each vector is loaded and ranked once, and its
// neighbours are shifted in: where keys have to be ranked, loading the neighbours separately takes three times as long
// on Zen 5.
template <class V, Order ORDER, bool DESCENDING>
[[gnu::noinline]] bool runs(const typename V::Key* keys, int64_t count) {
    auto areBroken = [](__m512i rank, __m512i next) {
        return DESCENDING ? V::greater(next, rank) : V::greater(rank, next);
    };
    int64_t i = 0;
    if (count >= V::LANES) {
        __m512i rank = ranks<V, ORDER>(V::load(keys));
        for (; i + 5 * V::LANES <= count; i += 4 * V::LANES) {
            const typename V::Key* at = keys + i;
            typename V::Mask any = 0;
#pragma GCC unroll 4
            for (int j = 0; j < 4; j++) {
                _mm_prefetch(reinterpret_cast<const char*>(at) + 4096 + 64 * j, _MM_HINT_T0);
                __m512i following = ranks<V, ORDER>(V::load(at + (j + 1) * V::LANES));
                any |= areBroken(rank, V::shiftIn(rank, following));
                rank = following;
            }
            if (any != 0) {
                return false;
            }
        }
    }
    for (; i + 1 < count; i++) {
        if (areBroken(ranks<V, ORDER>(V::all(keys[i])), ranks<V, ORDER>(V::all(keys[i + 1]))) != 0) {
            return false;
        }
    }
    return true;
}

// Swaps the first `count` keys of two ranges that do not overlap.
template <class V>
void swapRanges(typename V::Key* first, typename V::Key* second, int64_t count) {
    int64_t i = 0;
    for (; i + V::LANES <= count; i += V::LANES) {
        __m512i v = V::load(first + i);
        V::store(first + i, V::load(second + i));
        V::store(second + i, v);
    }
    for (; i < count; i++) {
        typename V::Key key = first[i];
        first[i] = second[i];
        second[i] = key;
    }
}

// Swaps the first `count` keys from `first` on with the last before `end`, in reverse order.
template <class V>
void mirror(typename V::Key* first, typename V::Key* end, int64_t count) {
    int64_t i = 0;
    for (; i + V::LANES <= count; i += V::LANES) {
        __m512i v = V::template reverse<V::LANES>(V::load(first + i));
        V::store(first + i, V::template reverse<V::LANES>(V::load(end - i - V::LANES)));
        V::store(end - i - V::LANES, v);
    }
    for (; i < count; i++) {
        typename V::Key key = first[i];
        first[i] = end[-1 - i];
        end[-1 - i] = key;
    }
}
