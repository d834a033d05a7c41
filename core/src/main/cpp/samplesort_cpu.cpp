// The kernels of the CPU engine, for processors with AVX-512. They need no library at run time and allocate nothing.
// Java calls the one function at the end, as each function that it links takes it some milliseconds.
#include "order.hpp"
#include "quicksort.hpp"

namespace {

// What is to be done, by the numbers that the class Kernels has for it.
enum Operation {
    SORT = 0,
    PIVOT = 1,
    SPLIT_LESS = 2,
    SPLIT_NOT_GREATER = 3,
    SPLIT_NOT_LESS = 4,
    SWAP = 5,
    MIRROR = 6,
    ASCENDING = 7,
    DESCENDING = 8
};

template <class V, bool IS_DESCENDING>
int64_t runsIn(const typename V::Key* keys, int64_t count, int64_t order) {
    return order == SIGNED     ? runs<V, SIGNED, IS_DESCENDING>(keys, count)
           : order == UNSIGNED ? runs<V, UNSIGNED, IS_DESCENDING>(keys, count)
                               : runs<V, FLOATING, IS_DESCENDING>(keys, count);
}

template <class V>
int64_t work(typename V::Key* keys, int32_t operation, int64_t from, int64_t to, int64_t argument) {
    auto key = static_cast<typename V::Key>(argument);
    int64_t count = to - from;
    switch (operation) {
        case SORT:
            sort<V>(keys + from, count);
            return to;
        case PIVOT:
            return choosePivot<V>(keys + from, count);
        case SPLIT_LESS:
            return from + partitionAny<V, First::LESS>(keys + from, count, key);
        case SPLIT_NOT_GREATER:
            return from + partitionAny<V, First::NOT_GREATER>(keys + from, count, key);
        case SPLIT_NOT_LESS:
            return from + partitionAny<V, First::NOT_LESS>(keys + from, count, key);
        case SWAP:
            swapRanges<V>(keys + from, keys + to, argument);
            return to;
        case MIRROR:
            mirror<V>(keys + from, keys + to, argument);
            return to;
        case ASCENDING:
            return runsIn<V, false>(keys + from, count, argument);
        case DESCENDING:
            return runsIn<V, true>(keys + from, count, argument);
        default:
            return -1;
    }
}

// The types of keys.
constexpr int INTS = 0;
constexpr int LONGS = 1;
constexpr int COMPARED_LONGS = 2;

}  // namespace

// Does something with `keys[from..to)`. Splits return where the second part begins, a pivot is one of at least 32
// vectors of keys. SWAP swaps `argument` keys from `from` on with as many from `to` on, and MIRROR with as many before
// `to`, the other way round. ASCENDING and DESCENDING return 1 if the keys run so in the order `argument`, and 0
// otherwise.
extern "C" __attribute__((visibility("default"))) int64_t samplesort_work(
        void* keys, int32_t type, int32_t operation, int64_t from, int64_t to, int64_t argument) {
    switch (type) {
        case INTS:
            return work<Ints>(static_cast<int32_t*>(keys), operation, from, to, argument);
        case LONGS:
            return work<Longs>(static_cast<int64_t*>(keys), operation, from, to, argument);
        case COMPARED_LONGS:
            return work<ComparedLongs>(static_cast<int64_t*>(keys), operation, from, to, argument);
        default:
            return -1;
    }
}
