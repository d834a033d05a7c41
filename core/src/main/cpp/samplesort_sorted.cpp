// Kernels that work on sorted keys, for processors with AVX2: merges, runs of equal keys, set operations and searches.
// Their loops have no branch that depends on a comparison, since in such inputs no processor can guess it.
#include "sorted_bounds.hpp"
#include "sorted_merge.hpp"
#include "sorted_runs.hpp"
#include "sorted_sets.hpp"

using namespace sorted;

namespace {

// Returns the first index, from 1 on, whose key comes before the one before it; 0 if there is none.
template <typename L>
int64_t outOfOrder(const void* memory, int64_t count, int64_t flips) {
    using K = typename L::Key;
    auto keys = static_cast<const K*>(memory);
    auto flip = static_cast<K>(flips);
    constexpr int64_t BLOCK = 256;
    for (int64_t from = 1; from < count; from += BLOCK) {
        int64_t to = least(from + BLOCK, count);
        K broken = 0;
        for (int64_t i = from; i < to; i++) {
            broken |= L::ordered(keys[i], flip) < L::ordered(keys[i - 1], flip);
        }
        for (int64_t i = from; broken != 0 && i < to; i++) {
            if (L::ordered(keys[i], flip) < L::ordered(keys[i - 1], flip)) {
                return i;
            }
        }
    }
    return 0;
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED int64_t samplesort_merge(
    int32_t kind, int64_t flip, const void* first, int64_t count, const void* second, int64_t otherCount,
    void* target) {
    switch (kind) {
        case INT: return merge<Ints>(first, count, second, otherCount, target, flip);
        case LONG: return merge<Longs>(first, count, second, otherCount, target, flip);
        case FLOAT: return merge<Floats>(first, count, second, otherCount, target, flip);
        default: return merge<Doubles>(first, count, second, otherCount, target, flip);
    }
}

// The target has room for all keys of both inputs, and `found` for two numbers of each part.
EXPORTED int64_t samplesort_combine(
    int32_t kind, int64_t flip, int32_t operation, const void* first, int64_t count, const void* second,
    int64_t otherCount, void* target, int64_t* found) {
    switch (kind) {
        case INT: return combine<Ints>(operation, first, count, second, otherCount, target, found, flip);
        case LONG: return combine<Longs>(operation, first, count, second, otherCount, target, found, flip);
        case FLOAT: return combine<Floats>(operation, first, count, second, otherCount, target, found, flip);
        default: return combine<Doubles>(operation, first, count, second, otherCount, target, found, flip);
    }
}

// Queries in no order need `order` with room for one and a half numbers for each of them, and at least 2^11 keys; else
// it is null.
EXPORTED void samplesort_bounds(
    int32_t kind, int64_t flip, const void* keys, int64_t count, const void* queries, int64_t queryCount, void* found,
    int32_t boundBytes, int32_t isUpper, int32_t* order) {
    switch (kind) {
        case INT: return bounds<Ints>(keys, count, queries, queryCount, found, boundBytes, isUpper, flip, order);
        case LONG: return bounds<Longs>(keys, count, queries, queryCount, found, boundBytes, isUpper, flip, order);
        case FLOAT: return bounds<Floats>(keys, count, queries, queryCount, found, boundBytes, isUpper, flip, order);
        default: return bounds<Doubles>(keys, count, queries, queryCount, found, boundBytes, isUpper, flip, order);
    }
}

EXPORTED int64_t samplesort_out_of_order(int32_t kind, int64_t flip, const void* keys, int64_t count) {
    switch (kind) {
        case INT: return outOfOrder<Ints>(keys, count, flip);
        case LONG: return outOfOrder<Longs>(keys, count, flip);
        case FLOAT: return outOfOrder<Floats>(keys, count, flip);
        default: return outOfOrder<Doubles>(keys, count, flip);
    }
}

// `places` has room for as many as there are keys.
EXPORTED int64_t samplesort_heads(int32_t bytes, const void* keys, int64_t count, int32_t* places) {
    switch (bytes) {
        case 1: return heads<int8_t>(keys, count, places);
        case 2: return heads<int16_t>(keys, count, places);
        case 4: return heads<int32_t>(keys, count, places);
        default: return heads<int64_t>(keys, count, places);
    }
}

// Copies the values at some places.
EXPORTED void samplesort_pick(int32_t bytes, const void* values, const int32_t* places, int64_t count, void* target) {
    switch (bytes) {
        case 1: return gather<int8_t>(values, places, count, target);
        case 2: return gather<int16_t>(values, places, count, target);
        case 4: return gather<int32_t>(values, places, count, target);
        default: return gather<int64_t>(values, places, count, target);
    }
}

// Writes places as offsets.
EXPORTED void samplesort_offsets(int32_t bytes, const int32_t* places, int64_t count, int64_t base, void* target) {
    if (bytes == 4) {
        offsets(places, count, base, static_cast<int32_t*>(target));
    } else {
        offsets(places, count, base, static_cast<int64_t*>(target));
    }
}

// Writes how far each place is from the one before it; the first one is `first` far.
EXPORTED void samplesort_lengths(int32_t bytes, const int32_t* places, int64_t count, int64_t first, void* target) {
    if (bytes == 4) {
        lengths(places, count, first, static_cast<int32_t*>(target));
    } else {
        lengths(places, count, first, static_cast<int64_t*>(target));
    }
}
