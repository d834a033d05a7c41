// The kernel that sorts short segments on processors with AVX2, for Java's arrays of numbers of 4 and 8 bytes.
#include <immintrin.h>
#include <jni.h>
#include <stdint.h>

namespace {

// The longest segments that are sorted here, and the shortest network.
constexpr int MOST = 128;
constexpr int LEAST = 8;
constexpr int NETWORKS = 5;
constexpr int FEW = 3;

constexpr int VECTOR_BYTES = 32;

enum Order { SIGNED = 0, UNSIGNED = 1, FLOATING = 2 };
constexpr int32_t DESCENDING = 256;

template <class Key>
constexpr Key NEGATIVE_NANS = sizeof(Key) == 4 ? static_cast<Key>(0x007fffff) : static_cast<Key>(0x000fffffffffffff);

// The numbers whose ascending signed order is the order of the keys, as in segments.hpp.
template <class Key, class Bits>
struct Coding {
    bool isFloating;
    Bits flip;

    explicit Coding(int32_t order)
        : isFloating((order & 0xff) == FLOATING),
          flip(static_cast<Bits>(
              ((order & 0xff) == UNSIGNED ? Bits{1} << (8 * sizeof(Key) - 1) : 0)
              ^ ((order & DESCENDING) != 0 ? ~Bits{0} : 0))) {}

    static Bits mirrored(Bits bits) {
        return bits ^ static_cast<Bits>(static_cast<Key>(bits) >> (8 * sizeof(Key) - 1)) >> 1;
    }

    Key encoded(Key key) const {
        auto bits = static_cast<Bits>(key);
        return static_cast<Key>((isFloating ? mirrored(bits) - static_cast<Bits>(NEGATIVE_NANS<Key>) : bits) ^ flip);
    }

    Key decoded(Key key) const {
        Bits bits = static_cast<Bits>(key) ^ flip;
        return static_cast<Key>(isFloating ? mirrored(bits + static_cast<Bits>(NEGATIVE_NANS<Key>)) : bits);
    }
};

// Segments of about the same length, each of which becomes a lane: row i has the keys i of all of them. Lanes of
// shorter segments are filled with the greatest key.
template <class Key, class Bits>
struct Lanes {
    typedef Key Row __attribute__((vector_size(VECTOR_BYTES)));
    static constexpr int COUNT = VECTOR_BYTES / sizeof(Key);
    static constexpr Key GREATEST = static_cast<Key>(~Bits{0} >> 1);

    int held = 0;
    int64_t starts[COUNT];
    int counts[COUNT];

    static void compareExchange(Row& a, Row& b) {
        auto x = reinterpret_cast<__m256i>(a);
        auto y = reinterpret_cast<__m256i>(b);
        if constexpr (sizeof(Key) == 4) {
            a = reinterpret_cast<Row>(_mm256_min_epi32(x, y));
            b = reinterpret_cast<Row>(_mm256_max_epi32(x, y));
        } else {
            __m256i isGreater = _mm256_cmpgt_epi64(x, y);
            a = reinterpret_cast<Row>(_mm256_blendv_epi8(x, y, isGreater));
            b = reinterpret_cast<Row>(_mm256_blendv_epi8(y, x, isGreater));
        }
    }

    // Batcher's odd-even merge sort of the rows.
    static void sortRows(Row* rows, int size) {
        for (int part = 1; part < size; part *= 2) {
            for (int i = 0; i < size; i += 2 * part) {
                for (int j = i; j < i + part; j++) {
                    compareExchange(rows[j], rows[j + part]);
                }
            }
            for (int distance = part / 2; distance >= 1; distance /= 2) {
                for (int i = 0; i < size; i += 2 * part) {
                    for (int from = i + distance; from + 2 * distance <= i + 2 * part; from += 2 * distance) {
                        for (int j = from; j < from + distance; j++) {
                            compareExchange(rows[j], rows[j + distance]);
                        }
                    }
                }
            }
        }
    }

    void sort(Key* keys, Coding<Key, Bits> coding, int size) {
        alignas(VECTOR_BYTES) Row rows[MOST];
        auto cells = reinterpret_cast<Key*>(rows);
        for (int lane = 0; lane < COUNT; lane++) {
            const Key* from = keys + starts[lane];
            int count = lane < held ? counts[lane] : 0;
            for (int i = 0; i < count; i++) {
                cells[i * COUNT + lane] = coding.encoded(from[i]);
            }
            for (int i = count; i < size; i++) {
                cells[i * COUNT + lane] = GREATEST;
            }
        }
        sortRows(rows, size);
        for (int lane = 0; lane < held; lane++) {
            Key* to = keys + starts[lane];
            for (int i = 0; i < counts[lane]; i++) {
                to[i] = coding.decoded(cells[i * COUNT + lane]);
            }
        }
        held = 0;
    }
};

// Sorts keys that are too few for a lane.
template <class Key, class Bits>
void insertionSort(Key* keys, int count, Coding<Key, Bits> coding) {
    Key sorted[FEW];
    for (int i = 0; i < count; i++) {
        Key key = coding.encoded(keys[i]);
        int at = i;
        while (at > 0 && key < sorted[at - 1]) {
            sorted[at] = sorted[at - 1];
            at--;
        }
        sorted[at] = key;
    }
    for (int i = 0; i < count; i++) {
        keys[i] = coding.decoded(sorted[i]);
    }
}

// Segments wait until as many of about the same length have come as a vector has lanes.
template <class Key, class Bits>
void sortSegments(Key* keys, const int64_t* offsets, int64_t count, int64_t most, int32_t order) {
    Coding<Key, Bits> coding(order);
    Lanes<Key, Bits> waiting[NETWORKS];
    for (int64_t i = 0; i < count; i++) {
        int64_t length = offsets[i + 1] - offsets[i];
        if (length < 2 || length > most) {
            continue;
        }
        if (length <= FEW) {
            insertionSort(keys + offsets[i], static_cast<int>(length), coding);
            continue;
        }
        int network = length <= LEAST ? 0 : 29 - __builtin_clz(static_cast<unsigned>(length - 1));
        Lanes<Key, Bits>& lanes = waiting[network];
        lanes.starts[lanes.held] = offsets[i];
        lanes.counts[lanes.held++] = static_cast<int>(length);
        if (lanes.held == Lanes<Key, Bits>::COUNT) {
            lanes.sort(keys, coding, LEAST << network);
        }
    }
    for (int network = 0; network < NETWORKS; network++) {
        if (waiting[network].held > 0) {
            waiting[network].sort(keys, coding, LEAST << network);
        }
    }
}

}  // namespace

// Sorts those of `count` segments of an array that have at most `most` keys, which is no more than MOST.
//   keysAt   where in the array the keys begin, in bytes
//   offsets  where each segment begins, and where the last one ends
//   order    that of the keys, and DESCENDING more if it descends
extern "C" JNIEXPORT void JNICALL Java_io_samplesort_cpu_leaf_ShortSegments_sort(
    JNIEnv* java, jclass, jobject keys, jlong keysAt, jint keyBytes, jlongArray offsets, jint count, jint most,
    jint order) {
    auto bounds = static_cast<int64_t*>(java->GetPrimitiveArrayCritical(offsets, nullptr));
    // If an array is not available, an OutOfMemoryError is pending.
    if (bounds == nullptr) {
        return;
    }
    auto memory = static_cast<char*>(java->GetPrimitiveArrayCritical(static_cast<jarray>(keys), nullptr));
    if (memory != nullptr) {
        if (keyBytes == 4) {
            sortSegments<int32_t, uint32_t>(reinterpret_cast<int32_t*>(memory + keysAt), bounds, count, most, order);
        } else {
            sortSegments<int64_t, uint64_t>(reinterpret_cast<int64_t*>(memory + keysAt), bounds, count, most, order);
        }
        java->ReleasePrimitiveArrayCritical(static_cast<jarray>(keys), memory, 0);
    }
    java->ReleasePrimitiveArrayCritical(offsets, bounds, JNI_ABORT);
}
