// Sorts up to 32 vectors of keys in registers: the lanes first, each as a column, by Batcher's odd-even merge sort, and
// then bitonic merges of columns, twice as many at a time, until all lanes hold one sequence, row by row.
#pragma once

#include "vectors.hpp"

// Merges the even and the odd members of the rows FROM, FROM + STEP, … of COUNT rows; both are sorted. Only rows before
// ROWS exist.
template <class V, int ROWS, int FROM, int COUNT, int STEP>
INLINE void mergeRows(__m512i* rows) {
    if constexpr (FROM + STEP >= ROWS) {
        return;
    } else if constexpr (2 * STEP < COUNT) {
        mergeRows<V, ROWS, FROM, COUNT, 2 * STEP>(rows);
        mergeRows<V, ROWS, FROM + STEP, COUNT, 2 * STEP>(rows);
#pragma GCC unroll 32
        for (int i = FROM + STEP; i + STEP < FROM + COUNT && i + STEP < ROWS; i += 2 * STEP) {
            V::compareExchange(rows[i], rows[i + STEP]);
        }
    } else {
        V::compareExchange(rows[FROM], rows[FROM + STEP]);
    }
}

template <class V, int ROWS, int FROM, int COUNT>
INLINE void sortColumns(__m512i* rows) {
    if constexpr (COUNT > 1 && FROM + 1 < ROWS) {
        sortColumns<V, ROWS, FROM, COUNT / 2>(rows);
        sortColumns<V, ROWS, FROM + COUNT / 2, COUNT / 2>(rows);
        mergeRows<V, ROWS, FROM, COUNT, 1>(rows);
    }
}

// The steps of a bitonic merge between rows, first of COUNT rows, then of each half of them, and so on. In each group
// of lanes, one half holds the first sequence and the other the second, which must run in the opposite direction. So a
// row is compared with the reverse of the row at the same distance from the end.
template <class V, int ROWS, int GROUP, int COUNT>
INLINE void mergeBetweenRows(__m512i* rows) {
    if constexpr (COUNT > 1) {
#pragma GCC unroll 32
        for (int from = 0; from < ROWS; from += COUNT) {
#pragma GCC unroll 32
            for (int i = 0; i < COUNT / 2; i++) {
                if (from + COUNT - 1 - i < ROWS) {
                    __m512i other = V::template reverse<GROUP>(rows[from + COUNT - 1 - i]);
                    V::compareExchange(rows[from + i], other);
                    // It stays reversed: the next step is symmetric.
                    rows[from + COUNT - 1 - i] = other;
                }
            }
        }
        mergeBetweenRows<V, ROWS, GROUP, COUNT / 2>(rows);
    }
}

// The steps of a bitonic merge within each row that compare lanes DISTANCE apart, and nearer ones.
template <class V, int DISTANCE, int ROWS>
INLINE void mergeWithinRows(__m512i* rows) {
    if constexpr (DISTANCE >= 1) {
#pragma GCC unroll 32
        for (int i = 0; i < ROWS; i++) {
            __m512i other = V::template swap<DISTANCE>(rows[i]);
            rows[i] = V::maxWhere(V::upper(DISTANCE), V::min(rows[i], other), rows[i], other);
        }
        mergeWithinRows<V, DISTANCE / 2, ROWS>(rows);
    }
}

template <class V, int ROWS, int COUNT, int GROUP>
INLINE void mergeColumns(__m512i* rows) {
    if constexpr (GROUP <= V::LANES) {
        mergeBetweenRows<V, ROWS, GROUP, COUNT>(rows);
#pragma GCC unroll 32
        for (int i = 0; i < ROWS; i++) {
            __m512i other = V::template reverse<GROUP>(rows[i]);
            rows[i] = V::maxWhere(V::upper(GROUP / 2), V::min(rows[i], other), rows[i], other);
        }
        mergeWithinRows<V, GROUP / 4, ROWS>(rows);
        mergeColumns<V, ROWS, COUNT, 2 * GROUP>(rows);
    }
}

// Sorts `count` keys, at most ROWS vectors of them. Lanes without a key hold the greatest key meanwhile.
template <class V, int ROWS>
[[gnu::noinline]] void sortRows(typename V::Key* keys, int count) {
    __m512i rows[ROWS];
    __m512i greatest = V::all(V::GREATEST);
#pragma GCC unroll 32
    for (int i = 0; i < ROWS; i++) {
        int left = count - i * V::LANES;
        rows[i] = V::load(
            firstLanes<V>(
                left < 0              ? 0
                    : left > V::LANES ? V::LANES
                                      : left),
            greatest, keys + i * V::LANES);
    }
    constexpr int COUNT = ROWS <= 2 ? 2 : ROWS <= 4 ? 4 : ROWS <= 8 ? 8 : ROWS <= 16 ? 16 : 32;
    sortColumns<V, ROWS, 0, COUNT>(rows);
    mergeColumns<V, ROWS, COUNT, 2>(rows);
#pragma GCC unroll 32
    for (int i = 0; i < ROWS; i++) {
        int left = count - i * V::LANES;
        V::store(keys + i * V::LANES, firstLanes<V>(left < 0 ? 0 : left > V::LANES ? V::LANES : left), rows[i]);
    }
}

// The most keys that `sortFew` takes.
template <class V>
constexpr int FEW = 32 * V::LANES;

template <class V>
INLINE void sortFew(typename V::Key* keys, int count) {
    if (count <= 2 * V::LANES) {
        sortRows<V, 2>(keys, count);
    } else if (count <= 4 * V::LANES) {
        sortRows<V, 4>(keys, count);
    } else if (count <= 8 * V::LANES) {
        sortRows<V, 8>(keys, count);
    } else if (count <= 12 * V::LANES) {
        sortRows<V, 12>(keys, count);
    } else if (count <= 16 * V::LANES) {
        sortRows<V, 16>(keys, count);
    } else if (count <= 20 * V::LANES) {
        sortRows<V, 20>(keys, count);
    } else if (count <= 24 * V::LANES) {
        sortRows<V, 24>(keys, count);
    } else if (count <= 28 * V::LANES) {
        sortRows<V, 28>(keys, count);
    } else {
        sortRows<V, 32>(keys, count);
    }
}
