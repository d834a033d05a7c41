// The kernels of the CPU engine, for processors with AVX-512. They need no library at run time and allocate nothing.
// Java calls the two functions at the end.
#include <jni.h>

#include <type_traits>

#include "buckets.hpp"
#include "counts.hpp"
#include "pairs.hpp"
#include "segments.hpp"

namespace {

// The operations; the class Kernels has the same numbers.
enum Operation {
    SORT = 0,
    SORT_DESCENDING = 1,
    PIVOT = 2,
    PIVOT_IS_FIRST = 3,
    SPLIT_LESS = 4,
    SPLIT_NOT_GREATER = 5,
    SPLIT_GREATER = 6,
    SPLIT_NOT_LESS = 7,
    NARROW_LESS = 8,
    NARROW_NOT_GREATER = 9,
    NARROW_GREATER = 10,
    NARROW_NOT_LESS = 11,
    SWAP = 12,
    MIRROR = 13,
    ASCENDING = 14,
    DESCENDING = 15,
    SAMPLE = 16,
    CHECK = 17,
    COUNT = 18,
    ADD_COUNTS = 19,
    ORDER_COUNTED = 20,
    WRITE_COUNTED = 21,
    CHOOSE_SPLITTERS = 22,
    DIVIDE = 23,
    COLLECT = 24,
    PUT_BACK = 25,
    SORT_SEGMENTS = 26
};

template <class V, bool IS_DESCENDING>
int64_t runsIn(const typename V::Key* keys, int64_t count, int64_t order) {
    return order == SIGNED  ? runs<V, SIGNED, IS_DESCENDING>(keys, count)
        : order == UNSIGNED ? runs<V, UNSIGNED, IS_DESCENDING>(keys, count)
                            : runs<V, FLOATING, IS_DESCENDING>(keys, count);
}

// If keys repeat, all keys of a range may equal its pivot; finding this out is faster than moving them.
template <class V, First FIRST>
int64_t splitOff(typename V::Key* keys, int64_t count, typename V::Key pivot) {
    return equalPrefix<V>(keys, count, pivot) == count ? 0 : partitionAny<V, FIRST>(keys, count, pivot);
}

template <class V, First FIRST>
int64_t splitOffWithPivot(typename V::Key* keys, int64_t count, typename V::Key pivot) {
    int64_t equal = equalPrefix<V>(keys, count, pivot);
    return equal + partitionAny<V, FIRST>(keys + equal, count - equal, pivot);
}

template <class V>
int64_t work(typename V::Key* keys, int64_t* scratch, int32_t operation, int64_t from, int64_t to, int64_t argument) {
    auto key = static_cast<typename V::Key>(argument);
    int64_t count = to - from;
    auto ends = reinterpret_cast<Ends*>(scratch);
    switch (operation) {
        case SORT: sort<V, false>(keys + from, count); return to;
        case SORT_DESCENDING: sort<V, true>(keys + from, count); return to;
        case PIVOT: return choosePivot<V>(keys + from, count).key;
        case PIVOT_IS_FIRST: return choosePivot<V>(keys + from, count).isFirst;
        case SPLIT_LESS: return from + splitOff<V, First::LESS>(keys + from, count, key);
        case SPLIT_NOT_GREATER: return from + splitOffWithPivot<V, First::NOT_GREATER>(keys + from, count, key);
        case SPLIT_GREATER: return from + splitOff<V, First::GREATER>(keys + from, count, key);
        case SPLIT_NOT_LESS: return from + splitOffWithPivot<V, First::NOT_LESS>(keys + from, count, key);
        case NARROW_LESS: narrow<V, First::LESS>(keys, *ends, count, key); return to;
        case NARROW_NOT_GREATER: narrow<V, First::NOT_GREATER>(keys, *ends, count, key); return to;
        case NARROW_GREATER: narrow<V, First::GREATER>(keys, *ends, count, key); return to;
        case NARROW_NOT_LESS: narrow<V, First::NOT_LESS>(keys, *ends, count, key); return to;
        case SWAP: swapRanges<V>(keys + from, keys + to, argument); return to;
        case MIRROR: mirror<V>(keys + from, keys + to, argument); return to;
        case ASCENDING: return runsIn<V, false>(keys + from, count, argument);
        case DESCENDING: return runsIn<V, true>(keys + from, count, argument);
        case SAMPLE: return lookAtSample<V>(keys + from, count, argument, *reinterpret_cast<Sampled*>(scratch));
        case CHECK: return sortsRightly<V>(keys + from, count);
        default: return -1;
    }
}

template <class V, class L, class P>
int64_t workOnPairs(
    Pairs<typename V::Key, P> pairs, int64_t* scratch, int32_t operation, int64_t from, int64_t to, int64_t argument) {
    using K = typename V::Key;
    auto key = static_cast<K>(argument);
    int64_t count = to - from;
    auto ends = reinterpret_cast<Ends*>(scratch);
    switch (operation) {
        case SORT: quickSort<V, L, false>(pairs + from, count, depthLimit(count), nullptr, nullptr, scratch); return to;
        case SORT_DESCENDING:
            quickSort<V, L, true>(pairs + from, count, depthLimit(count), nullptr, nullptr, scratch);
            return to;
        case SPLIT_LESS: return from + partitionPairs<K, P, First::LESS>(pairs + from, count, key);
        case SPLIT_NOT_GREATER: return from + partitionPairs<K, P, First::NOT_GREATER>(pairs + from, count, key);
        case SPLIT_GREATER: return from + partitionPairs<K, P, First::GREATER>(pairs + from, count, key);
        case SPLIT_NOT_LESS: return from + partitionPairs<K, P, First::NOT_LESS>(pairs + from, count, key);
        case NARROW_LESS: narrowPairs<K, P, First::LESS>(pairs, *ends, count, key); return to;
        case NARROW_NOT_GREATER: narrowPairs<K, P, First::NOT_GREATER>(pairs, *ends, count, key); return to;
        case NARROW_GREATER: narrowPairs<K, P, First::GREATER>(pairs, *ends, count, key); return to;
        case NARROW_NOT_LESS: narrowPairs<K, P, First::NOT_LESS>(pairs, *ends, count, key); return to;
        case SWAP:
        case MIRROR:
            work<std::conditional_t<sizeof(P) == 4, Ints, Longs>>(
                pairs.payload, nullptr, operation, from, to, argument);
            return work<V>(pairs.keys, nullptr, operation, from, to, argument);
        default: return work<V>(pairs.keys, scratch, operation, from, to, argument);
    }
}

// How keys are counted: the binary logarithm of the places of a table, the order of the keys, and whether it descends.
struct Counting {
    int bits;
    Order order;
    bool isDescending;

    explicit Counting(int64_t argument)
        : bits(static_cast<int>(argument & 0xff)),
          order(static_cast<Order>(argument >> 8 & 0xff)),
          isDescending((argument >> 16 & 1) != 0) {}
};

// The operations on keys that are counted in the table `counted`; returns -1 for any other operation.
template <class V, class L, class Bits>
int64_t workOnCounted(void* keys, int64_t* counted, int32_t operation, int64_t from, int64_t to, int64_t argument) {
    using K = typename V::Key;
    auto columns = static_cast<K*>(keys);
    auto longs = static_cast<int64_t*>(keys);
    Counting counting(argument);
    switch (operation) {
        case COUNT: {
            KeyTable table(counted, counting.bits);
            return countKeys<V>(columns + from, to - from, table) ? *table.distinct : -1;
        }
        case ADD_COUNTS: {
            KeyTable table(counted, counting.bits);
            return addCounts(KeyTable(longs, counting.bits), table) ? *table.distinct : -1;
        }
        case ORDER_COUNTED:
            return orderCounted<L>(
                KeyTable(counted, counting.bits), Ranks<K, Bits>{counting.order, counting.isDescending}, longs);
        case WRITE_COUNTED: writeCounted<V>(columns, from, to, counted, argument); return to;
        default: return -1;
    }
}

// How keys are divided among buckets: how many there are, a number that depends on the operation, and whether the
// greatest keys go first.
struct Dividing {
    int64_t buckets;
    int64_t number;
    bool isDescending;

    explicit Dividing(int64_t argument)
        : buckets(argument & 0xffff), number(argument >> 16 & 0xffffffff), isDescending((argument >> 48 & 1) != 0) {}
};

// The operations on keys that are divided among buckets, through a copy.
template <class V>
int64_t workOnBuckets(
    typename V::Key* keys, typename V::Key* copy, int64_t* table, int32_t operation, int64_t from, int64_t to,
    int64_t argument) {
    Dividing dividing(argument);
    BucketTable buckets{table, dividing.buckets};
    switch (operation) {
        case CHOOSE_SPLITTERS:
            return dividing.isDescending ? chooseSplitters<V, true>(keys + from, to - from, dividing.number, buckets)
                                         : chooseSplitters<V, false>(keys + from, to - from, dividing.number, buckets);
        case DIVIDE: {
            int64_t* bounds = buckets.bounds(dividing.number);
            bounds[0] = from;
            bounds[dividing.buckets] = to;
            if (dividing.isDescending) {
                divide<V, true>(keys, table, bounds, 0, dividing.buckets);
            } else {
                divide<V, false>(keys, table, bounds, 0, dividing.buckets);
            }
            return to;
        }
        case COLLECT: return collect<V>(keys, copy, buckets, dividing.number, from);
        case PUT_BACK: copyKeys<V>(copy + from - argument, keys + from, to - from, copy + from - argument); return to;
        default: return -1;
    }
}

// Sorts the segments `from..to`; the argument says in what order.
template <class V, class L>
int64_t workOnSegments(
    typename V::Key* keys, void* payload, int64_t* scratch, int32_t payloadBytes, int64_t from, int64_t to,
    int64_t argument) {
    Coding<V> coding(static_cast<Order>(argument & 0xff), (argument >> 8 & 1) != 0);
    const int64_t* offsets = payloadBytes == 0 ? scratch : scratch + 3 * FEW_PAIRS;
    switch (payloadBytes) {
        case 0: sortSegments(coding, keys, offsets, from, to, OneKeys<V>{keys}); return to;
        case 4:
            sortSegments(
                coding, keys, offsets, from, to,
                OnePairs<V, L, int32_t>{{keys, static_cast<int32_t*>(payload)}, scratch});
            return to;
        case 8:
            sortSegments(
                coding, keys, offsets, from, to,
                OnePairs<V, L, int64_t>{{keys, static_cast<int64_t*>(payload)}, scratch});
            return to;
        default: return -1;
    }
}

template <class V, class L, class Bits>
int64_t workOn(
    void* keys, void* payload, int64_t* scratch, int32_t payloadBytes, int32_t operation, int64_t from, int64_t to,
    int64_t argument) {
    using K = typename V::Key;
    auto column = static_cast<K*>(keys);
    if (operation == SORT_SEGMENTS) {
        return workOnSegments<V, L>(column, payload, scratch, payloadBytes, from, to, argument);
    }
    if (operation >= CHOOSE_SPLITTERS) {
        return workOnBuckets<V>(column, static_cast<K*>(payload), scratch, operation, from, to, argument);
    }
    if (operation >= COUNT) {
        return workOnCounted<V, L, Bits>(keys, scratch, operation, from, to, argument);
    }
    switch (payloadBytes) {
        case 0: return work<V>(column, scratch, operation, from, to, argument);
        case 4:
            return workOnPairs<V, L, int32_t>(
                {column, static_cast<int32_t*>(payload)}, scratch, operation, from, to, argument);
        case 8:
            return workOnPairs<V, L, int64_t>(
                {column, static_cast<int64_t*>(payload)}, scratch, operation, from, to, argument);
        default: return -1;
    }
}

// The types of keys. On some processors, longs are sorted faster in another way.
constexpr int INTS = 0;
constexpr int LONGS = 1;
constexpr int INTS_COMPARING_LONGS = 2;
constexpr int COMPARED_LONGS = 3;

}  // namespace

// Does one operation on `keys[from..to)`. Splits return where the second part begins. A pivot needs at least 32 keys.
// PIVOT_IS_FIRST returns 1 if ascending parts are more even when keys that equal the pivot go to the first part. NARROW
// splits some keys of a long range, so that no call takes long: it reads at most `to - from` keys at either end, and
// changes the `Ends` in the scratch memory, each of which has 256 keys or more. SWAP swaps `argument` keys from `from`
// on with those from `to` on, and MIRROR with those before `to`, in reverse order. ASCENDING and DESCENDING return 1 if
// the keys are in that direction by the order `argument`, and 0 otherwise. SAMPLE reads `argument` keys, returns about
// how many distinct ones there are, and writes a `Sampled` to the scratch memory. CHECK writes numbers to `keys`, sorts
// them, and returns 1 if they are in order.
//
// Keys may have a payload of 4 or 8 bytes in another column, which moves along with them; payloadBytes is 0 if there is
// none. Sorts of such pairs need 3 * FEW_PAIRS longs of scratch memory.
//
// Keys without payload can be counted in a table of (1 + (1 << bits)) * 2 longs, which were zero at first. The table is
// the scratch memory, and the argument says how keys are counted. COUNT, and ADD_COUNTS, whose `keys` are another
// table, return how many distinct keys there are, or -1 if there are too many. ORDER_COUNTED writes the distinct keys
// and where each begins to `keys`, which has room for twice as many and four more, and returns how many there are. With
// this list as scratch memory and this number as the argument, WRITE_COUNTED writes a range of the sorted keys.
//
// Keys without payload can also be divided among buckets: the scratch memory is the table of the buckets, and the
// payload has room for a copy. The argument says how many buckets there are, a multiple of four. CHOOSE_SPLITTERS
// samples `number` keys and returns how many distinct splitters there are; DIVIDE divides the share with this number;
// COLLECT collects the bucket `from`, of this many shares, in the copy, and returns where it begins there; PUT_BACK
// puts a range back, where the copy begins with the key `argument`.
//
// SORT_SEGMENTS sorts the segments `from..to` of the keys, each by itself. The scratch memory says where the segments
// begin and, after the last one, where it ends; of pairs, this comes behind what sorts of pairs need. The argument is
// the order, and 256 more if it descends.
extern "C" __attribute__((visibility("default"))) int64_t samplesort_work(
    void* keys, void* payload, void* scratch, int32_t type, int32_t payloadBytes, int32_t operation, int64_t from,
    int64_t to, int64_t argument) {
    auto spare = static_cast<int64_t*>(scratch);
    switch (type) {
        case INTS:
            return workOn<Ints, Longs, uint32_t>(keys, payload, spare, payloadBytes, operation, from, to, argument);
        case LONGS:
            return workOn<Longs, Longs, uint64_t>(keys, payload, spare, payloadBytes, operation, from, to, argument);
        case INTS_COMPARING_LONGS:
            return workOn<Ints, ComparedLongs, uint32_t>(
                keys, payload, spare, payloadBytes, operation, from, to, argument);
        case COMPARED_LONGS:
            return workOn<ComparedLongs, ComparedLongs, uint64_t>(
                keys, payload, spare, payloadBytes, operation, from, to, argument);
        default: return -1;
    }
}

// The same for keys, payload and scratch memory in Java's arrays. In the first sort of a process, this is ready sooner
// than the foreign function interface, and collectors that can leave an array where it is may collect garbage
// meanwhile.
extern "C" JNIEXPORT jlong JNICALL Java_io_samplesort_cpu_leaf_Kernels_workOnArrays(
    JNIEnv* java, jclass, jobject keys, jlong keysAt, jobject payload, jlong payloadAt, jobject scratch, jint type,
    jint payloadBytes, jint operation, jlong from, jlong to, jlong argument) {
    // Null stays null. If an array is not available, an OutOfMemoryError is pending.
    auto enter = [&](jobject array) {
        return array == nullptr
            ? nullptr
            : static_cast<char*>(java->GetPrimitiveArrayCritical(static_cast<jarray>(array), nullptr));
    };
    auto leave = [&](jobject array, char* memory) {
        if (memory != nullptr) {
            java->ReleasePrimitiveArrayCritical(static_cast<jarray>(array), memory, 0);
        }
    };
    char* keyMemory = enter(keys);
    char* payloadMemory = enter(payload);
    char* scratchMemory = enter(scratch);
    jlong result = -1;
    if (keyMemory != nullptr && (payload == nullptr || payloadMemory != nullptr)
        && (scratch == nullptr || scratchMemory != nullptr)) {
        result = samplesort_work(
            keyMemory + keysAt, payloadMemory == nullptr ? nullptr : payloadMemory + payloadAt, scratchMemory, type,
            payloadBytes, operation, from, to, argument);
    }
    leave(scratch, scratchMemory);
    leave(payload, payloadMemory);
    leave(keys, keyMemory);
    return result;
}
