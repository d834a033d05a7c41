// What is done with keys that run up or down already.
#pragma once

#include "vectors.hpp"

// The orders of keys, by number. Those of floating-point numbers are the orders of their bits, so that negative zeros
// come before zeros; NaNs with a sign bit come first.
enum Order { SIGNED = 0, UNSIGNED = 1, FLOATING = 2 };

template <class V, Order ORDER>
INLINE __m512i ranks(__m512i v) {
    return ORDER == UNSIGNED   ? _mm512_xor_si512(v, V::all(static_cast<typename V::Key>(~V::GREATEST)))
           : ORDER == FLOATING ? V::fromFloating(v)
                               : v;
}

// Returns whether no key is greater (DESCENDING: less) than the next.
template <class V, Order ORDER, bool DESCENDING>
__attribute__((noinline)) bool runs(const typename V::Key* keys, int64_t count) {
    auto broken = [&](const typename V::Key* at, typename V::Mask where) {
        __m512i none = _mm512_setzero_si512();
        __m512i v = ranks<V, ORDER>(V::load(where, none, at));
        __m512i next = ranks<V, ORDER>(V::load(where, none, at + 1));
        return DESCENDING ? V::greater(next, v) : V::greater(v, next);
    };
    constexpr auto ALL = static_cast<typename V::Mask>(-1);
    int64_t i = 0;
    for (; i + 4 * V::LANES < count; i += 4 * V::LANES) {
        const typename V::Key* at = keys + i;
        _mm_prefetch(reinterpret_cast<const char*>(at) + 4096, _MM_HINT_T0);
        _mm_prefetch(reinterpret_cast<const char*>(at) + 4160, _MM_HINT_T0);
        _mm_prefetch(reinterpret_cast<const char*>(at) + 4224, _MM_HINT_T0);
        _mm_prefetch(reinterpret_cast<const char*>(at) + 4288, _MM_HINT_T0);
        auto any = static_cast<typename V::Mask>(
                broken(at, ALL) | broken(at + V::LANES, ALL) | broken(at + 2 * V::LANES, ALL)
                | broken(at + 3 * V::LANES, ALL));
        if (any != 0) {
            return false;
        }
    }
    for (; i + 1 < count; i += V::LANES) {
        int64_t left = count - 1 - i;
        if (broken(keys + i, firstLanes<V>(left < V::LANES ? static_cast<int>(left) : V::LANES)) != 0) {
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

// Swaps the first `count` keys from `first` on with the last before `end`, the other way round.
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
