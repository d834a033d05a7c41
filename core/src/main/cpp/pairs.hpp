// A quicksort of pairs: keys of 8 bytes in one column, and what moves along with them, of 4 or 8 bytes, in another.
//
// Few pairs are sorted by longs of which each holds the leading bits of a key and the place of the pair.
#pragma once

#include "quicksort.hpp"

template <class P>
struct Payload;

template <>
struct Payload<int64_t> {
    using Vector = __m512i;
    static INLINE Vector load(const int64_t* from) { return _mm512_loadu_si512(from); }
    static INLINE void store(int64_t* to, Vector v) { _mm512_storeu_si512(to, v); }
    static INLINE Vector permute(__m128i lanes, Vector v) {
        return _mm512_permutexvar_epi64(_mm512_cvtepu8_epi64(lanes), v);
    }
};

template <>
struct Payload<int32_t> {
    using Vector = __m256i;
    static INLINE Vector load(const int32_t* from) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    }
    static INLINE void store(int32_t* to, Vector v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v); }
    static INLINE Vector permute(__m128i lanes, Vector v) {
        return _mm256_permutexvar_epi32(_mm256_cvtepu8_epi32(lanes), v);
    }
};

// A pair by its place in both columns.
template <class P>
struct Pairs {
    int64_t* keys;
    P* payload;

    INLINE Pairs operator+(int64_t places) const { return {keys + places, payload + places}; }

    INLINE void move(int64_t from, Pairs target, int64_t to) const {
        target.keys[to] = keys[from];
        target.payload[to] = payload[from];
    }

    INLINE void copyTo(Pairs target, int64_t count) const {
        for (int64_t i = 0; i < count; i++) {
            target.keys[i] = keys[i];
        }
        for (int64_t i = 0; i < count; i++) {
            target.payload[i] = payload[i];
        }
    }

    INLINE void swap(int64_t a, int64_t b) const {
        int64_t key = keys[a];
        P carried = payload[a];
        move(b, *this, a);
        keys[b] = key;
        payload[b] = carried;
    }
};

// The gap of `partition`, in two columns.
template <class P, First FIRST>
struct PairGap {
    Pairs<P> pairs;
    int64_t from;
    int64_t to;
    __m512i pivot;

    INLINE __mmask8 last(__m512i v) const {
        return Gap<Longs, FIRST>{nullptr, nullptr, pivot}.last(v);
    }

    INLINE void put(__m512i v, typename Payload<P>::Vector p) {
        uint32_t mask = last(v);
        int lastCount = _mm_popcnt_u32(mask);
        __m128i order = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(LANE_ORDERS.lanes[mask]));
        v = Payload<int64_t>::permute(order, v);
        p = Payload<P>::permute(order, p);
        Longs::store(pairs.keys + from, v);
        Longs::store(pairs.keys + to - Longs::LANES, v);
        Payload<P>::store(pairs.payload + from, p);
        Payload<P>::store(pairs.payload + to - Longs::LANES, p);
        to -= lastCount;
        from += Longs::LANES - lastCount;
    }

    INLINE void putOne(Pairs<P> source, int64_t at) {
        source.move(at, pairs, last(Longs::all(source.keys[at])) != 0 ? --to : from++);
    }
};

// Does what `partition` does, which explains it.
template <class P, First FIRST>
__attribute__((noinline)) int64_t partitionPairs(Pairs<P> pairs, int64_t count, int64_t pivot) {
    constexpr int LANES = Longs::LANES;
    constexpr int BLOCK = VECTORS * LANES;
    alignas(64) int64_t asideKeys[3 * BLOCK];
    alignas(64) P asidePayload[3 * BLOCK];
    Pairs<P> aside{asideKeys, asidePayload};
    PairGap<P, FIRST> gap{pairs, 0, count, Longs::all(pivot)};
    int64_t from = 0;
    int64_t to = count;
    if (count >= 2 * BLOCK) {
        int64_t blocks = (count - 2 * BLOCK) / BLOCK;
        from = BLOCK;
        to = from + blocks * BLOCK;
    }
    int64_t asideCount = 0;
    for (int64_t i = 0; i < from; i++) {
        pairs.move(i, aside, asideCount++);
    }
    for (int64_t i = count >= 2 * BLOCK ? to : 0; i < count; i++) {
        pairs.move(i, aside, asideCount++);
    }
    while (count >= 2 * BLOCK && from < to) {
        bool atEnd = gap.to - to < from - gap.from;
        int64_t next = atEnd ? to - BLOCK : from;
        to = atEnd ? to - BLOCK : to;
        from = atEnd ? from : from + BLOCK;
        int64_t ahead = next + (atEnd ? -AHEAD : AHEAD) * LANES;
        auto aheadKeys = reinterpret_cast<intptr_t>(pairs.keys) + ahead * static_cast<int64_t>(sizeof(int64_t));
        auto aheadPayload = reinterpret_cast<intptr_t>(pairs.payload) + ahead * static_cast<int64_t>(sizeof(P));
        __m512i v[VECTORS];
        typename Payload<P>::Vector p[VECTORS];
#pragma GCC unroll 8
        for (int i = 0; i < VECTORS; i++) {
            _mm_prefetch(reinterpret_cast<const char*>(aheadKeys + i * 64), _MM_HINT_T0);
            if (i * LANES * sizeof(P) % 64 == 0) {
                _mm_prefetch(reinterpret_cast<const char*>(aheadPayload + i * LANES * sizeof(P)), _MM_HINT_T0);
            }
            v[i] = Longs::load(pairs.keys + next + i * LANES);
            p[i] = Payload<P>::load(pairs.payload + next + i * LANES);
        }
#pragma GCC unroll 8
        for (int i = 0; i < VECTORS; i++) {
            gap.put(v[i], p[i]);
        }
    }
    int64_t whole = count >= 2 * BLOCK ? asideCount / LANES * LANES : 0;
    for (int64_t i = whole; i < asideCount; i++) {
        gap.putOne(aside, i);
    }
    for (int64_t i = 0; i < whole; i += LANES) {
        gap.put(Longs::load(asideKeys + i), Payload<P>::load(asidePayload + i));
    }
    return gap.from;
}

template <class P>
void siftDown(Pairs<P> pairs, int64_t at, int64_t count) {
    for (int64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && pairs.keys[child] < pairs.keys[child + 1]) {
            child++;
        }
        if (pairs.keys[child] <= pairs.keys[at]) {
            return;
        }
        pairs.swap(at, child);
        at = child;
    }
}

template <class P>
void heapSort(Pairs<P> pairs, int64_t count) {
    for (int64_t i = count / 2; i-- > 0;) {
        siftDown(pairs, i, count);
    }
    for (int64_t end = count; end-- > 1;) {
        pairs.swap(0, end);
        siftDown(pairs, 0, end);
    }
}

// The most pairs that `sortFewPairs` takes, and the longs that it needs: three for each.
constexpr int FEW_PAIRS = 1 << 14;

template <class P>
INLINE void insertionSort(Pairs<P> pairs, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        int64_t key = pairs.keys[i];
        P carried = pairs.payload[i];
        int64_t at = i;
        for (; at > 0 && pairs.keys[at - 1] > key; at--) {
            pairs.move(at - 1, pairs, at);
        }
        pairs.keys[at] = key;
        pairs.payload[at] = carried;
    }
}

// Keys that span no more values are counted.
constexpr uint64_t FEW_VALUES = 1024;

template <class P>
void countingSort(Pairs<P> pairs, int64_t count, int64_t least, Pairs<P> spare) {
    int32_t ends[FEW_VALUES + 1];
    for (uint64_t i = 0; i <= FEW_VALUES; i++) {
        ends[i] = 0;
    }
    for (int64_t i = 0; i < count; i++) {
        ends[pairs.keys[i] - least + 1]++;
    }
    for (uint64_t i = 1; i <= FEW_VALUES; i++) {
        ends[i] += ends[i - 1];
    }
    for (int64_t i = 0; i < count; i++) {
        pairs.move(i, spare, ends[pairs.keys[i] - least]++);
    }
    spare.copyTo(pairs, count);
}

// Sorts up to FEW_PAIRS pairs by the leading bits of their keys, and those whose leading bits are equal once more by
// all bits, of which there are fewer then.
template <class V, class P>
void sortFewPairs(Pairs<P> pairs, int64_t count, int64_t* scratch) {
    constexpr int64_t SHORT = 16;
    if (count <= SHORT) {
        insertionSort(pairs, count);
        return;
    }
    int64_t least = INT64_MAX;
    int64_t greatest = INT64_MIN;
    for (int64_t i = 0; i < count; i++) {
        int64_t key = pairs.keys[i];
        least = key < least ? key : least;
        greatest = key > greatest ? key : greatest;
    }
    if (least == greatest) {
        return;
    }
    auto base = static_cast<uint64_t>(least);
    Pairs<P> spare{scratch + FEW_PAIRS, reinterpret_cast<P*>(scratch + 2 * FEW_PAIRS)};
    if (static_cast<uint64_t>(greatest) - base < FEW_VALUES && count > SHORT * SHORT) {
        countingSort(pairs, count, least, spare);
        return;
    }
    int placeBits = 64 - __builtin_clzll(static_cast<uint64_t>(count - 1));
    int keyBits = 64 - __builtin_clzll(static_cast<uint64_t>(greatest) - base);
    // The sign bit stays clear.
    int dropped = keyBits + placeBits > 63 ? keyBits + placeBits - 63 : 0;
    int64_t* packed = scratch;
    for (int64_t i = 0; i < count; i++) {
        uint64_t prefix = (static_cast<uint64_t>(pairs.keys[i]) - base) >> dropped;
        packed[i] = static_cast<int64_t>(prefix << placeBits) | i;
    }
    sort<V>(packed, count);
    int64_t mask = (int64_t{1} << placeBits) - 1;
    for (int64_t i = 0; i < count; i++) {
        pairs.move(packed[i] & mask, spare, i);
    }
    spare.copyTo(pairs, count);
    if (dropped == 0) {
        return;
    }
    int64_t start = 0;
    for (int64_t i = 1; i <= count; i++) {
        if (i < count && ((static_cast<uint64_t>(pairs.keys[i]) - base) >> dropped)
                                 == ((static_cast<uint64_t>(pairs.keys[start]) - base) >> dropped)) {
            continue;
        }
        if (i - start > 1) {
            sortFewPairs<V>(pairs + start, i - start, scratch);
        }
        start = i;
    }
}

// Does what `quickSort` does, which explains it.
template <class V, class P>
void quickSort(
        Pairs<P> pairs, int64_t count, int depth, const int64_t* least, const int64_t* greatest, int64_t* scratch) {
    int64_t last;
    while (count > FEW_PAIRS) {
        if (depth-- == 0) {
            heapSort(pairs, count);
            return;
        }
        Pivot<V> pivot = choosePivot<V>(pairs.keys, count);
        int64_t first;
        if (least != nullptr && pivot.key == *least) {
            first = equalPrefix<V>(pairs.keys, count, pivot.key);
            first += partitionPairs<P, First::NOT_GREATER>(pairs + first, count - first, pivot.key);
        } else if (greatest != nullptr && pivot.key == *greatest) {
            int64_t equal = equalPrefix<V>(pairs.keys, count, pivot.key);
            count = equal == count ? 0 : partitionPairs<P, First::LESS>(pairs, count, pivot.key);
            continue;
        } else if (pivot.isFirst) {
            first = partitionPairs<P, First::NOT_GREATER>(pairs, count, pivot.key);
            quickSort<V>(pairs, first, depth, least, &pivot.key, scratch);
            least = nullptr;
        } else {
            first = partitionPairs<P, First::LESS>(pairs, count, pivot.key);
            quickSort<V>(pairs, first, depth, least, nullptr, scratch);
            last = pivot.key;
            least = &last;
        }
        pairs = pairs + first;
        count -= first;
    }
    sortFewPairs<V>(pairs, count, scratch);
}
