// The kernels of the CPU engine: a quicksort for processors with AVX-512. It needs no library at run time, allocates
// nothing, and takes n log n steps at worst. Java calls the two functions at the end.
#include "network.hpp"
#include "partition.hpp"

namespace {

// Returns the median of some keys from all over the range.
template <class V>
typename V::Key choosePivot(const typename V::Key* keys, int64_t count) {
    alignas(64) typename V::Key sample[16 * V::LANES];
    int rows = count < 1 << 12 ? 2 : count < 1 << 15 ? 4 : count < 1 << 18 ? 8 : 16;
    int size = rows * V::LANES;
    int64_t step = count / size;
    for (int i = 0; i < size; i++) {
        sample[i] = keys[step / 2 + i * step];
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
                done += partition<V, true>(keys + done, count - done, pivot);
            }
        } else {
            done = partition<V, false>(keys, count, pivot);
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

template <class V, bool EQUAL_FIRST>
int64_t partitionAny(typename V::Key* keys, int64_t count, typename V::Key pivot) {
    if (count >= LEAST_PARTITIONED<V>) {
        return partition<V, EQUAL_FIRST>(keys, count, pivot);
    }
    int64_t first = 0;
    for (int64_t i = 0; i < count; i++) {
        typename V::Key key = keys[i];
        if (EQUAL_FIRST ? key <= pivot : key < pivot) {
            keys[i] = keys[first];
            keys[first++] = key;
        }
    }
    return first;
}

template <class V>
void partitionInThree(typename V::Key* keys, int32_t from, int32_t to, int32_t* bounds, int32_t first, int32_t second) {
    typename V::Key least = keys[first];
    typename V::Key greatest = keys[second];
    bounds[0] = from + static_cast<int32_t>(partitionAny<V, false>(keys + from, to - from, least));
    bounds[1] = bounds[0] + static_cast<int32_t>(partitionAny<V, true>(keys + bounds[0], to - bounds[0], greatest));
}

// The types, as the JDK's library numbers them.
constexpr int INTEGER_32 = 10;

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

// Sorts `keys[from..to)`, which are ints or else longs.
EXPORTED void samplesort_sort(void* keys, int32_t type, int32_t from, int32_t to) {
    if (type == INTEGER_32) {
        sort<Ints>(static_cast<int32_t*>(keys) + from, to - from);
    } else {
        sort<Longs>(static_cast<int64_t*>(keys) + from, to - from);
    }
}

// Moves the keys of `keys[from..to)` that are less than the one at `first` before all others, and those greater than
// the one at `second`, which is not less than that, behind. Tells where the lesser end and where the greater begin.
EXPORTED void samplesort_partition(
        void* keys, int32_t type, int32_t from, int32_t to, int32_t* bounds, int32_t first, int32_t second) {
    if (type == INTEGER_32) {
        partitionInThree<Ints>(static_cast<int32_t*>(keys), from, to, bounds, first, second);
    } else {
        partitionInThree<Longs>(static_cast<int64_t*>(keys), from, to, bounds, first, second);
    }
}
