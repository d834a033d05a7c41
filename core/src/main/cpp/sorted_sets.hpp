// Set operations on two sorted inputs of numbers, by vectors of 32 bytes. Equal keys have the same bits, so that no one
// can tell which of them is left.
#pragma once

#include "sorted_bounds.hpp"
#include "sorted_merge.hpp"

namespace sorted {

// The operations; SetOperation has the same order.
enum Operation { UNION = 0, INTERSECTION = 1, DIFFERENCE = 2 };

// One part of both inputs.
template <class L, int OPERATION>
struct Sets {
    using V = Vectors<L>;
    using Key = typename L::Key;
    const Key* a;
    const Key* endA;
    const Key* b;
    const Key* endB;
    Key* out;

    // Returns how many steps there are in which neither input can come to its end.
    int64_t steps() const { return least(endA - a, endB - b) / V::LANES; }

    // Of the next vectors of both inputs, takes the first keys of the one that come before all keys of the other, or
    // else the first keys that are the same in both.
    __attribute__((always_inline)) void step(Key flip) {
        auto x = V::load(a, flip);
        auto y = V::load(b, flip);
        int64_t onlyFirst = V::leading(x < V::first(y));
        int64_t onlySecond = V::leading(y < V::first(x));
        int64_t both = V::leading(x == y);
        V::store(out, OPERATION == UNION ? V::min(x, y) : x, flip);
        a += onlyFirst + both;
        b += onlySecond + both;
        out += (OPERATION != INTERSECTION ? onlyFirst : 0) + (OPERATION == UNION ? onlySecond : 0)
            + (OPERATION != DIFFERENCE ? both : 0);
    }

    // Does what is left.
    void finish(Key flip) {
        for (int64_t left; (left = steps()) > 0;) {
            for (; left > 0; left--) {
                step(flip);
            }
        }
        // One of the inputs may have many keys left.
        while (a < endA && b < endB) {
            take(a, boundFrom<L, false>(a, 0, endA - a, L::ordered(*b, flip), flip), OPERATION != INTERSECTION);
            if (a < endA) {
                take(b, boundFrom<L, false>(b, 0, endB - b, L::ordered(*a, flip), flip), OPERATION == UNION);
            }
            for (; a < endA && b < endB && *a == *b; b++) {
                take(a, 1, OPERATION != DIFFERENCE);
            }
        }
        take(a, endA - a, OPERATION != INTERSECTION);
        take(b, endB - b, OPERATION == UNION);
    }

  private:
    inline void take(const Key*& from, int64_t count, bool isLeft) {
        if (isLeft) {
            copy(out, from, count);
            out += count;
        }
        from += count;
    }
};

// Writes what an operation leaves of two inputs, in CHAINS parts, and returns how many keys these are. `found` gets
// where each part begins in the target, and how many keys it has.
template <class L, int OPERATION>
int64_t combine(
    const void* first, int64_t count, const void* second, int64_t otherCount, void* target, int64_t* found,
    int64_t flips) {
    using Key = typename L::Key;
    auto flip = static_cast<Key>(flips);
    auto a = static_cast<const Key*>(first);
    auto b = static_cast<const Key*>(second);
    auto out = static_cast<Key*>(target);
    const Key* endA = a + count;
    const Key* endB = b + otherCount;
    Sets<L, OPERATION> parts[CHAINS];
    for (int i = 0; i < CHAINS; i++) {
        auto& part = parts[i];
        part = {a, endA, b, endB, out};
        int64_t rest = endA - a + endB - b;
        if (i < CHAINS - 1 && rest >= FEWEST_IN_PARTS) {
            // No part ends among equal keys.
            int64_t rank = rest / (CHAINS - i);
            int64_t ofFirst = cut<L>(a, endA - a, b, endB - b, rank, flip);
            const Key* nextA = a + ofFirst;
            const Key* nextB = b + (rank - ofFirst);
            bool isOfFirst = nextB == endB || (nextA < endA && L::ordered(*nextA, flip) <= L::ordered(*nextB, flip));
            Key key = L::ordered(isOfFirst ? *nextA : *nextB, flip);
            part.endA = a + boundFrom<L, false>(a, 0, endA - a, key, flip);
            part.endB = b + boundFrom<L, false>(b, 0, endB - b, key, flip);
        }
        out += part.endA - a + part.endB - b;
        a = part.endA;
        b = part.endB;
    }
    auto p0 = parts[0];
    auto p1 = parts[1];
    auto p2 = parts[2];
    auto p3 = parts[3];
    for (int64_t left; (left = least(least(p0.steps(), p1.steps()), least(p2.steps(), p3.steps()))) > 0;) {
        for (; left > 0; left--) {
            p0.step(flip);
            p1.step(flip);
            p2.step(flip);
            p3.step(flip);
        }
    }
    Key* begins[CHAINS] = {parts[0].out, parts[1].out, parts[2].out, parts[3].out};
    parts[0] = p0;
    parts[1] = p1;
    parts[2] = p2;
    parts[3] = p3;
    int64_t all = 0;
    for (int i = 0; i < CHAINS; i++) {
        parts[i].finish(flip);
        found[2 * i] = begins[i] - begins[0];
        found[2 * i + 1] = parts[i].out - begins[i];
        all += found[2 * i + 1];
    }
    return all;
}

template <class L>
int64_t combine(
    int operation, const void* first, int64_t count, const void* second, int64_t otherCount, void* target,
    int64_t* found, int64_t flip) {
    switch (operation) {
        case UNION: return combine<L, UNION>(first, count, second, otherCount, target, found, flip);
        case INTERSECTION: return combine<L, INTERSECTION>(first, count, second, otherCount, target, found, flip);
        default: return combine<L, DIFFERENCE>(first, count, second, otherCount, target, found, flip);
    }
}

}  // namespace sorted
