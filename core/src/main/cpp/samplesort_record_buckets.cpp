// The kernels of sorts of records that are divided among buckets, for processors with AVX-512.
#include <type_traits>

#include "record_buckets.hpp"

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

template <Read READ>
using Reading = std::integral_constant<Read, READ>;

template <class F>
INLINE auto withRead(int64_t read, F f) {
    switch (static_cast<Read>(read)) {
        case Read::INT:
            return f(Reading<Read::INT>());
        case Read::LONG:
            return f(Reading<Read::LONG>());
        case Read::FLOAT:
            return f(Reading<Read::FLOAT>());
        case Read::DOUBLE:
            return f(Reading<Read::DOUBLE>());
        default:
            return f(Reading<Read::BYTES>());
    }
}

Packing packing(int64_t offset, int64_t flip, int64_t least) {
    return {offset, static_cast<uint64_t>(flip), static_cast<uint64_t>(least), 0, 0, 0};
}

}  // namespace

// Chooses 255 splitters of at least 4096 records of `bytes` bytes, and returns how many of them are distinct; for the
// numbers that say how keys are read, see `Packing`.
EXPORTED int64_t samplesort_choose_record_splitters(
        const char* records,
        int64_t bytes,
        int64_t count,
        int64_t read,
        int64_t offset,
        int64_t flip,
        int64_t least,
        int64_t* splitters) {
    return withRead(read, [&](auto reading) {
        return chooseRecordSplitters<reading()>(records, bytes, count, packing(offset, flip, least), splitters);
    });
}

// Writes to `buckets` which of 256 buckets each record goes to, and to `counts` how many go to each.
EXPORTED void samplesort_find_record_buckets(
        const char* records,
        int64_t bytes,
        int64_t count,
        int64_t read,
        int64_t offset,
        int64_t flip,
        int64_t least,
        const int64_t* splitters,
        uint8_t* buckets,
        int64_t* counts) {
    withRead(read, [&](auto reading) {
        findRecordBuckets<reading()>(
                records, bytes, count, packing(offset, flip, least), splitters, buckets, counts);
    });
}

// Moves records to their buckets in the copy, which begins at a multiple of 64 bytes. `next` says which of its records
// the first of each bucket becomes.
EXPORTED void samplesort_scatter_records(
        char* copy, const char* records, int64_t bytes, int64_t count, const uint8_t* buckets, int64_t* next) {
    scatterRecords(copy, records, bytes, count, buckets, next);
}

// Writes the `count` records of a bucket, at most 2^31, to `target` in the order of their keys, those with equal keys as
// they come. `longs` has room for as many numbers. `comparing` is 1 where longs are to be compared rather than to be
// replaced by minima.
EXPORTED void samplesort_sort_record_bucket(
        char* target,
        const char* bucket,
        int64_t* longs,
        int64_t bytes,
        int64_t count,
        int64_t read,
        int64_t offset,
        int64_t flip,
        int64_t least,
        int64_t comparing) {
    Packing how = packing(offset, flip, least);
    withRead(read, [&](auto reading) {
        if (comparing != 0) {
            sortRecordBucket<ComparedLongs, reading()>(target, bucket, longs, bytes, count, how);
        } else {
            sortRecordBucket<Longs, reading()>(target, bucket, longs, bytes, count, how);
        }
    });
}
