// The kernels of sorts of text, for any x86-64 processor. All memory is native, and must stay allocated during a call.
#include <jni.h>

#include "lines.hpp"
#include "string_sort.hpp"

namespace {

template <class T>
T* at(jlong address) {
    return reinterpret_cast<T*>(address);
}

// The fields of strings, in the order of `TextKernels.Text`.
struct Fields {
    static constexpr int COUNT = 6;

    int64_t values[COUNT];

    Fields(JNIEnv* env, jlongArray array) {
        env->GetLongArrayRegion(array, 0, COUNT, reinterpret_cast<jlong*>(values));
    }
};

void put(JNIEnv* env, jlongArray array, const int64_t* values, int64_t count) {
    env->SetLongArrayRegion(array, 0, static_cast<jsize>(count), reinterpret_cast<const jlong*>(values));
}

template <class Offset>
void writeEnds(const char* text, int64_t bytes, char terminator, int64_t most, Offset* ends, int64_t base) {
    int64_t written = 0;
    if (most > 0) {
        findEnds(text, bytes, terminator, [&](int64_t end) {
            ends[written++] = static_cast<Offset>(base + end + 1);
            return written < most;
        });
    }
}

}  // namespace

#define EXPORTED(result, name, ...) \
    extern "C" JNIEXPORT result JNICALL Java_io_samplesort_cpu_leaf_TextKernels_##name(__VA_ARGS__)

// Returns how many bytes `terminator` there are.
EXPORTED(jlong, countEnds, JNIEnv*, jclass, jlong text, jlong bytes, jbyte terminator) {
    int64_t count = 0;
    findEnds(at<const char>(text), bytes, terminator, [&](int64_t) {
        count++;
        return true;
    });
    return count;
}

// Writes where the first `most` lines end, just after their terminators.
//   offsetBytes  4 or 8
//   base         what is added to a place in the text
EXPORTED(
    void, writeEnds, JNIEnv*, jclass, jlong text, jlong bytes, jbyte terminator, jlong most, jlong ends,
    jint offsetBytes, jlong base) {
    if (offsetBytes == 8) {
        writeEnds(at<const char>(text), bytes, terminator, most, at<int64_t>(ends), base);
    } else {
        writeEnds(at<const char>(text), bytes, terminator, most, at<int32_t>(ends), base);
    }
}

// Writes the indexes of strings, and reads their first words.
EXPORTED(void, begin, JNIEnv* env, jclass, jlongArray fields, jlong words, jlong permutation, jlong from, jlong to) {
    Strings strings(Fields(env, fields).values);
    StringSort(strings, at<uint64_t>(words), at<uint32_t>(permutation)).begin(from, to);
}

// Returns whether strings are in order, and none belongs before the string that precedes them; see `isSorted`.
EXPORTED(
    jboolean, isSorted, JNIEnv* env, jclass, jlongArray fields, jlong words, jlong permutation, jlong from, jlong to) {
    Strings strings(Fields(env, fields).values);
    return StringSort(strings, at<uint64_t>(words), at<uint32_t>(permutation)).isSorted(from, to);
}

// Sorts strings whose words have been read, and have `depth` bytes in common.
EXPORTED(
    void, sort, JNIEnv* env, jclass, jlongArray fields, jlong words, jlong permutation, jlong from, jlong to,
    jlong depth) {
    Strings strings(Fields(env, fields).values);
    StringSort(strings, at<uint64_t>(words), at<uint32_t>(permutation)).sort({from, to, depth});
}

// Splits such strings into up to three ranges. Returns how many there are; `left` takes three numbers for each.
EXPORTED(
    jint, split, JNIEnv* env, jclass, jlongArray fields, jlong words, jlong permutation, jlong from, jlong to,
    jlong depth, jlongArray left) {
    Strings strings(Fields(env, fields).values);
    int64_t ranges[StringSort::MOST_LEFT * StringSort::RANGE_FIELDS];
    int64_t count =
        StringSort(strings, at<uint64_t>(words), at<uint32_t>(permutation)).split({from, to, depth}, ranges);
    put(env, left, ranges, count * StringSort::RANGE_FIELDS);
    return static_cast<jint>(count);
}

// Returns whether the strings at these places of a permutation are neighbours in the text, in order.
EXPORTED(jboolean, isConsecutive, JNIEnv*, jclass, jlong permutation, jlong from, jlong to) {
    const uint32_t* places = at<const uint32_t>(permutation);
    for (int64_t i = from + 1; i < to; i++) {
        if (places[i] != places[i - 1] + 1) {
            return false;
        }
    }
    return true;
}

// Copies lines as `gatherLines` does.
//   keys  null if no lines are left out
//   done  takes the bytes that were copied, how many lines were left out, and how many bytes these have
EXPORTED(
    jlong, gather, JNIEnv* env, jclass, jlongArray lines, jlongArray keys, jlong permutation, jlong from, jlong to,
    jlong target, jlong room, jlong longest, jlongArray done) {
    Strings text(Fields(env, lines).values);
    Strings compared(Fields(env, keys == nullptr ? lines : keys).values);
    Gathered gathered;
    int64_t next = gatherLines(
        text, keys == nullptr ? nullptr : &compared, at<const uint32_t>(permutation), from, to, at<char>(target), room,
        longest, gathered);
    int64_t counts[] = {gathered.bytes, gathered.dropped, gathered.droppedBytes};
    put(env, done, counts, 3);
    return next;
}

// Copies lines behind their numbers as `countLines` does.
//   done  takes all counts of `Gathered`
EXPORTED(
    jlong, count, JNIEnv* env, jclass, jlongArray lines, jlongArray keys, jlong permutation, jlong from, jlong to,
    jlong count, jlong columns, jlong numbers, jlong target, jlong room, jlongArray done) {
    Gathered gathered;
    int64_t next = countLines(
        Strings(Fields(env, lines).values), Strings(Fields(env, keys).values), at<const uint32_t>(permutation), from,
        to, count, columns, numbers, at<char>(target), room, gathered);
    int64_t counts[] = {gathered.bytes, gathered.dropped,   gathered.droppedBytes,
                        gathered.lines, gathered.lineBytes, gathered.counted};
    put(env, done, counts, 6);
    return next;
}
