// Divides keys among buckets through a copy: each thread divides a share of the keys in place, and the parts of each
// bucket are then collected in the copy. So a key goes from one core to another twice, however many buckets there are.
#pragma once

#include "quicksort.hpp"

// The most keys in a sample for splitters.
constexpr int MOST_DRAWN = 4096;

// What all threads share: the splitters between the buckets, in the order of the sort; and for each share where its
// part of each bucket begins, and where the last one ends.
struct BucketTable {
    int64_t* splitters;
    int64_t buckets;

    INLINE int64_t* bounds(int64_t share) const { return splitters + buckets - 1 + share * (buckets + 1); }
};

// Returns which of `size` sorted keys of a sample begins a bucket. There are 4 q buckets with a weight of 8 q together:
// each of the first q has 4, each of the next q 2, and all others 1. So threads, which take the buckets in this order,
// end with small ones, and at about the same time.
INLINE int64_t firstOfBucket(int64_t bucket, int64_t buckets, int64_t size) {
    int64_t q = buckets / 4;
    int64_t weight = bucket < q ? 4 * bucket : bucket < 2 * q ? 2 * q + 2 * bucket : 4 * q + bucket;
    return weight * size / (8 * q);
}

// Chooses splitters by a sample; returns how many distinct ones there are.
template <class V, bool DESCENDING>
int64_t chooseSplitters(const typename V::Key* keys, int64_t count, int64_t sampled, BucketTable table) {
    alignas(64) typename V::Key sample[MOST_DRAWN];
    int size = static_cast<int>(sampled < MOST_DRAWN ? sampled : MOST_DRAWN);
    drawSample<V>(keys, count, sample, size);
    sort<V, DESCENDING>(sample, size);
    int64_t distinct = 0;
    for (int64_t i = 1; i < table.buckets; i++) {
        int64_t key = sample[firstOfBucket(i, table.buckets, size)];
        table.splitters[i - 1] = key;
        distinct += i == 1 || key != table.splitters[i - 2];
    }
    return distinct;
}

// Divides a share among the buckets `first..last`, between their bounds.
template <class V, bool DESCENDING>
void divide(typename V::Key* keys, const int64_t* splitters, int64_t* bounds, int64_t first, int64_t last) {
    while (last - first > 1) {
        int64_t middle = (first + last) / 2;
        auto splitter = static_cast<typename V::Key>(splitters[middle - 1]);
        int64_t from = bounds[first];
        bounds[middle] = from + partitionAny<V, WITHOUT_PIVOT<DESCENDING>>(keys + from, bounds[last] - from, splitter);
        divide<V, DESCENDING>(keys, splitters, bounds, first, middle);
        first = middle;
    }
}

// Copies keys, and prefetches as many from `next` on.
template <class V>
INLINE void copyKeys(const typename V::Key* from, typename V::Key* to, int64_t count, const typename V::Key* next) {
    int64_t i = 0;
    for (; i + V::LANES <= count; i += V::LANES) {
        _mm_prefetch(reinterpret_cast<const char*>(next + i), _MM_HINT_T0);
        V::store(to + i, V::load(from + i));
    }
    auto rest = firstLanes<V>(static_cast<int>(count - i));
    V::store(to + i, rest, V::load(rest, _mm512_setzero_si512(), from + i));
}

// Collects the parts of a bucket at its place in the copy; returns where it begins, relative to the first bucket.
template <class V>
int64_t collect(const typename V::Key* keys, typename V::Key* copy, BucketTable table, int64_t shares, int64_t bucket) {
    int64_t start = 0;
    for (int64_t share = 0; share < shares; share++) {
        start += table.bounds(share)[bucket] - table.bounds(share)[0];
    }
    typename V::Key* to = copy + start;
    for (int64_t share = 0; share < shares; share++) {
        const int64_t* bounds = table.bounds(share) + bucket;
        const int64_t* next = table.bounds(share + 1 < shares ? share + 1 : share) + bucket;
        copyKeys<V>(keys + bounds[0], to, bounds[1] - bounds[0], keys + next[0]);
        to += bounds[1] - bounds[0];
    }
    return start;
}
