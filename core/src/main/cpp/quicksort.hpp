// A quicksort that allocates nothing, and takes n log n steps at worst.
#pragma once

#include "network.hpp"
#include "partition.hpp"

// Returns the median of some keys, one from each of as many equal parts of the range. Where in its part each lies is
// all but random, so an input that repeats itself at some distance does not mislead it.
template <class V>
typename V::Key choosePivot(const typename V::Key* keys, int64_t count) {
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
    return sample[size / 2];
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

// Sorts keys none of which is less than `*bound`, where there is one (not null): the last pivot before them. A pivot
// that equals the bound tells that many keys do, and these are moved to the beginning, where they are done. So each key
// is the pivot of two partitions at most, however often it occurs.
//
// After `depth` partitions the rest is left to a heap sort.
template <class V>
void quickSort(typename V::Key* keys, int64_t count, int depth, const typename V::Key* bound) {
    typename V::Key last;
    while (count > FEW<V>) {
        if (depth-- == 0) {
            heapSort(keys, count);
            return;
        }
        typename V::Key pivot = choosePivot<V>(keys, count);
        int64_t done = 0;
        if (bound != nullptr && pivot == *bound) {
            done = equalPrefix<V>(keys, count, pivot);
            if (count - done >= LEAST_PARTITIONED<V>) {
                done += partition<V, First::NOT_GREATER>(keys + done, count - done, pivot);
            }
        } else {
            done = partition<V, First::LESS>(keys, count, pivot);
            if (done > 0) {
                quickSort<V>(keys, done, depth, bound);
            }
        }
        keys += done;
        count -= done;
        last = pivot;
        bound = &last;
    }
    sortFew<V>(keys, static_cast<int>(count));
}

template <class V>
void sort(typename V::Key* keys, int64_t count) {
    int depth = 2 * (64 - __builtin_clzll(static_cast<unsigned long long>(count) | 1)) + 4;
    quickSort<V>(keys, count, depth, nullptr);
}
