// The kernels of the CPU engine, for processors with AVX-512. They need no library at run time and allocate nothing.
// Java calls the two functions at the end.
#include <jni.h>

#include "order.hpp"
#include "pairs.hpp"

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
    DESCENDING = 8,
    PIVOT_IS_FIRST = 9
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
            return choosePivot<V>(keys + from, count).key;
        case PIVOT_IS_FIRST:
            return choosePivot<V>(keys + from, count).isFirst;
        case SPLIT_LESS:
            // Where keys repeat, all of a range may be equal, and reading them is faster than moving them.
            return equalPrefix<V>(keys + from, count, key) == count
                           ? from
                           : from + partitionAny<V, First::LESS>(keys + from, count, key);
        case SPLIT_NOT_GREATER: {
            int64_t equal = equalPrefix<V>(keys + from, count, key);
            return from + equal + partitionAny<V, First::NOT_GREATER>(keys + from + equal, count - equal, key);
        }
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

template <class V, class W>
int64_t workOnPairs(
        Pairs<typename W::Key> pairs, int64_t* scratch, int32_t operation, int64_t from, int64_t to, int64_t argument) {
    int64_t count = to - from;
    switch (operation) {
        case SORT:
            quickSort<V>(pairs + from, count, depthLimit(count), nullptr, nullptr, scratch);
            return to;
        case SPLIT_LESS:
            return from + partitionPairs<typename W::Key, First::LESS>(pairs + from, count, argument);
        case SPLIT_NOT_GREATER:
            return from + partitionPairs<typename W::Key, First::NOT_GREATER>(pairs + from, count, argument);
        case SPLIT_NOT_LESS:
            return from + partitionPairs<typename W::Key, First::NOT_LESS>(pairs + from, count, argument);
        case SWAP:
        case MIRROR:
            work<W>(pairs.payload, operation, from, to, argument);
            return work<V>(pairs.keys, operation, from, to, argument);
        default:
            return work<V>(pairs.keys, operation, from, to, argument);
    }
}

template <class V>
int64_t workOnLongs(
        void* keys,
        void* payload,
        void* scratch,
        int32_t payloadBytes,
        int32_t operation,
        int64_t from,
        int64_t to,
        int64_t argument) {
    auto longs = static_cast<int64_t*>(keys);
    auto spare = static_cast<int64_t*>(scratch);
    switch (payloadBytes) {
        case 0:
            return work<V>(longs, operation, from, to, argument);
        case 4:
            return workOnPairs<V, Ints>(
                    {longs, static_cast<int32_t*>(payload)}, spare, operation, from, to, argument);
        case 8:
            return workOnPairs<V, Longs>(
                    {longs, static_cast<int64_t*>(payload)}, spare, operation, from, to, argument);
        default:
            return -1;
    }
}

// The types of keys.
constexpr int INTS = 0;
constexpr int LONGS = 1;
constexpr int COMPARED_LONGS = 2;

}  // namespace

// Does something with `keys[from..to)`. Splits return where the second part begins. A pivot is one of at least 32 keys,
// and PIVOT_IS_FIRST returns 1 if those that equal it go before the others rather than behind. SWAP swaps `argument` keys from `from` on with as many from `to` on, and MIRROR with as many before
// `to`, the other way round. ASCENDING and DESCENDING return 1 if the keys run so in the order `argument`, and 0
// otherwise.
//
// Keys of 8 bytes may have a payload of 4 or 8 bytes in another column, which moves along with them; payloadBytes is 0
// if there is none. Sorts of such pairs need 3 * FEW_PAIRS longs of scratch memory.
extern "C" __attribute__((visibility("default"))) int64_t samplesort_work(
        void* keys,
        void* payload,
        void* scratch,
        int32_t type,
        int32_t payloadBytes,
        int32_t operation,
        int64_t from,
        int64_t to,
        int64_t argument) {
    switch (type) {
        case INTS:
            return payloadBytes == 0 ? work<Ints>(static_cast<int32_t*>(keys), operation, from, to, argument) : -1;
        case LONGS:
            return workOnLongs<Longs>(keys, payload, scratch, payloadBytes, operation, from, to, argument);
        case COMPARED_LONGS:
            return workOnLongs<ComparedLongs>(keys, payload, scratch, payloadBytes, operation, from, to, argument);
        default:
            return -1;
    }
}

// The same for keys, payload and scratch memory in arrays of Java, which is ready sooner than the foreign function
// interface in the first sort of a process, and lets garbage be collected meanwhile by collectors that can leave an
// array where it is.
extern "C" JNIEXPORT jlong JNICALL Java_io_samplesort_cpu_leaf_Kernels_workOnArrays(
        JNIEnv* java,
        jclass,
        jobject keys,
        jlong keysAt,
        jobject payload,
        jlong payloadAt,
        jobject scratch,
        jint type,
        jint payloadBytes,
        jint operation,
        jlong from,
        jlong to,
        jlong argument) {
    // Null stays null. If an array cannot be had, an OutOfMemoryError is pending.
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
                keyMemory + keysAt,
                payloadMemory == nullptr ? nullptr : payloadMemory + payloadAt,
                scratchMemory,
                type,
                payloadBytes,
                operation,
                from,
                to,
                argument);
    }
    leave(scratch, scratchMemory);
    leave(payload, payloadMemory);
    leave(keys, keyMemory);
    return result;
}
