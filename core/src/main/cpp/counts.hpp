// Sorts keys that repeat often: counts how often each occurs, in a hash table, and writes all of them anew. Without a
// payload nothing has to be moved, so memory is read once and written once.
#pragma once

#include "order.hpp"
#include "quicksort.hpp"

// How often a key occurs. Two counters take turns, since each increment of a single counter would wait for the one
// before.
struct Counted {
    int64_t key;
    uint32_t counts[2];

    // If there is no key, all bytes are zero.
    INLINE bool isEmpty() const { return (counts[0] | counts[1]) == 0; }
};

// A hash table with 1 << bits places, in memory that was zero at first. A key lies at its place or after it. At most
// half of the places are used. The table counts fewer than 2^32 keys in all.
struct KeyTable {
    int64_t* distinct;
    Counted* places;
    int bits;

    INLINE KeyTable(int64_t* memory, int bits)
        : distinct(memory), places(reinterpret_cast<Counted*>(memory + 2)), bits(bits) {}

    INLINE uint64_t placeOf(int64_t key) const {
        return static_cast<uint64_t>(key) * 0x9e3779b97f4a7c15u >> (64 - bits);
    }

    // Returns where the key is or belongs; null if there is no room for it.
    [[gnu::noinline]] Counted* find(int64_t key) {
        uint64_t at = placeOf(key);
        while (!places[at].isEmpty() && places[at].key != key) {
            at = (at + 1) & ((uint64_t{1} << bits) - 1);
        }
        Counted* place = places + at;
        if (place->isEmpty()) {
            if (*distinct == int64_t{1} << (bits - 1)) {
                return nullptr;
            }
            ++*distinct;
            place->key = key;
        }
        return place;
    }
};

// Counts keys by the table; returns whether there was a place for each key.
template <class Key>
[[gnu::noinline]] bool countInTable(const Key* keys, int64_t count, KeyTable table) {
    constexpr int AT_A_TIME = 4;
    int64_t i = 0;
    for (; i + AT_A_TIME <= count; i += AT_A_TIME) {
        _mm_prefetch(reinterpret_cast<const char*>(keys + i) + 2048, _MM_HINT_T0);
#pragma GCC unroll 4
        for (int j = 0; j < AT_A_TIME; j++) {
            int64_t key = keys[i + j];
            Counted* place = table.places + table.placeOf(key);
            // The key zero also matches an empty place, and lies there from then on.
            if (__builtin_expect(place->key != key, 0)) {
                place = table.find(key);
                if (place == nullptr) {
                    return false;
                }
            }
            place->counts[j & 1]++;
        }
    }
    for (; i < count; i++) {
        Counted* place = table.find(keys[i]);
        if (place == nullptr) {
            return false;
        }
        place->counts[0]++;
    }
    return true;
}

// How many keys are counted at a time if few are known.
constexpr int COUNTED_BLOCK = 4096;

// The most known keys with which others are compared one by one, and the bits of the least table: more keys have a
// larger table.
constexpr int FEW_KNOWN = 16;
constexpr int FEW_KNOWN_BITS = 8;

// Counts blocks of keys until one has a key that is not among the `count` known ones, of which there are at most MOST;
// returns how many keys were counted.
template <class V, int MOST>
[[gnu::noinline]] int64_t countBlocks(const typename V::Key* keys, int64_t keyCount, Counted* const* known, int count) {
    __m512i all[MOST];
#pragma GCC unroll 16
    for (int i = 0; i < MOST; i++) {
        all[i] = V::all(static_cast<typename V::Key>(known[i < count ? i : 0]->key));
    }
    int64_t done = 0;
    for (; done + COUNTED_BLOCK <= keyCount; done += COUNTED_BLOCK) {
        __m512i counts[MOST];
#pragma GCC unroll 16
        for (int i = 0; i < MOST; i++) {
            counts[i] = _mm512_setzero_si512();
        }
        for (int64_t at = done; at < done + COUNTED_BLOCK; at += V::LANES) {
            _mm_prefetch(reinterpret_cast<const char*>(keys + at) + 4096, _MM_HINT_T0);
            __m512i v = V::load(keys + at);
#pragma GCC unroll 16
            for (int i = 0; i < MOST; i++) {
                counts[i] = V::countEqual(counts[i], v, all[i]);
            }
        }
        int64_t sums[MOST];
        int64_t total = 0;
#pragma GCC unroll 16
        for (int i = 0; i < MOST; i++) {
            sums[i] = V::sum(counts[i]);
            total += i < count ? sums[i] : 0;
        }
        if (total < COUNTED_BLOCK) {
            break;
        }
        for (int i = 0; i < count; i++) {
            known[i]->counts[0] += static_cast<uint32_t>(sums[i]);
        }
    }
    return done;
}

// Does the same with the keys of a table, if they are few.
template <class V>
int64_t countKnown(const typename V::Key* keys, int64_t count, KeyTable table) {
    Counted* known[FEW_KNOWN];
    int knownCount = 0;
    for (int i = 0; i < 1 << FEW_KNOWN_BITS; i++) {
        if (!table.places[i].isEmpty()) {
            if (knownCount == FEW_KNOWN) {
                return 0;
            }
            known[knownCount++] = table.places + i;
        }
    }
    return knownCount == 0 ? 0
        : knownCount <= 4  ? countBlocks<V, 4>(keys, count, known, knownCount)
        : knownCount <= 8  ? countBlocks<V, 8>(keys, count, known, knownCount)
                           : countBlocks<V, FEW_KNOWN>(keys, count, known, knownCount);
}

// Counts keys; returns whether there was a place for each key.
template <class V>
bool countKeys(const typename V::Key* keys, int64_t count, KeyTable table) {
    int64_t done = 0;
    while (table.bits == FEW_KNOWN_BITS && *table.distinct <= FEW_KNOWN && done < count) {
        done += countKnown<V>(keys + done, count - done, table);
        // Here comes a key that is not known yet.
        int64_t block = count - done < COUNTED_BLOCK ? count - done : COUNTED_BLOCK;
        if (!countInTable(keys + done, block, table)) {
            return false;
        }
        done += block;
    }
    return countInTable(keys + done, count - done, table);
}

// Adds the counts of another table of the same size.
inline bool addCounts(KeyTable from, KeyTable to) {
    for (int64_t i = 0; i < int64_t{1} << from.bits; i++) {
        const Counted& counted = from.places[i];
        if (!counted.isEmpty()) {
            Counted* place = to.find(counted.key);
            if (place == nullptr) {
                return false;
            }
            place->counts[0] += counted.counts[0];
            place->counts[1] += counted.counts[1];
        }
    }
    return true;
}

// Maps keys to numbers in ascending or descending order. NaNs with a sign bit come last in the ascending order of
// floating-point numbers.
template <class Key, class Bits>
struct Ranks {
    static constexpr Bits SIGN = Bits{1} << (8 * sizeof(Key) - 1);
    // How many NaNs have a sign bit.
    static constexpr Bits NANS = sizeof(Key) == 8 ? Bits((uint64_t{1} << 52) - 1) : Bits((1u << 23) - 1);

    Order order;
    bool isDescending;

    INLINE Key rank(Key key) const {
        Key rank = key;
        if (order == UNSIGNED) {
            rank = static_cast<Key>(static_cast<Bits>(key) ^ SIGN);
        } else if (order == FLOATING) {
            rank = static_cast<Key>(static_cast<Bits>(key < 0 ? static_cast<Key>(~key | SIGN) : key) - NANS);
        }
        return isDescending ? ~rank : rank;
    }

    INLINE Key key(Key rank) const {
        Key key = isDescending ? ~rank : rank;
        if (order == UNSIGNED) {
            return static_cast<Key>(static_cast<Bits>(key) ^ SIGN);
        }
        if (order == FLOATING) {
            key = static_cast<Key>(static_cast<Bits>(key) + NANS);
            return key < 0 ? static_cast<Key>(~static_cast<Bits>(key) | SIGN) : key;
        }
        return key;
    }
};

// Writes the keys that a table has counted to `sorted`, in order, then the place where each begins among all keys, and
// where the last one ends; returns how many keys there are. L is for longs.
template <class L, class Key, class Bits>
int64_t orderCounted(KeyTable table, Ranks<Key, Bits> ranks, int64_t* sorted) {
    int64_t distinct = 0;
    for (int64_t i = 0; i < int64_t{1} << table.bits; i++) {
        if (!table.places[i].isEmpty()) {
            sorted[distinct++] = ranks.rank(static_cast<Key>(table.places[i].key));
        }
    }
    sort<L, false>(sorted, distinct);
    int64_t* starts = sorted + distinct;
    int64_t start = 0;
    for (int64_t i = 0; i < distinct; i++) {
        sorted[i] = ranks.key(static_cast<Key>(sorted[i]));
        const Counted* counted = table.find(sorted[i]);
        starts[i] = start;
        start += static_cast<int64_t>(counted->counts[0]) + counted->counts[1];
    }
    starts[distinct] = start;
    return distinct;
}

// More bytes than this are written past the caches, which would be of no use for them.
constexpr int64_t MANY_BYTES = 64 << 20;

// Writes `count` times a key.
template <class V>
INLINE void writeKey(typename V::Key* keys, int64_t count, typename V::Key key, bool isPastCaches) {
    __m512i v = V::all(key);
    int64_t i = 0;
    if (isPastCaches && count > 4 * V::LANES) {
        int64_t toLine = (-reinterpret_cast<intptr_t>(keys) & 63) / static_cast<int64_t>(sizeof(key));
        V::store(keys, v);
        for (i = toLine; i + V::LANES <= count; i += V::LANES) {
            _mm512_stream_si512(reinterpret_cast<__m512i*>(keys + i), v);
        }
    }
    for (; i + V::LANES <= count; i += V::LANES) {
        V::store(keys + i, v);
    }
    V::store(keys + i, firstLanes<V>(static_cast<int>(count - i)), v);
}

// Writes the sorted keys `from..to`.
template <class V>
void writeCounted(typename V::Key* keys, int64_t from, int64_t to, const int64_t* sorted, int64_t distinct) {
    using Key = typename V::Key;
    const int64_t* starts = sorted + distinct;
    int64_t low = 0;
    int64_t high = distinct - 1;
    while (low < high) {
        int64_t middle = (low + high + 1) / 2;
        if (starts[middle] <= from) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    // Only keys that lie at multiples of their size can reach the beginning of a cache line.
    bool isPastCaches = starts[distinct] * static_cast<int64_t>(sizeof(Key)) > MANY_BYTES
        && reinterpret_cast<uintptr_t>(keys) % sizeof(Key) == 0;
    for (int64_t at = from; at < to; low++) {
        int64_t end = starts[low + 1] < to ? starts[low + 1] : to;
        writeKey<V>(keys + at, end - at, static_cast<Key>(sorted[low]), isPastCaches);
        at = end;
    }
    // Makes what went past the caches visible to other threads.
    _mm_sfence();
}

// The most keys that `lookAtSample` reads.
constexpr int MOST_SAMPLED = 4096;

// What a sample says about all keys: the pivot for their first split, and how many keys of the sample have a sign bit.
struct Sampled {
    int64_t pivot;
    int64_t isPivotFirst;
    int64_t negative;
};

// Estimates how many distinct keys there are, from a sorted sample (Chao's estimate): many if few repeat in the sample.
template <class Key>
int64_t estimateDistinct(const Key* sample, int size) {
    int64_t distinct = 0;
    int64_t once = 0;
    int64_t twice = 0;
    for (int start = 0, end; start < size; start = end) {
        end = start + 1;
        while (end < size && sample[end] == sample[start]) {
            end++;
        }
        distinct++;
        once += end - start == 1;
        twice += end - start == 2;
    }
    return distinct + (twice > 0 ? once * once / (2 * twice) : once * (once - 1) / 2);
}

// Reads a sample of keys. Each may lie on a page of its own, so everything that the sort needs to know is found at
// once. Returns about how many distinct keys there are.
template <class V>
int64_t lookAtSample(const typename V::Key* keys, int64_t count, int64_t sampled, Sampled& result) {
    alignas(64) typename V::Key sample[MOST_SAMPLED];
    int size = static_cast<int>(sampled < MOST_SAMPLED ? sampled : MOST_SAMPLED);
    drawSample<V>(keys, count, sample, size);
    sort<V, false>(sample, size);
    Pivot<V> pivot = medianOf<V>(sample, size);
    result = {pivot.key, pivot.isFirst, 0};
    while (result.negative < size && sample[result.negative] < 0) {
        result.negative++;
    }
    return estimateDistinct(sample, size);
}
