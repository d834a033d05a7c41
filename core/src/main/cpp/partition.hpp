// Partitions keys in place.
#pragma once

#include "vectors.hpp"

// For each mask of eight lanes, the lanes that are not in it, followed by those that are.
struct LaneOrders {
    alignas(64) uint8_t lanes[256][8];

    constexpr LaneOrders() : lanes() {
        for (int mask = 0; mask < 256; mask++) {
            int next = 0;
            for (int in = 0; in < 2; in++) {
                for (int lane = 0; lane < 8; lane++) {
                    if ((mask >> lane & 1) == in) {
                        lanes[mask][next++] = static_cast<uint8_t>(lane);
                    }
                }
            }
        }
    }
};

static constexpr LaneOrders LANE_ORDERS;

// Which keys go before all others.
enum class First { LESS, NOT_GREATER, GREATER, NOT_LESS };

template <First FIRST, class Key>
INLINE bool isFirst(Key key, Key pivot) {
    return FIRST == First::LESS       ? key < pivot
        : FIRST == First::NOT_GREATER ? key <= pivot
        : FIRST == First::GREATER     ? key > pivot
                                      : key >= pivot;
}

// Which keys go first: without those that equal the pivot, and with them.
template <bool DESCENDING>
constexpr First WITHOUT_PIVOT = DESCENDING ? First::GREATER : First::LESS;

template <bool DESCENDING>
constexpr First WITH_PIVOT = DESCENDING ? First::NOT_LESS : First::NOT_GREATER;

constexpr int64_t PAGE_BYTES = 4096;

// Processors cache the addresses of twice as many pages.
constexpr int64_t MOST_PAGES = 1024;

// Touches the pages on which keys lie, if they are few. The processor has to look up the address of a page that was not
// used for some time. Here it does so for several pages at once; when it reads all keys, it does so for one after the
// other.
template <class Key>
INLINE void touchPages(const Key* keys, int64_t count) {
    auto bytes = reinterpret_cast<const volatile char*>(keys);
    int64_t size = count * static_cast<int64_t>(sizeof(Key));
    for (int64_t i = 0; i < size && size <= MOST_PAGES * PAGE_BYTES; i += PAGE_BYTES) {
        (void)bytes[i];
    }
}

// How many vectors are read at a time, and how many vectors ahead memory is prefetched.
constexpr int VECTORS = 8;
constexpr int AHEAD = 128;

// Divides keys among the two ends of a gap: those that are FIRST go to its beginning. Whole vectors are stored, so the
// gap must have room for one at either end: it must not be longer than one vector and shorter than two.
template <class V, First FIRST>
struct Gap {
    typename V::Key* from;
    typename V::Key* to;
    __m512i pivot;

    INLINE typename V::Mask last(__m512i v) const {
        return FIRST == First::LESS       ? V::notLess(v, pivot)
            : FIRST == First::NOT_GREATER ? V::greater(v, pivot)
            : FIRST == First::GREATER     ? V::notLess(pivot, v)
                                          : V::greater(pivot, v);
    }

    INLINE void put(__m512i v) {
        uint32_t mask = last(v);
        int lastCount = _mm_popcnt_u32(mask);
        if constexpr (V::LANES == 8) {
            auto order = reinterpret_cast<const __m128i*>(LANE_ORDERS.lanes[mask]);
            v = _mm512_permutexvar_epi64(_mm512_cvtepu8_epi64(_mm_loadl_epi64(order)), v);
            V::store(from, v);
            V::store(to - V::LANES, v);
            to -= lastCount;
        } else {
            V::store(from, V::compress(static_cast<typename V::Mask>(~mask), v));
            to -= lastCount;
            V::store(to, firstLanes<V>(lastCount), V::compress(static_cast<typename V::Mask>(mask), v));
        }
        from += V::LANES - lastCount;
    }

    // Puts the first `count` lanes, which are fewer than all.
    INLINE void putSome(__m512i v, int count) {
        uint32_t live = firstLanes<V>(count);
        uint32_t mask = last(v) & live;
        int lastCount = _mm_popcnt_u32(mask);
        int firstCount = count - lastCount;
        V::store(from, firstLanes<V>(firstCount), V::compress(static_cast<typename V::Mask>(~mask & live), v));
        from += firstCount;
        to -= lastCount;
        V::store(to, firstLanes<V>(lastCount), V::compress(static_cast<typename V::Mask>(mask), v));
    }

    // Puts some vectors from that end of the unread keys `unread..unreadEnd` at which the gap has less room, so that
    // there is room for all of them at either end.
    INLINE void putNext(typename V::Key*& unread, typename V::Key*& unreadEnd) {
        bool atEnd = to - unreadEnd < unread - from;
        auto next = atEnd ? unreadEnd - VECTORS * V::LANES : unread;
        unreadEnd = atEnd ? next : unreadEnd;
        unread = atEnd ? unread : unread + VECTORS * V::LANES;
        // The processor's own prefetching ends at each page. An address outside of the keys does no harm.
        intptr_t ahead = reinterpret_cast<intptr_t>(next) + (atEnd ? -AHEAD : AHEAD) * 64;
        __m512i v[VECTORS];
#pragma GCC unroll 8
        for (int i = 0; i < VECTORS; i++) {
            _mm_prefetch(reinterpret_cast<const char*>(ahead + i * 64), _MM_HINT_T0);
            v[i] = V::load(next + i * V::LANES);
        }
#pragma GCC unroll 8
        for (int i = 0; i < VECTORS; i++) {
            put(v[i]);
        }
    }
};

// The least keys that `partition` takes.
template <class V>
constexpr int LEAST_PARTITIONED = V::LANES * 2 * VECTORS;

// Moves the keys that are FIRST before all others, and returns how many there are. Some vectors of both ends are set
// aside, so that there is a gap.
template <class V, First FIRST>
[[gnu::noinline]] int64_t partition(typename V::Key* keys, int64_t count, typename V::Key pivot) {
    using Key = typename V::Key;
    constexpr int BLOCK = VECTORS * V::LANES;
    alignas(64) Key aside[3 * BLOCK + V::LANES];
    int64_t blocks = (count - 2 * BLOCK) / BLOCK;
    int asideCount = static_cast<int>(count - blocks * BLOCK);
    __m512i pivots = V::all(pivot);
    Key* from = keys + BLOCK;
    Key* to = from + blocks * BLOCK;
    for (int i = 0; i < BLOCK; i += V::LANES) {
        V::store(aside + i, V::load(keys + i));
    }
    for (int i = BLOCK; i < asideCount; i += V::LANES) {
        int left = asideCount - i;
        auto lanes = firstLanes<V>(left > V::LANES ? V::LANES : left);
        V::store(aside + i, V::load(lanes, pivots, to + (i - BLOCK)));
    }
    Gap<V, FIRST> gap{keys, keys + count, pivots};
    while (from < to) {
        gap.putNext(from, to);
    }
    // First comes what does not fill a vector, so that whole vectors are left for the rest of the gap.
    int whole = asideCount / V::LANES * V::LANES;
    gap.putSome(V::load(aside + whole), asideCount - whole);
    for (int i = 0; i < whole; i += V::LANES) {
        gap.put(V::load(aside + i));
    }
    return gap.from - keys;
}

template <class V, First FIRST>
int64_t partitionAny(typename V::Key* keys, int64_t count, typename V::Key pivot) {
    if (count >= LEAST_PARTITIONED<V>) {
        return partition<V, FIRST>(keys, count, pivot);
    }
    int64_t first = 0;
    for (int64_t i = 0; i < count; i++) {
        typename V::Key key = keys[i];
        if (isFirst<FIRST>(key, pivot)) {
            keys[i] = keys[first];
            keys[first++] = key;
        }
    }
    return first;
}

// Keys that are still to be split: those left at the beginning and at the end of a range. The keys before and after
// them have been split already.
struct Ends {
    int64_t from;
    int64_t fromEnd;
    int64_t toBegin;
    int64_t to;
};

// Returns how many keys are read at either end, in whole blocks.
INLINE int64_t readAtEnds(const Ends& ends, int64_t most, int64_t block) {
    int64_t left = ends.fromEnd - ends.from;
    int64_t right = ends.to - ends.toBegin;
    int64_t count = left < right ? left : right;
    return (count < most ? count : most) / block * block;
}

// Does a part of a partition: reads at most `most` keys at either end, each of which has at least two blocks, until one
// end has no more. Then the keys that were set aside go back to the gap as they are. So the rest may be split later, or
// by another thread.
template <class V, First FIRST>
[[gnu::noinline]] void narrow(typename V::Key* keys, Ends& ends, int64_t most, typename V::Key pivot) {
    using Key = typename V::Key;
    constexpr int BLOCK = VECTORS * V::LANES;
    int64_t count = readAtEnds(ends, most, BLOCK);
    touchPages(keys + ends.from, count);
    touchPages(keys + ends.to - count, count);
    alignas(64) Key aside[2 * BLOCK];
    Gap<V, FIRST> gap{keys + ends.from, keys + ends.to, V::all(pivot)};
    Key* from = gap.from + BLOCK;
    Key* fromEnd = gap.from + count;
    Key* to = gap.to - BLOCK;
    Key* toBegin = gap.to - count;
    for (int i = 0; i < BLOCK; i += V::LANES) {
        V::store(aside + i, V::load(gap.from + i));
        V::store(aside + BLOCK + i, V::load(to + i));
    }
    while (from < fromEnd && to > toBegin) {
        gap.putNext(from, to);
    }
    ends.from = gap.from - keys;
    ends.to = gap.to - keys;
    const Key* next = aside;
    while (gap.from < from) {
        *gap.from++ = *next++;
    }
    while (to < gap.to) {
        *to++ = *next++;
    }
}
