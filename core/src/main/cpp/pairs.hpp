// A quicksort of pairs: keys of 4 or 8 bytes in one column, and payloads of 4 or 8 bytes, which move along, in another.
//
// Few pairs are sorted as longs. Each holds the leading bits of a key and the place of the pair, or a key and its
// payload if both have 4 bytes.
#pragma once

#include "quicksort.hpp"

// Eight numbers of a column.
template <class T>
struct Column;

template <>
struct Column<int64_t> {
    using Vector = __m512i;
    static INLINE Vector all(int64_t v) { return _mm512_set1_epi64(v); }
    static INLINE Vector load(const int64_t* from) { return _mm512_loadu_si512(from); }
    static INLINE void store(int64_t* to, Vector v) { _mm512_storeu_si512(to, v); }
    // Moves the lanes of a mask after the others.
    static INLINE Vector divide(uint32_t mask, Vector v) {
        auto order = reinterpret_cast<const __m128i*>(LANE_ORDERS.lanes[mask]);
        return _mm512_permutexvar_epi64(_mm512_cvtepu8_epi64(_mm_loadl_epi64(order)), v);
    }
    static INLINE __mmask8 greater(Vector a, Vector b) { return _mm512_cmpgt_epi64_mask(a, b); }
    static INLINE __mmask8 notLess(Vector a, Vector b) { return _mm512_cmpge_epi64_mask(a, b); }
};

template <>
struct Column<int32_t> {
    using Vector = __m256i;
    static INLINE Vector all(int32_t v) { return _mm256_set1_epi32(v); }
    static INLINE Vector load(const int32_t* from) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    }
    static INLINE void store(int32_t* to, Vector v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v); }
    static INLINE Vector divide(uint32_t mask, Vector v) {
        auto order = reinterpret_cast<const __m128i*>(LANE_ORDERS.lanes[mask]);
        return _mm256_permutexvar_epi32(_mm256_cvtepu8_epi32(_mm_loadl_epi64(order)), v);
    }
    static INLINE __mmask8 greater(Vector a, Vector b) { return _mm256_cmpgt_epi32_mask(a, b); }
    static INLINE __mmask8 notLess(Vector a, Vector b) { return _mm256_cmpge_epi32_mask(a, b); }
};

constexpr int PAIR_LANES = 8;

// A pair by its place in both columns.
template <class K, class P>
struct Pairs {
    K* keys;
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
        K key = keys[a];
        P carried = payload[a];
        move(b, *this, a);
        keys[b] = key;
        payload[b] = carried;
    }
};

// The gap of `partition`, in two columns.
template <class K, class P, First FIRST>
struct PairGap {
    Pairs<K, P> pairs;
    int64_t from;
    int64_t to;
    K pivot;
    typename Column<K>::Vector pivots;

    INLINE __mmask8 last(typename Column<K>::Vector v) const {
        return FIRST == First::LESS       ? Column<K>::notLess(v, pivots)
            : FIRST == First::NOT_GREATER ? Column<K>::greater(v, pivots)
            : FIRST == First::GREATER     ? Column<K>::notLess(pivots, v)
                                          : Column<K>::greater(pivots, v);
    }

    INLINE void put(typename Column<K>::Vector v, typename Column<P>::Vector p) {
        uint32_t mask = last(v);
        int lastCount = _mm_popcnt_u32(mask);
        v = Column<K>::divide(mask, v);
        p = Column<P>::divide(mask, p);
        Column<K>::store(pairs.keys + from, v);
        Column<K>::store(pairs.keys + to - PAIR_LANES, v);
        Column<P>::store(pairs.payload + from, p);
        Column<P>::store(pairs.payload + to - PAIR_LANES, p);
        to -= lastCount;
        from += PAIR_LANES - lastCount;
    }

    INLINE void putOne(Pairs<K, P> source, int64_t at) {
        source.move(at, pairs, isFirst<FIRST>(source.keys[at], pivot) ? from++ : --to);
    }

    INLINE void putNext(int64_t& unread, int64_t& unreadEnd) {
        constexpr int LANES = PAIR_LANES;
        bool atEnd = to - unreadEnd < unread - from;
        int64_t next = atEnd ? unreadEnd - VECTORS * LANES : unread;
        unreadEnd = atEnd ? next : unreadEnd;
        unread = atEnd ? unread : unread + VECTORS * LANES;
        int64_t ahead = next + (atEnd ? -AHEAD : AHEAD) * LANES;
        auto aheadKeys = reinterpret_cast<intptr_t>(pairs.keys) + ahead * static_cast<int64_t>(sizeof(K));
        auto aheadPayload = reinterpret_cast<intptr_t>(pairs.payload) + ahead * static_cast<int64_t>(sizeof(P));
        typename Column<K>::Vector v[VECTORS];
        typename Column<P>::Vector p[VECTORS];
#pragma GCC unroll 8
        for (int i = 0; i < VECTORS; i++) {
            if (i * LANES * sizeof(K) % 64 == 0) {
                _mm_prefetch(reinterpret_cast<const char*>(aheadKeys + i * LANES * sizeof(K)), _MM_HINT_T0);
            }
            if (i * LANES * sizeof(P) % 64 == 0) {
                _mm_prefetch(reinterpret_cast<const char*>(aheadPayload + i * LANES * sizeof(P)), _MM_HINT_T0);
            }
            v[i] = Column<K>::load(pairs.keys + next + i * LANES);
            p[i] = Column<P>::load(pairs.payload + next + i * LANES);
        }
#pragma GCC unroll 8
        for (int i = 0; i < VECTORS; i++) {
            put(v[i], p[i]);
        }
    }
};

// Does what `partition` does; see there.
template <class K, class P, First FIRST>
[[gnu::noinline]] int64_t partitionPairs(Pairs<K, P> pairs, int64_t count, K pivot) {
    constexpr int LANES = PAIR_LANES;
    constexpr int BLOCK = VECTORS * LANES;
    alignas(64) K asideKeys[3 * BLOCK];
    alignas(64) P asidePayload[3 * BLOCK];
    Pairs<K, P> aside{asideKeys, asidePayload};
    PairGap<K, P, FIRST> gap{pairs, 0, count, pivot, Column<K>::all(pivot)};
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
        gap.putNext(from, to);
    }
    int64_t whole = count >= 2 * BLOCK ? asideCount / LANES * LANES : 0;
    for (int64_t i = whole; i < asideCount; i++) {
        gap.putOne(aside, i);
    }
    for (int64_t i = 0; i < whole; i += LANES) {
        gap.put(Column<K>::load(asideKeys + i), Column<P>::load(asidePayload + i));
    }
    return gap.from;
}

// Does what `narrow` does.
template <class K, class P, First FIRST>
[[gnu::noinline]] void narrowPairs(Pairs<K, P> pairs, Ends& ends, int64_t most, K pivot) {
    constexpr int BLOCK = VECTORS * PAIR_LANES;
    int64_t count = readAtEnds(ends, most, BLOCK);
    alignas(64) K asideKeys[2 * BLOCK];
    alignas(64) P asidePayload[2 * BLOCK];
    Pairs<K, P> aside{asideKeys, asidePayload};
    PairGap<K, P, FIRST> gap{pairs, ends.from, ends.to, pivot, Column<K>::all(pivot)};
    int64_t from = ends.from + BLOCK;
    int64_t to = ends.to - BLOCK;
    (pairs + ends.from).copyTo(aside, BLOCK);
    (pairs + to).copyTo(aside + BLOCK, BLOCK);
    while (from < ends.from + count && to > ends.to - count) {
        gap.putNext(from, to);
    }
    int64_t before = from - gap.from;
    aside.copyTo(pairs + gap.from, before);
    (aside + before).copyTo(pairs + to, 2 * BLOCK - before);
    ends.from = gap.from;
    ends.to = gap.to;
}

template <bool DESCENDING, class K, class P>
void siftDown(Pairs<K, P> pairs, int64_t at, int64_t count) {
    for (int64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && isBefore<DESCENDING>(pairs.keys[child], pairs.keys[child + 1])) {
            child++;
        }
        if (!isBefore<DESCENDING>(pairs.keys[at], pairs.keys[child])) {
            return;
        }
        pairs.swap(at, child);
        at = child;
    }
}

template <bool DESCENDING, class K, class P>
void heapSort(Pairs<K, P> pairs, int64_t count) {
    for (int64_t i = count / 2; i-- > 0;) {
        siftDown<DESCENDING>(pairs, i, count);
    }
    for (int64_t end = count; end-- > 1;) {
        pairs.swap(0, end);
        siftDown<DESCENDING>(pairs, 0, end);
    }
}

// The most pairs that `sortFewPairs` takes, and the longs that it needs: three for each.
constexpr int FEW_PAIRS = 1 << 14;

template <bool DESCENDING, class K, class P>
INLINE void insertionSort(Pairs<K, P> pairs, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        K key = pairs.keys[i];
        P carried = pairs.payload[i];
        int64_t at = i;
        for (; at > 0 && isBefore<DESCENDING>(key, pairs.keys[at - 1]); at--) {
            pairs.move(at - 1, pairs, at);
        }
        pairs.keys[at] = key;
        pairs.payload[at] = carried;
    }
}

// The keys of some pairs as their distances from the first key in the order.
template <bool DESCENDING>
struct Distances {
    uint64_t first;

    INLINE uint64_t of(int64_t key) const {
        return DESCENDING ? first - static_cast<uint64_t>(key) : static_cast<uint64_t>(key) - first;
    }
};

// Keys that span at most this many values are counted.
constexpr uint64_t FEW_VALUES = 1024;

template <bool DESCENDING, class K, class P>
void countingSort(Pairs<K, P> pairs, int64_t count, Distances<DESCENDING> distances, Pairs<K, P> spare) {
    int32_t ends[FEW_VALUES + 1];
    for (uint64_t i = 0; i <= FEW_VALUES; i++) {
        ends[i] = 0;
    }
    for (int64_t i = 0; i < count; i++) {
        ends[distances.of(pairs.keys[i]) + 1]++;
    }
    for (uint64_t i = 1; i <= FEW_VALUES; i++) {
        ends[i] += ends[i - 1];
    }
    for (int64_t i = 0; i < count; i++) {
        pairs.move(i, spare, ends[distances.of(pairs.keys[i])]++);
    }
    spare.copyTo(pairs, count);
}

// Sorts up to FEW_PAIRS pairs of 4-byte keys and payloads as longs that hold both.
template <class L, bool DESCENDING>
void sortPacked(Pairs<int32_t, int32_t> pairs, int64_t count, int64_t* packed) {
    for (int64_t i = 0; i < count; i++) {
        auto key = static_cast<uint64_t>(static_cast<int64_t>(DESCENDING ? ~pairs.keys[i] : pairs.keys[i]));
        packed[i] = static_cast<int64_t>(key << 32 | static_cast<uint32_t>(pairs.payload[i]));
    }
    sort<L, false>(packed, count);
    for (int64_t i = 0; i < count; i++) {
        auto key = static_cast<int32_t>(packed[i] >> 32);
        pairs.keys[i] = DESCENDING ? ~key : key;
        pairs.payload[i] = static_cast<int32_t>(packed[i]);
    }
}

// Sorts up to FEW_PAIRS pairs by the leading bits of their keys. Pairs whose leading bits are equal are sorted again by
// all of their bits, of which fewer differ then.
template <class L, bool DESCENDING, class K, class P>
void sortFewPairs(Pairs<K, P> pairs, int64_t count, int64_t* scratch) {
    constexpr int64_t SHORT = 16;
    if (count <= SHORT) {
        insertionSort<DESCENDING>(pairs, count);
        return;
    }
    K least = pairs.keys[0];
    K greatest = least;
    for (int64_t i = 1; i < count; i++) {
        K key = pairs.keys[i];
        least = key < least ? key : least;
        greatest = key > greatest ? key : greatest;
    }
    if (least == greatest) {
        return;
    }
    Distances<DESCENDING> distances{static_cast<uint64_t>(static_cast<int64_t>(DESCENDING ? greatest : least))};
    uint64_t greatestDistance = distances.of(DESCENDING ? least : greatest);
    Pairs<K, P> spare{reinterpret_cast<K*>(scratch + FEW_PAIRS), reinterpret_cast<P*>(scratch + 2 * FEW_PAIRS)};
    if (greatestDistance < FEW_VALUES && count > SHORT * SHORT) {
        countingSort(pairs, count, distances, spare);
        return;
    }
    if constexpr (sizeof(K) == 4 && sizeof(P) == 4) {
        sortPacked<L, DESCENDING>(pairs, count, scratch);
        return;
    }
    int placeBits = 64 - __builtin_clzll(static_cast<uint64_t>(count - 1));
    int keyBits = 64 - __builtin_clzll(greatestDistance);
    // The sign bit stays clear.
    int dropped = keyBits + placeBits > 63 ? keyBits + placeBits - 63 : 0;
    int64_t* packed = scratch;
    for (int64_t i = 0; i < count; i++) {
        packed[i] = static_cast<int64_t>(distances.of(pairs.keys[i]) >> dropped << placeBits) | i;
    }
    sort<L, false>(packed, count);
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
        if (i < count && distances.of(pairs.keys[i]) >> dropped == distances.of(pairs.keys[start]) >> dropped) {
            continue;
        }
        if (i - start > 1) {
            sortFewPairs<L, DESCENDING>(pairs + start, i - start, scratch);
        }
        start = i;
    }
}

// If a key is frequent, more pairs than this are partitioned further, which soon leaves ranges of one key.
constexpr int LEAST_FREQUENT = 1 << 10;

// Does what `quickSort` does; see there. V is for keys, and L for longs.
template <class V, class L, bool DESCENDING, class P>
void quickSort(
    Pairs<typename V::Key, P> pairs, int64_t count, int depth, const typename V::Key* first,
    const typename V::Key* last, int64_t* scratch) {
    using K = typename V::Key;
    constexpr First WITHOUT = WITHOUT_PIVOT<DESCENDING>;
    constexpr First WITH = WITH_PIVOT<DESCENDING>;
    K before;
    while (count > LEAST_FREQUENT) {
        Pivot<V> pivot = choosePivot<V>(pairs.keys, count);
        if (count <= FEW_PAIRS && !pivot.isFrequent) {
            break;
        }
        if (depth-- == 0) {
            heapSort<DESCENDING>(pairs, count);
            return;
        }
        int64_t middle;
        if (first != nullptr && pivot.key == *first) {
            middle = equalPrefix<V>(pairs.keys, count, pivot.key);
            middle += partitionPairs<K, P, WITH>(pairs + middle, count - middle, pivot.key);
        } else if (last != nullptr && pivot.key == *last) {
            int64_t equal = equalPrefix<V>(pairs.keys, count, pivot.key);
            count = equal == count ? 0 : partitionPairs<K, P, WITHOUT>(pairs, count, pivot.key);
            continue;
        } else if (pivot.isFirst != DESCENDING) {
            middle = partitionPairs<K, P, WITH>(pairs, count, pivot.key);
            quickSort<V, L, DESCENDING>(pairs, middle, depth, first, &pivot.key, scratch);
            first = nullptr;
        } else {
            middle = partitionPairs<K, P, WITHOUT>(pairs, count, pivot.key);
            quickSort<V, L, DESCENDING>(pairs, middle, depth, first, nullptr, scratch);
            before = pivot.key;
            first = &before;
        }
        pairs = pairs + middle;
        count -= middle;
    }
    sortFewPairs<L, DESCENDING>(pairs, count, scratch);
}
