// The kernels of sorts of records, for processors with AVX-512.
#include "records.hpp"

#define EXPORTED extern "C" __attribute__((visibility("default")))

// Copies the records of `bytes` bytes, at most 4096, whose places among those of `source` are the lowest bits of
// `places[from..to)`, to `target`, one after the other.
EXPORTED void samplesort_gather(
    char* target, const char* source, const int64_t* places, int64_t mask, int64_t bytes, int64_t from, int64_t to) {
    gather(target, source, places + from, mask, bytes, to - from);
}

// Copies `count` records of `bytes` bytes, and writes the leading bits of their keys with their places to `packed`; see
// `Packing`. The place of the first record is `firstPlace`.
EXPORTED void samplesort_pack(
    char* copy, int64_t* packed, const char* records, int64_t bytes, int64_t count, const Packing* how,
    int64_t firstPlace) {
    withRead(how->read, [&](auto reading) { pack<reading()>(copy, packed, records, bytes, count, *how, firstPlace); });
}

// Copies memory past the caches.
EXPORTED void samplesort_stream(char* target, const char* source, int64_t bytes) {
    stream(target, source, bytes);
    _mm_sfence();
}

// Returns the place of the first of the sorted numbers `from..to` that equals the one before in all bits but the lowest
// `bits`; `to` if there is none. There must be a number before the first.
EXPORTED int64_t samplesort_next_tie(const int64_t* numbers, int64_t bits, int64_t from, int64_t to) {
    return nextTie(numbers, bits, from, to);
}
