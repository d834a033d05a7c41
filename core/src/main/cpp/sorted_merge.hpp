// Merges of two sorted inputs of numbers, by vectors of 32 bytes. Equal keys have the same bits, so that no one can
// tell in which order they come.
#pragma once

#include <immintrin.h>

#include "sorted_keys.hpp"

namespace sorted {

// This many parts of a merge are worked on by turns, so that they do not wait for each other.
constexpr int CHAINS = 4;

// Fewer keys are merged in one part.
constexpr int64_t FEWEST_IN_PARTS = 2048;

// Vectors of keys as signed integers in their order.
template <class L>
struct Vectors {
    using Key = typename L::Key;
    static constexpr int LANES = 32 / sizeof(Key);
    typedef Key Vector __attribute__((vector_size(32)));
    typedef typename L::Unsigned Bits __attribute__((vector_size(32)));

    static inline Vector mirrored(Vector v) {
        return v ^ reinterpret_cast<Vector>(reinterpret_cast<Bits>(v >> (8 * sizeof(Key) - 1)) >> 1);
    }

    static inline Vector load(const Key* from, Key flip) {
        Vector v;
        __builtin_memcpy(&v, from, sizeof v);
        if constexpr (L::NEGATIVE_NANS != 0) {
            v = mirrored(v) - static_cast<Key>(L::NEGATIVE_NANS);
        }
        return v ^ flip;
    }

    // Returns the first lane in all lanes.
    static inline Vector first(Vector v) { return __builtin_shuffle(v, Vector{}); }

    // Returns how many lanes hold before the first one that does not.
    static inline int64_t leading(Vector holds) {
        int mask;
        if constexpr (LANES == 8) {
            mask = _mm256_movemask_ps(reinterpret_cast<__m256>(holds));
        } else {
            mask = _mm256_movemask_pd(reinterpret_cast<__m256d>(holds));
        }
        return __builtin_ctz(~mask);
    }

    static inline void store(Key* to, Vector v, Key flip) {
        v ^= flip;
        if constexpr (L::NEGATIVE_NANS != 0) {
            v = mirrored(v + static_cast<Key>(L::NEGATIVE_NANS));
        }
        __builtin_memcpy(to, &v, sizeof v);
    }

    static inline Vector min(Vector a, Vector b) { return a < b ? a : b; }
    static inline Vector max(Vector a, Vector b) { return a < b ? b : a; }

    static inline Vector reversed(Vector v) {
        if constexpr (LANES == 8) {
            return __builtin_shuffle(v, Vector{7, 6, 5, 4, 3, 2, 1, 0});
        } else {
            return __builtin_shuffle(v, Vector{3, 2, 1, 0});
        }
    }

    // Sorts two bitonic vectors. Lanes that are compared are brought to the same places of two vectors, so that each
    // instruction works on both.
    static inline void merge(Vector& low, Vector& high) {
        swapHalves(low, high);
        exchange(low, high);
        swapQuarters(low, high);
        exchange(low, high);
        if constexpr (LANES == 8) {
            auto a = reinterpret_cast<__m256>(low);
            auto b = reinterpret_cast<__m256>(high);
            low = reinterpret_cast<Vector>(_mm256_shuffle_ps(a, b, 0x88));
            high = reinterpret_cast<Vector>(_mm256_shuffle_ps(a, b, 0xdd));
            exchange(low, high);
            auto even = reinterpret_cast<__m256i>(low);
            auto odd = reinterpret_cast<__m256i>(high);
            low = reinterpret_cast<Vector>(_mm256_unpacklo_epi32(even, odd));
            high = reinterpret_cast<Vector>(_mm256_unpackhi_epi32(even, odd));
        }
        swapQuarters(low, high);
        swapHalves(low, high);
    }

  private:
    static inline void exchange(Vector& a, Vector& b) {
        Vector least = min(a, b);
        b = max(a, b);
        a = least;
    }

    // Exchanges the second half of one vector and the first half of the other.
    static inline void swapHalves(Vector& first, Vector& second) {
        auto a = reinterpret_cast<__m256i>(first);
        auto b = reinterpret_cast<__m256i>(second);
        first = reinterpret_cast<Vector>(_mm256_permute2x128_si256(a, b, 0x20));
        second = reinterpret_cast<Vector>(_mm256_permute2x128_si256(a, b, 0x31));
    }

    // Does the same in each half, with its halves.
    static inline void swapQuarters(Vector& first, Vector& second) {
        auto a = reinterpret_cast<__m256i>(first);
        auto b = reinterpret_cast<__m256i>(second);
        first = reinterpret_cast<Vector>(_mm256_unpacklo_epi64(a, b));
        second = reinterpret_cast<Vector>(_mm256_unpackhi_epi64(a, b));
    }
};

// One part of a merge. `held` has the greatest keys that were read.
template <class L>
struct Chain {
    using V = Vectors<L>;
    using Key = typename L::Key;
    using Vector = typename V::Vector;
    const Key* a;
    const Key* endA;
    const Key* b;
    const Key* endB;
    Key* out;
    Vector held;

    // Returns how many steps there are in which neither input can come to its end.
    int64_t steps() const { return least(endA - a, endB - b) / V::LANES; }

    // Reads the next vector of the input whose first key is less. This is computed bit by bit: compilers would make a
    // branch of a condition, which no processor can guess.
    inline Vector next(Key flip) {
        int64_t takesSecond = -static_cast<int64_t>(L::ordered(*b, flip) < L::ordered(*a, flip));
        auto from = reinterpret_cast<intptr_t>(a);
        from ^= (from ^ reinterpret_cast<intptr_t>(b)) & takesSecond;
        a += V::LANES & ~takesSecond;
        b += V::LANES & takesSecond;
        return V::load(reinterpret_cast<const Key*>(from), flip);
    }

    // Merges the next vector with the keys that are held, and writes the least.
    __attribute__((always_inline)) void step(Key flip) {
        Vector other = V::reversed(next(flip));
        Vector lower = V::min(held, other);
        held = V::max(held, other);
        V::merge(lower, held);
        V::store(out, lower, flip);
        out += V::LANES;
    }

    // Merges what is left of both inputs with what is held.
    void finish(Key flip) {
        for (int64_t left; (left = steps()) > 0;) {
            for (; left > 0; left--) {
                step(flip);
            }
        }
        Key keys[V::LANES];
        Key few[2 * V::LANES];
        V::store(keys, held, flip);
        bool isFirstShort = endA - a < V::LANES;
        const Key* rest = isFirstShort ? a : b;
        int64_t count = V::LANES + (isFirstShort ? endA - a : endB - b);
        mergeFew<L>(keys, V::LANES, rest, count - V::LANES, few, flip);
        const Key* longer = isFirstShort ? b : a;
        mergeFew<L>(few, count, longer, isFirstShort ? endB - b : endA - a, out, flip);
    }
};

// Returns how many of the first `rank` keys of both inputs are of the first one.
template <class L, class Key>
int64_t cut(const Key* a, int64_t count, const Key* b, int64_t otherCount, int64_t rank, Key flip) {
    int64_t low = rank > otherCount ? rank - otherCount : 0;
    int64_t high = least(rank, count);
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (L::ordered(a[middle], flip) <= L::ordered(b[rank - 1 - middle], flip)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

template <class L>
int64_t merge(const void* first, int64_t count, const void* second, int64_t otherCount, void* target, int64_t bits) {
    using Key = typename L::Key;
    auto a = static_cast<const Key*>(first);
    auto b = static_cast<const Key*>(second);
    auto out = static_cast<Key*>(target);
    auto flip = static_cast<Key>(bits);
    int parts = count + otherCount < FEWEST_IN_PARTS ? 1 : CHAINS;
    // Cuts are looked for between others, so that no key is lost even if the inputs are not sorted.
    int64_t cuts[CHAINS + 1] = {0, count};
    int64_t others[CHAINS + 1] = {0, otherCount};
    for (int width = 1; width < parts; width *= 2) {
        for (int i = width; i > 0; i--) {
            cuts[2 * i] = cuts[i];
            others[2 * i] = others[i];
        }
        for (int i = 0; i < width; i++) {
            int64_t from = cuts[2 * i];
            int64_t otherFrom = others[2 * i];
            int64_t all = cuts[2 * i + 2] - from;
            int64_t allOthers = others[2 * i + 2] - otherFrom;
            int64_t half = (all + allOthers) / 2;
            int64_t ofFirst = cut<L>(a + from, all, b + otherFrom, allOthers, half, flip);
            cuts[2 * i + 1] = from + ofFirst;
            others[2 * i + 1] = otherFrom + half - ofFirst;
        }
    }
    Chain<L> chains[CHAINS];
    bool areLong = true;
    for (int i = 0; i < parts; i++) {
        chains[i].a = a + cuts[i];
        chains[i].endA = a + cuts[i + 1];
        chains[i].b = b + others[i];
        chains[i].endB = b + others[i + 1];
        chains[i].out = out + cuts[i] + others[i];
        areLong &= chains[i].steps() > 0;
    }
    if (!areLong) {
        for (int i = 0; i < parts; i++) {
            Chain<L>& c = chains[i];
            mergeFew<L>(c.a, c.endA - c.a, c.b, c.endB - c.b, c.out, flip);
        }
        return count + otherCount;
    }
    for (int i = 0; i < parts; i++) {
        chains[i].held = chains[i].next(flip);
    }
    if (parts == CHAINS) {
        Chain<L> c0 = chains[0];
        Chain<L> c1 = chains[1];
        Chain<L> c2 = chains[2];
        Chain<L> c3 = chains[3];
        for (int64_t left; (left = least(least(c0.steps(), c1.steps()), least(c2.steps(), c3.steps()))) > 0;) {
            for (; left > 0; left--) {
                c0.step(flip);
                c1.step(flip);
                c2.step(flip);
                c3.step(flip);
            }
        }
        chains[0] = c0;
        chains[1] = c1;
        chains[2] = c2;
        chains[3] = c3;
    }
    for (int i = 0; i < parts; i++) {
        chains[i].finish(flip);
    }
    return count + otherCount;
}

}  // namespace sorted
