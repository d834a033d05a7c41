// Searches of queries among sorted keys.
#pragma once

#include "sorted_keys.hpp"

namespace sorted {

// This many queries are looked for together, so that their accesses of memory overlap.
constexpr int TOGETHER = 16;

// Returns whether a key lies left of the bound of a query.
template <bool IS_UPPER, typename K>
inline bool isLeft(K key, K query) {
    return IS_UPPER ? key <= query : key < query;
}

// Returns the bound of a query, which is at least `from`, in steps that double.
template <typename L, bool IS_UPPER>
int64_t boundFrom(
    const typename L::Key* keys, int64_t from, int64_t count, typename L::Key query, typename L::Key flip) {
    int64_t low = from;
    int64_t step = 1;
    while (step <= count - low && isLeft<IS_UPPER>(L::ordered(keys[low + step - 1], flip), query)) {
        low += step;
        step <<= 1;
    }
    int64_t high = least(low + step - 1, count);
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        bool left = isLeft<IS_UPPER>(L::ordered(keys[middle], flip), query);
        low = left ? middle + 1 : low;
        high = left ? high : middle;
    }
    return low;
}

// Adds to the begin of each of TOGETHER queries how far its bound is behind it: at most `length`.
template <typename L, bool IS_UPPER>
inline void search(
    const typename L::Key* keys, int64_t length, const typename L::Key* wanted, int64_t* begins, typename L::Key flip) {
    for (; length > 1; length -= length / 2) {
        int64_t half = length / 2;
        for (int i = 0; i < TOGETHER; i++) {
            begins[i] += isLeft<IS_UPPER>(L::ordered(keys[begins[i] + half - 1], flip), wanted[i]) ? half : 0;
        }
    }
    for (int i = 0; i < TOGETHER && length > 0; i++) {
        begins[i] += isLeft<IS_UPPER>(L::ordered(keys[begins[i]], flip), wanted[i]);
    }
}

// Writes the bounds of queries. Those that come in order are looked for between the bounds of the first and the last of
// them.
template <typename L, typename N, bool IS_UPPER>
void bounds(
    const typename L::Key* keys, int64_t count, const typename L::Key* queries, int64_t queryCount, N* found,
    typename L::Key flip) {
    using K = typename L::Key;
    int64_t last = 0;
    K before = 0;
    for (int64_t at = 0; at < queryCount; at += TOGETHER) {
        int some = static_cast<int>(least(TOGETHER, queryCount - at));
        K wanted[TOGETHER];
        int64_t begins[TOGETHER];
        bool isSorted = at > 0 && before <= L::ordered(queries[at], flip);
        for (int i = 0; i < TOGETHER; i++) {
            wanted[i] = L::ordered(queries[at + (i < some ? i : some - 1)], flip);
        }
        for (int i = 1; i < TOGETHER; i++) {
            isSorted &= wanted[i - 1] <= wanted[i];
        }
        before = wanted[TOGETHER - 1];
        int64_t low = 0;
        int64_t length = count;
        if (isSorted) {
            low = boundFrom<L, IS_UPPER>(keys, last, count, wanted[0], flip);
            length = boundFrom<L, IS_UPPER>(keys, low, count, before, flip) - low;
        }
        for (int i = 0; i < TOGETHER; i++) {
            begins[i] = low;
        }
        search<L, IS_UPPER>(keys, length, wanted, begins, flip);
        for (int i = 0; i < some; i++) {
            found[at + i] = static_cast<N>(begins[i]);
        }
        last = begins[TOGETHER - 1];
    }
}

// Keys are divided into this many parts of one size for queries in no order.
constexpr int PARTS = 1 << 11;

// Writes the bounds of queries in no order. The queries of each part of the keys are looked for together, so that
// memory is read once and the part stays in the cache.
//
// `order` and `parts` have room for a number for each query.
template <typename L, typename N, bool IS_UPPER>
void boundsOfRandom(
    const typename L::Key* keys, int64_t count, const typename L::Key* queries, int64_t queryCount, N* found,
    typename L::Key flip, int32_t* order, uint16_t* parts) {
    using K = typename L::Key;
    // The last key of each part but the last, in order.
    K lasts[PARTS - 1];
    int64_t size = count / PARTS;
    for (int part = 0; part < PARTS - 1; part++) {
        lasts[part] = L::ordered(keys[(part + 1) * size - 1], flip);
    }
    int32_t ends[PARTS + 1] = {};
    for (int64_t at = 0; at < queryCount; at += TOGETHER) {
        int some = static_cast<int>(least(TOGETHER, queryCount - at));
        K wanted[TOGETHER];
        int64_t begins[TOGETHER] = {};
        for (int i = 0; i < TOGETHER; i++) {
            wanted[i] = L::ordered(queries[at + (i < some ? i : some - 1)], flip);
        }
        search<Keys<K, typename L::Unsigned, 0>, IS_UPPER>(lasts, PARTS - 1, wanted, begins, 0);
        for (int i = 0; i < some; i++) {
            parts[at + i] = static_cast<uint16_t>(begins[i]);
            ends[begins[i] + 1]++;
        }
    }
    for (int part = 0; part < PARTS; part++) {
        ends[part + 1] += ends[part];
    }
    for (int64_t i = 0; i < queryCount; i++) {
        order[ends[parts[i]]++] = static_cast<int32_t>(i);
    }
    int64_t at = 0;
    for (int part = 0; part < PARTS; part++) {
        int64_t begin = part * size;
        int64_t length = part == PARTS - 1 ? count - begin : size;
        for (int64_t end = ends[part]; at < end; at += TOGETHER) {
            int some = static_cast<int>(least(TOGETHER, end - at));
            K wanted[TOGETHER];
            int64_t begins[TOGETHER];
            for (int i = 0; i < TOGETHER; i++) {
                wanted[i] = L::ordered(queries[order[at + (i < some ? i : some - 1)]], flip);
                begins[i] = begin;
            }
            search<L, IS_UPPER>(keys, length, wanted, begins, flip);
            for (int i = 0; i < some; i++) {
                found[order[at + i]] = static_cast<N>(begins[i]);
            }
        }
        at = ends[part];
    }
}

// Writes the bounds of queries, in no order if there is room for `order` and `parts`.
template <typename L, typename N, bool IS_UPPER>
void boundsOfAny(
    const void* keys, int64_t count, const void* queries, int64_t queryCount, void* found, int64_t flips,
    int32_t* order) {
    auto all = static_cast<const typename L::Key*>(keys);
    auto wanted = static_cast<const typename L::Key*>(queries);
    auto flip = static_cast<typename L::Key>(flips);
    if (order == nullptr) {
        bounds<L, N, IS_UPPER>(all, count, wanted, queryCount, static_cast<N*>(found), flip);
    } else {
        auto parts = reinterpret_cast<uint16_t*>(order + queryCount);
        boundsOfRandom<L, N, IS_UPPER>(all, count, wanted, queryCount, static_cast<N*>(found), flip, order, parts);
    }
}

template <typename L>
void bounds(
    const void* keys, int64_t count, const void* queries, int64_t queryCount, void* found, int boundBytes, bool isUpper,
    int64_t flip, int32_t* order) {
    auto find = boundBytes == 4 ? isUpper ? boundsOfAny<L, int32_t, true> : boundsOfAny<L, int32_t, false>
        : isUpper ? boundsOfAny<L, int64_t, true>
                                : boundsOfAny<L, int64_t, false>;
    find(keys, count, queries, queryCount, found, flip, order);
}

}  // namespace sorted
