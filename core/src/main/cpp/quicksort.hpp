// A quicksort that allocates nothing, and takes n log n steps at worst.
#pragma once

#include "network.hpp"
#include "partition.hpp"

// Where to divide a range.
template <class V>
struct Pivot {
    typename V::Key key;
    // Whether keys that equal the pivot go before the others, as that divides the range more evenly.
    bool isFirst;
};

// Returns the median of some keys, one from each of as many equal parts of the range. Where in its part each lies is
// all but random, so an input that repeats itself at some distance does not mislead it.
template <class V>
Pivot<V> choosePivot(const typename V::Key* keys, int64_t count) {
    alignas(64) typename V::Key sample[16 * V::LANES];
    int rows = count < 1 << 12 ? 2 : count < 1 << 15 ? 4 : count < 1 << 18 ? 8 : 16;
    int size = rows * V::LANES;
    uint64_t step = static_cast<uint64_t>(count / size);
    uint32_t random = static_cast<uint32_t>(count);
    for (int i = 0; i < size; i++) {
        random = random * 1664525 + 1013904223;
        sample[i] = keys[i * step + (random * step >> 32)];
    }
    sortFew<V>(sample, size);
    int middle = size / 2;
    int before = 0;
    while (before < middle && sample[middle - 1 - before] == sample[middle]) {
        before++;
    }
    int behind = 1;
    while (middle + behind < size && sample[middle + behind] == sample[middle]) {
        behind++;
    }
    return {sample[middle], behind < before};
}

template <class Key>
void siftDown(Key* keys, int64_t at, int64_t count) {
    Key key = keys[at];
    for (int64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && keys[child] < keys[child + 1]) {
            child++;
        }
        if (keys[child] <= key) {
            break;
        }
        keys[at] = keys[child];
        at = child;
    }
    keys[at] = key;
}

template <class Key>
void heapSort(Key* keys, int64_t count) {
    for (int64_t i = count / 2; i-- > 0;) {
        siftDown(keys, i, count);
    }
    for (int64_t end = count; end-- > 1;) {
        Key greatest = keys[0];
        keys[0] = keys[end];
        keys[end] = greatest;
        siftDown(keys, 0, end);
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

// Sorts keys none of which is less than `*least` or greater than `*greatest`, where there are such bounds (not null).
// They were pivots, so a pivot that equals one of them tells that many keys do. These are moved to their end of the
// range, where they are done. So each key is the pivot of few partitions, however often it occurs.
//
// After `depth` partitions the rest is left to a heap sort.
template <class V>
void quickSort(
        typename V::Key* keys,
        int64_t count,
        int depth,
        const typename V::Key* least,
        const typename V::Key* greatest) {
    typename V::Key last;
    while (count > FEW<V>) {
        if (depth-- == 0) {
            heapSort(keys, count);
            return;
        }
        Pivot<V> pivot = choosePivot<V>(keys, count);
        int64_t first;
        if (least != nullptr && pivot.key == *least) {
            first = equalPrefix<V>(keys, count, pivot.key);
            first += partitionAny<V, First::NOT_GREATER>(keys + first, count - first, pivot.key);
        } else if (greatest != nullptr && pivot.key == *greatest) {
            int64_t equal = equalPrefix<V>(keys, count, pivot.key);
            count = equal == count ? 0 : partition<V, First::LESS>(keys, count, pivot.key);
            continue;
        } else if (pivot.isFirst) {
            first = partition<V, First::NOT_GREATER>(keys, count, pivot.key);
            quickSort<V>(keys, first, depth, least, &pivot.key);
            least = nullptr;
        } else {
            first = partition<V, First::LESS>(keys, count, pivot.key);
            quickSort<V>(keys, first, depth, least, nullptr);
            last = pivot.key;
            least = &last;
        }
        keys += first;
        count -= first;
    }
    sortFew<V>(keys, static_cast<int>(count));
}

// After so many partitions a quicksort gives up.
INLINE int depthLimit(int64_t count) {
    return 2 * (64 - __builtin_clzll(static_cast<unsigned long long>(count) | 1)) + 4;
}

template <class V>
void sort(typename V::Key* keys, int64_t count) {
    // Nobody tells the first pivot that all keys may be equal.
    if (count > FEW<V> && equalPrefix<V>(keys, count, keys[0]) == count) {
        return;
    }
    quickSort<V>(keys, count, depthLimit(count), nullptr, nullptr);
}
