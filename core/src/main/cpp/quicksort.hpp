// A quicksort that allocates nothing, and takes n log n steps at worst.
#pragma once

#include "network.hpp"
#include "order.hpp"
#include "partition.hpp"

// Where to divide a range.
template <class V>
struct Pivot {
    typename V::Key key;
    // Whether keys that equal the pivot go before the others because that divides the range more evenly.
    bool isFirst;
    // Whether about one key in 16 or more equals the pivot.
    bool isFrequent;
};

// Draws keys, one from each of as many equal parts of the range. The place of each within its part is nearly random, so
// an input that repeats itself at some distance does not mislead the sample.
template <class V>
INLINE void drawSample(const typename V::Key* keys, int64_t count, typename V::Key* sample, int size) {
    auto step = static_cast<uint64_t>(count / size);
    auto random = static_cast<uint32_t>(count);
    for (int i = 0; i < size; i++) {
        random = random * 1664525 + 1013904223;
        sample[i] = keys[i * step + (random * step >> 32)];
    }
}

// Returns the median of a sorted sample.
template <class V>
Pivot<V> medianOf(const typename V::Key* sample, int size) {
    int middle = size / 2;
    int before = 0;
    while (before < middle && sample[middle - 1 - before] == sample[middle]) {
        before++;
    }
    int behind = 1;
    while (middle + behind < size && sample[middle + behind] == sample[middle]) {
        behind++;
    }
    int equal = before + behind;
    return {sample[middle], (behind < before), equal > 2 && 16 * equal >= size};
}

// Returns the median of a few keys.
template <class V>
Pivot<V> choosePivot(const typename V::Key* keys, int64_t count) {
    alignas(64) typename V::Key sample[16 * V::LANES];
    int rows = count < 1 << 12 ? 2 : count < 1 << 15 ? 4 : count < 1 << 18 ? 8 : 16;
    int size = rows * V::LANES;
    drawSample<V>(keys, count, sample, size);
    sortFew<V>(sample, size);
    return medianOf<V>(sample, size);
}

// Returns whether a key belongs before another.
template <bool DESCENDING, class Key>
INLINE bool isBefore(Key key, Key other) {
    return DESCENDING ? key > other : key < other;
}

template <bool DESCENDING, class Key>
void siftDown(Key* keys, int64_t at, int64_t count) {
    Key key = keys[at];
    for (int64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && isBefore<DESCENDING>(keys[child], keys[child + 1])) {
            child++;
        }
        if (!isBefore<DESCENDING>(key, keys[child])) {
            break;
        }
        keys[at] = keys[child];
        at = child;
    }
    keys[at] = key;
}

template <bool DESCENDING, class Key>
void heapSort(Key* keys, int64_t count) {
    for (int64_t i = count / 2; i-- > 0;) {
        siftDown<DESCENDING>(keys, i, count);
    }
    for (int64_t end = count; end-- > 1;) {
        Key last = keys[0];
        keys[0] = keys[end];
        keys[end] = last;
        siftDown<DESCENDING>(keys, 0, end);
    }
}

// Returns how many keys equal `key` before the first that does not.
template <class V>
int64_t equalPrefix(const typename V::Key* keys, int64_t count, typename V::Key key) {
    __m512i all = V::all(key);
    int64_t i = 0;
    while (i + V::LANES <= count && V::unequal(V::load(keys + i), all) == 0) {
        i += V::LANES;
    }
    while (i < count && keys[i] == key) {
        i++;
    }
    return i;
}

// Sorts keys of which none belongs before `*first` or after `*last`, if these bounds exist (are not null). The bounds
// were pivots, so if a new pivot equals one of them, many keys do. Such keys are moved to their end of the range, where
// they are done. So each key is the pivot of few partitions, however often it occurs.
//
// After `depth` partitions the rest is left to a heap sort.
template <class V, bool DESCENDING>
void quickSort(
    typename V::Key* keys, int64_t count, int depth, const typename V::Key* first, const typename V::Key* last) {
    constexpr First WITHOUT = WITHOUT_PIVOT<DESCENDING>;
    constexpr First WITH = WITH_PIVOT<DESCENDING>;
    typename V::Key before;
    while (count > FEW<V>) {
        if (depth-- == 0) {
            heapSort<DESCENDING>(keys, count);
            return;
        }
        Pivot<V> pivot = choosePivot<V>(keys, count);
        int64_t middle;
        if (first != nullptr && pivot.key == *first) {
            middle = equalPrefix<V>(keys, count, pivot.key);
            middle += partitionAny<V, WITH>(keys + middle, count - middle, pivot.key);
        } else if (last != nullptr && pivot.key == *last) {
            int64_t equal = equalPrefix<V>(keys, count, pivot.key);
            count = equal == count ? 0 : partition<V, WITHOUT>(keys, count, pivot.key);
            continue;
        } else if (pivot.isFirst != DESCENDING) {
            middle = partition<V, WITH>(keys, count, pivot.key);
            quickSort<V, DESCENDING>(keys, middle, depth, first, &pivot.key);
            first = nullptr;
        } else {
            middle = partition<V, WITHOUT>(keys, count, pivot.key);
            quickSort<V, DESCENDING>(keys, middle, depth, first, nullptr);
            before = pivot.key;
            first = &before;
        }
        keys += middle;
        count -= middle;
    }
    sortFew<V>(keys, static_cast<int>(count));
    if (DESCENDING) {
        mirror<V>(keys, keys + count, count / 2);
    }
}

// Returns after how many partitions a quicksort gives up.
INLINE int depthLimit(int64_t count) {
    return 2 * (64 - __builtin_clzll(static_cast<unsigned long long>(count) | 1)) + 4;
}

template <class V, bool DESCENDING>
void sort(typename V::Key* keys, int64_t count) {
    touchPages(keys, count);
    // Only here may all keys be equal without a bound that shows it.
    if (count > FEW<V> && equalPrefix<V>(keys, count, keys[0]) == count) {
        return;
    }
    quickSort<V, DESCENDING>(keys, count, depthLimit(count), nullptr, nullptr);
}

// Returns a sum that hardly ever stays the same unless the keys do, in any order.
template <class Key>
uint64_t sumOf(const Key* keys, int64_t count) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < count; i++) {
        auto key = static_cast<uint64_t>(keys[i]);
        sum += key * (key + 3) * (key ^ 5);
    }
    return sum;
}

// Writes numbers, and returns whether this processor sorts them correctly. In the first sort of a process this takes
// Java a hundred times as long.
template <class V>
bool sortsRightly(typename V::Key* keys, int64_t count) {
    using Key = typename V::Key;
    uint64_t number = 1;
    for (int64_t i = 0; i < count; i++) {
        // A sequence of 2^64 numbers (D. E. Knuth's MMIX), of which the lowest bits repeat soon.
        number = number * 6364136223846793005 + 1442695040888963407;
        keys[i] = static_cast<Key>(number >> (64 - 8 * sizeof(Key)));
    }
    uint64_t sum = sumOf(keys, count);
    sort<V, false>(keys, count);
    for (int64_t i = 1; i < count; i++) {
        if (keys[i - 1] > keys[i]) {
            return false;
        }
    }
    return sumOf(keys, count) == sum;
}
