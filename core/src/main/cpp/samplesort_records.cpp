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
// `Packing`.
EXPORTED void samplesort_pack(
        char* copy,
        int64_t* packed,
        const char* records,
        int64_t bytes,
        int64_t count,
        int64_t read,
        int64_t offset,
        int64_t flip,
        int64_t least,
        int64_t right,
        int64_t placeBits,
        int64_t firstPlace) {
    Packing how{
            offset, static_cast<uint64_t>(flip), static_cast<uint64_t>(least), right, placeBits, firstPlace};
    switch (static_cast<Read>(read)) {
        case Read::INT:
            return pack<Read::INT>(copy, packed, records, bytes, count, how);
        case Read::LONG:
            return pack<Read::LONG>(copy, packed, records, bytes, count, how);
        case Read::FLOAT:
            return pack<Read::FLOAT>(copy, packed, records, bytes, count, how);
        case Read::DOUBLE:
            return pack<Read::DOUBLE>(copy, packed, records, bytes, count, how);
        case Read::BYTES:
            return pack<Read::BYTES>(copy, packed, records, bytes, count, how);
    }
}

// Copies memory past the caches.
EXPORTED void samplesort_stream(char* target, const char* source, int64_t bytes) {
    stream(target, source, bytes);
    _mm_sfence();
}

// Returns the first of the sorted numbers `from..to` that equals the one before in all bits but the lowest `bits`; `to`
// if there is none. There is a number before the first.
EXPORTED int64_t samplesort_next_tie(const int64_t* numbers, int64_t bits, int64_t from, int64_t to) {
    return nextTie(numbers, bits, from, to);
}
