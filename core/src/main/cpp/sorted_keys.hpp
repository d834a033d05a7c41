// Numbers as sorted keys, and the merge of two inputs for any processor.
#pragma once

#include <stdint.h>

namespace sorted {

constexpr int64_t FLOAT_NANS = 0x7fffff;
constexpr int64_t DOUBLE_NANS = 0xfffffffffffff;

// A kind of key. NANS is the number of NaNs with a sign; 0 for integers.
template <typename K, typename U, int64_t NANS>
struct Keys {
    using Key = K;
    using Unsigned = U;
    static constexpr int64_t NEGATIVE_NANS = NANS;

    // Returns a key as a signed integer in its order, as OrderedBits has it for floating-point numbers.
    static inline K ordered(K bits, K flip) {
        if constexpr (NANS != 0) {
            bits ^= static_cast<K>(static_cast<U>(bits >> (8 * sizeof(K) - 1)) >> 1);
            bits = static_cast<K>(static_cast<U>(bits) - static_cast<U>(NANS));
        }
        return bits ^ flip;
    }
};

using Ints = Keys<int32_t, uint32_t, 0>;
using Longs = Keys<int64_t, uint64_t, 0>;
using Floats = Keys<int32_t, uint32_t, FLOAT_NANS>;
using Doubles = Keys<int64_t, uint64_t, DOUBLE_NANS>;

inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

template <typename K>
void copy(K* to, const K* from, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        to[i] = from[i];
    }
}

// Merges two inputs from both ends at once: the two ends do not wait for each other.
template <typename L>
void mergeFew(const void* first, int64_t count, const void* second, int64_t otherCount, void* target, int64_t flips) {
    using K = typename L::Key;
    auto a = static_cast<const K*>(first);
    auto b = static_cast<const K*>(second);
    auto out = static_cast<K*>(target);
    auto flip = static_cast<K>(flips);
    const K* lastA = a + count - 1;
    const K* lastB = b + otherCount - 1;
    K* last = out + count + otherCount - 1;
    // Neither input can come to its end in this many steps.
    for (int64_t steps; (steps = least(lastA - a + 1, lastB - b + 1) / 2) > 0;) {
        for (; steps > 0; steps--) {
            K x = *a;
            K y = *b;
            bool takesSecond = L::ordered(y, flip) < L::ordered(x, flip);
            *out++ = takesSecond ? y : x;
            a += !takesSecond;
            b += takesSecond;
            K endX = *lastA;
            K endY = *lastB;
            bool takesFirst = L::ordered(endX, flip) > L::ordered(endY, flip);
            *last-- = takesFirst ? endX : endY;
            lastA -= takesFirst;
            lastB -= !takesFirst;
        }
    }
    while (a <= lastA && b <= lastB) {
        *out++ = L::ordered(*b, flip) < L::ordered(*a, flip) ? *b++ : *a++;
    }
    copy(out, a, lastA - a + 1);
    copy(out + (lastA - a + 1), b, lastB - b + 1);
}

// The kinds of keys; the class SortedKernels has the same numbers.
enum Kind { INT = 0, LONG = 1, FLOAT = 2, DOUBLE = 3 };

}  // namespace sorted
