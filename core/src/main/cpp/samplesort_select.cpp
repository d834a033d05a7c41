// Kernels that keep the few keys between two bounds, for processors with AVX2. They read memory at its full rate.
#include <immintrin.h>
#include <jni.h>
#include <stdint.h>

namespace {

constexpr int VECTOR_BYTES = 32;

template <typename K, typename U>
struct Lanes {
    using Key = K;
    using Unsigned = U;
    typedef K Vector __attribute__((vector_size(VECTOR_BYTES)));
    typedef U UnsignedVector __attribute__((vector_size(VECTOR_BYTES)));
    static constexpr int COUNT = VECTOR_BYTES / sizeof(K);
    // How many vectors are looked at together, as many as have bits in one mask, but no more than have registers.
    static constexpr int VECTORS = 64 / COUNT < 8 ? 64 / COUNT : 8;
    static constexpr uint64_t ALL = COUNT * VECTORS == 64 ? ~0ull : (1ull << (COUNT * VECTORS) % 64) - 1;
};

using Bytes = Lanes<int8_t, uint8_t>;
using Shorts = Lanes<int16_t, uint16_t>;
using Ints = Lanes<int32_t, uint32_t>;
using Longs = Lanes<int64_t, uint64_t>;

// Returns a bit for each lane.
template <typename L>
inline uint64_t maskOf(typename L::Vector v) {
    if constexpr (sizeof(typename L::Key) == 8) {
        return static_cast<uint32_t>(_mm256_movemask_pd(reinterpret_cast<__m256d>(v)));
    } else if constexpr (sizeof(typename L::Key) == 4) {
        return static_cast<uint32_t>(_mm256_movemask_ps(reinterpret_cast<__m256>(v)));
    } else {
        uint32_t ofBytes = static_cast<uint32_t>(_mm256_movemask_epi8(reinterpret_cast<__m256i>(v)));
        return sizeof(typename L::Key) == 2 ? _pext_u32(ofBytes, 0x55555555u) : ofBytes;
    }
}

// Keys as signed integers in their order, as OrderedBits has them for floating-point numbers. `T` is a key or a vector.
// NANS is the number of NaNs with a sign; 0 for integers.
template <typename L, int64_t NANS, typename T, typename U>
inline T ordered(T bits, typename L::Key flip) {
    using Unsigned = typename L::Unsigned;
    if constexpr (NANS != 0) {
        bits ^= (T)((U)(bits >> (8 * sizeof(Unsigned) - 1)) >> 1);
        bits = (T)((U)bits - (Unsigned)NANS);
    }
    return bits ^ flip;
}

// Appends the places from `begin` to `end` whose keys lie from `low` to `high` to `kept`, behind `count` others.
// Without HAS_LOW, there is no lower bound. Returns how many keys are less than `low`, times 2^32, plus how many places
// are kept now.
template <typename L, int64_t NANS, bool HAS_LOW>
int64_t keep(
    const void* memory, int64_t begin, int64_t end, typename L::Key low, typename L::Key high, typename L::Key flip,
    int32_t* kept, int64_t count) {
    using Key = typename L::Key;
    auto bytes = static_cast<const char*>(memory);
    int64_t less = 0;
    int64_t i = begin;
    for (; i + L::VECTORS * L::COUNT <= end; i += L::VECTORS * L::COUNT) {
        uint64_t outside = 0;
        uint64_t below = 0;
#pragma GCC unroll 8
        for (int j = 0; j < L::VECTORS; j++) {
            typename L::Vector keys;
            __builtin_memcpy(&keys, bytes + (i + j * L::COUNT) * sizeof(Key), sizeof keys);
            keys = ordered<L, NANS, typename L::Vector, typename L::UnsignedVector>(keys, flip);
            outside |= maskOf<L>(keys > high) << j * L::COUNT;
            if constexpr (HAS_LOW) {
                below |= maskOf<L>(keys < low) << j * L::COUNT;
            }
        }
        less += __builtin_popcountll(below);
        // There are few in any case, so that the end of this loop is all that a processor may guess wrongly.
        for (uint64_t inside = ~(outside | below) & L::ALL; inside != 0; inside &= inside - 1) {
            kept[count++] = static_cast<int32_t>(i + __builtin_ctzll(inside));
        }
    }
    for (; i < end; i++) {
        Key bits;
        __builtin_memcpy(&bits, bytes + i * sizeof(Key), sizeof bits);
        Key key = static_cast<Key>(ordered<L, NANS, Key, typename L::Unsigned>(bits, flip));
        bool isLess = HAS_LOW && key < low;
        less += isLess;
        if (!isLess && key <= high) {
            kept[count++] = static_cast<int32_t>(i);
        }
    }
    return less << 32 | count;
}

template <typename L, int64_t NANS>
int64_t keepBetween(
    const void* memory, int64_t begin, int64_t end, bool hasLow, int64_t low, int64_t high, int64_t flip, int32_t* kept,
    int64_t count) {
    using Key = typename L::Key;
    auto keepThese = hasLow ? keep<L, NANS, true> : keep<L, NANS, false>;
    return keepThese(
        memory, begin, end, static_cast<Key>(low), static_cast<Key>(high), static_cast<Key>(flip), kept, count);
}

// The kinds of keys; the class RangeKernels has the same numbers.
enum Kind { BYTE = 0, SHORT = 1, INT = 2, LONG = 3, FLOAT = 4, DOUBLE = 5 };

constexpr int64_t FLOAT_NANS = 0x7fffff;
constexpr int64_t DOUBLE_NANS = 0xfffffffffffff;

}  // namespace

// Keeps the places of keys as `keep` does. `hasLow` says whether there is a lower bound.
extern "C" __attribute__((visibility("default"))) int64_t samplesort_keep(
    const void* keys, int32_t kind, int64_t begin, int64_t end, int32_t hasLow, int64_t low, int64_t high, int64_t flip,
    int32_t* kept, int64_t count) {
    switch (kind) {
        case BYTE: return keepBetween<Bytes, 0>(keys, begin, end, hasLow, low, high, flip, kept, count);
        case SHORT: return keepBetween<Shorts, 0>(keys, begin, end, hasLow, low, high, flip, kept, count);
        case INT: return keepBetween<Ints, 0>(keys, begin, end, hasLow, low, high, flip, kept, count);
        case LONG: return keepBetween<Longs, 0>(keys, begin, end, hasLow, low, high, flip, kept, count);
        case FLOAT: return keepBetween<Ints, FLOAT_NANS>(keys, begin, end, hasLow, low, high, flip, kept, count);
        case DOUBLE: return keepBetween<Longs, DOUBLE_NANS>(keys, begin, end, hasLow, low, high, flip, kept, count);
        default: return -1;
    }
}

// The same for keys in one of Java's arrays, from byte `at` on. Returns -1 if an OutOfMemoryError is pending.
extern "C" JNIEXPORT jlong JNICALL Java_io_samplesort_cpu_leaf_RangeKernels_keepInArray(
    JNIEnv* java, jclass, jobject keys, jlong at, jint kind, jlong begin, jlong end, jint hasLow, jlong low, jlong high,
    jlong flip, jintArray kept, jlong count) {
    jlong result = -1;
    auto keyArray = static_cast<jarray>(keys);
    auto keyMemory = static_cast<char*>(java->GetPrimitiveArrayCritical(keyArray, nullptr));
    auto keptMemory = static_cast<int32_t*>(java->GetPrimitiveArrayCritical(kept, nullptr));
    if (keyMemory != nullptr && keptMemory != nullptr) {
        result = samplesort_keep(keyMemory + at, kind, begin, end, hasLow, low, high, flip, keptMemory, count);
    }
    if (keptMemory != nullptr) {
        java->ReleasePrimitiveArrayCritical(kept, keptMemory, 0);
    }
    if (keyMemory != nullptr) {
        java->ReleasePrimitiveArrayCritical(keyArray, keyMemory, JNI_ABORT);
    }
    return result;
}
