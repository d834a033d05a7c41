// Sorts many short segments of an array, each by itself, in one call: a call from Java takes longer than sorting a few
// dozen keys.
#pragma once

#include "pairs.hpp"

// The numbers whose ascending signed order is the order of the keys. NaNs become the greatest, as in Java's order,
// which subtracting the number of those with a sign does: they wrap around to the end.
template <class V>
struct Coding {
    using Key = typename V::Key;
    bool isFloating;
    Key flip;

    Coding(Order order, bool isDescending)
        : isFloating(order == FLOATING),
          flip(static_cast<Key>((order == UNSIGNED ? ~V::GREATEST : 0) ^ (isDescending ? -1 : 0))) {}

    INLINE bool changesKeys() const { return isFloating || flip != 0; }

    INLINE __m512i encoded(__m512i v) const {
        __m512i number = isFloating ? V::add(V::fromFloating(v), V::all(-V::NEGATIVE_NANS)) : v;
        return _mm512_xor_si512(number, V::all(flip));
    }

    INLINE __m512i decoded(__m512i v) const {
        __m512i number = _mm512_xor_si512(v, V::all(flip));
        return isFloating ? V::fromFloating(V::add(number, V::all(V::NEGATIVE_NANS))) : number;
    }
};

template <bool DECODES, class V>
[[gnu::noinline]] void recode(Coding<V> coding, typename V::Key* keys, int64_t count) {
    for (int64_t i = 0; i < count; i += V::LANES) {
        auto lanes = firstLanes<V>(count - i < V::LANES ? static_cast<int>(count - i) : V::LANES);
        __m512i v = V::load(lanes, V::all(0), keys + i);
        V::store(keys + i, lanes, DECODES ? coding.decoded(v) : coding.encoded(v));
    }
}

// Sorts keys without payload.
template <class V>
struct OneKeys {
    typename V::Key* keys;

    INLINE void sortOne(int64_t from, int64_t count) const {
        if (count <= V::LANES) {
            sortRows<V, 1>(keys + from, static_cast<int>(count));
        } else if (count <= FEW<V>) {
            sortFew<V>(keys + from, static_cast<int>(count));
        } else {
            sort<V, false>(keys + from, count);
        }
    }
};

// Sorts keys with their payload.
template <class V, class L, class P>
struct OnePairs {
    Pairs<typename V::Key, P> pairs;
    int64_t* scratch;

    INLINE void sortOne(int64_t from, int64_t count) const {
        quickSort<V, L, false>(pairs + from, count, depthLimit(count), nullptr, nullptr, scratch);
    }
};

// Segments that together have this many keys, or one that has more, are recoded and sorted while they are in the
// fastest cache.
constexpr int64_t KEYS_AT_A_TIME = 2048;

// Segment i has the keys from offsets[i] up to offsets[i + 1].
template <class V, class One>
void sortSegments(Coding<V> coding, typename V::Key* keys, const int64_t* offsets, int64_t from, int64_t to, One one) {
    while (from < to) {
        int64_t start = offsets[from];
        int64_t end = from + 1;
        if (coding.changesKeys()) {
            while (end < to && offsets[end + 1] - start <= KEYS_AT_A_TIME) {
                end++;
            }
            recode<false>(coding, keys + start, offsets[end] - start);
        } else {
            end = to;
        }
        for (int64_t i = from; i < end; i++) {
            int64_t count = offsets[i + 1] - offsets[i];
            if (count > 1) {
                one.sortOne(offsets[i], count);
            }
        }
        if (coding.changesKeys()) {
            recode<true>(coding, keys + start, offsets[end] - start);
        }
        from = end;
    }
}
