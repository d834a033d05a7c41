// The kernels of sorts of records that are divided among buckets, for processors with AVX-512. All take records of
// `bytes` bytes, and read whole keys as `key` says.
#include "record_buckets.hpp"

#define EXPORTED extern "C" __attribute__((visibility("default")))

// Chooses 255 splitters of at least 4096 records, and returns how many of them are distinct.
EXPORTED int64_t samplesort_choose_record_splitters(
    const char* records, int64_t bytes, int64_t count, const Packing* key, int64_t* splitters) {
    return withRead(key->read, [&](auto reading) {
        return chooseRecordSplitters<reading()>(records, bytes, count, *key, splitters);
    });
}

// Writes to `buckets` which of 256 buckets each record goes to, and to `counts` how many go to each.
EXPORTED void samplesort_find_record_buckets(
    const char* records, int64_t bytes, int64_t count, const Packing* key, const int64_t* splitters, uint8_t* buckets,
    int64_t* counts) {
    withRead(key->read, [&](auto reading) {
        findRecordBuckets<reading()>(records, bytes, count, *key, splitters, buckets, counts);
    });
}

// Moves records to their buckets in the copy, which begins at a multiple of 64 bytes. `next` says where in the copy the
// first record of each bucket goes.
EXPORTED void samplesort_scatter_records(
    char* copy, const char* records, int64_t bytes, int64_t count, const uint8_t* buckets, int64_t* next) {
    scatterRecords(copy, records, bytes, count, buckets, next);
}

// Writes the `count` records of a bucket, at most 2^31, to `target` in the order of their keys, stably. `longs` has
// room for a number for each. `comparing` is 1 if longs are to be compared instead of found by minima.
EXPORTED void samplesort_sort_record_bucket(
    char* target, const char* bucket, int64_t* longs, int64_t bytes, int64_t count, const Packing* key,
    int64_t comparing) {
    withRead(key->read, [&](auto reading) {
        if (comparing != 0) {
            sortRecordBucket<ComparedLongs, reading()>(target, bucket, longs, bytes, count, *key);
        } else {
            sortRecordBucket<Longs, reading()>(target, bucket, longs, bytes, count, *key);
        }
    });
}
