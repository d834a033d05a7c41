// Sorts the indexes of strings with CUB's merge sort, in the two ways that one would write: entries of 16 bytes with the
// first eight bytes of a string and its index, which look at the rest of the strings on a tie; and indexes alone, which
// always compare the strings. Both are stable. Strings are compared eight bytes at a time.
#include <cstdint>
#include <cub/device/device_merge_sort.cuh>

#include "request.cuh"

namespace {

constexpr int kThreads = 256;
constexpr int kPrefixBytes = 8;
// CUB asks that its temporary memory be aligned to this.
constexpr size_t kAlignment = 256;

// The text is aligned to eight bytes, and 16 bytes behind it can be read.
template <typename Offset>
struct Strings {
    const uint64_t* words;
    const Offset* offsets;

    // Returns the eight bytes at a place, of which the first is the most significant one; zeros are in place of those at
    // `end` and behind.
    __device__ uint64_t bytes(uint64_t at, uint64_t end) const {
        if (at >= end) {
            return 0;
        }
        const unsigned shift = at % 8 * 8;
        const uint64_t low = words[at / 8] >> shift;
        const uint64_t raw = shift == 0 ? low : low | words[at / 8 + 1] << (64 - shift);
        const uint64_t word = (uint64_t)__byte_perm((uint32_t)raw, 0, 0x0123) << 32
            | __byte_perm((uint32_t)(raw >> 32), 0, 0x0123);
        return end - at < 8 ? word & ~0ull << (64 - 8 * (end - at)) : word;
    }

    // Compares two strings from byte `from` on.
    __device__ bool is_less(uint32_t a, uint32_t b, uint64_t from) const {
        const uint64_t begin_a = offsets[a];
        const uint64_t begin_b = offsets[b];
        const uint64_t end_a = offsets[a + 1];
        const uint64_t end_b = offsets[b + 1];
        const uint64_t length_a = end_a - begin_a;
        const uint64_t length_b = end_b - begin_b;
        for (uint64_t at = from; at < min(length_a, length_b); at += 8) {
            const uint64_t word_a = bytes(begin_a + at, end_a);
            const uint64_t word_b = bytes(begin_b + at, end_b);
            if (word_a != word_b) {
                return word_a < word_b;
            }
        }
        return length_a < length_b;
    }
};

struct Entry {
    uint64_t prefix;
    uint32_t index;
};
static_assert(sizeof(Entry) == 16, "an entry is one load");

template <typename Offset>
struct ByPrefix {
    Strings<Offset> strings;
    __device__ bool operator()(const Entry& a, const Entry& b) const {
        return a.prefix != b.prefix ? a.prefix < b.prefix : strings.is_less(a.index, b.index, kPrefixBytes);
    }
};

template <typename Offset>
struct ByString {
    Strings<Offset> strings;
    __device__ bool operator()(uint32_t a, uint32_t b) const { return strings.is_less(a, b, 0); }
};

template <typename Offset>
__global__ void make_entries(Strings<Offset> strings, Entry* entries, long long count) {
    const long long i = (long long)blockIdx.x * kThreads + threadIdx.x;
    if (i < count) {
        entries[i] = Entry{strings.bytes(strings.offsets[i], strings.offsets[i + 1]), (uint32_t)i};
    }
}

__global__ void make_indexes(uint32_t* indexes, long long count) {
    const long long i = (long long)blockIdx.x * kThreads + threadIdx.x;
    if (i < count) {
        indexes[i] = (uint32_t)i;
    }
}

__global__ void take_indexes(const Entry* entries, uint32_t* indexes, long long count) {
    const long long i = (long long)blockIdx.x * kThreads + threadIdx.x;
    if (i < count) {
        indexes[i] = entries[i].index;
    }
}

template <typename Offset>
cudaError_t sort_strings(const Request& r) {
    const Strings<Offset> strings{(const uint64_t*)r.keys_in, (const Offset*)r.payloads_in};
    uint32_t* const indexes = (uint32_t*)r.payloads_out;
    const unsigned blocks = (unsigned)((r.count + kThreads - 1) / kThreads);
    const bool is_measured = r.temporary == nullptr;
    if (r.algorithm == kMerge) {
        if (!is_measured) {
            make_indexes<<<blocks, kThreads, 0, r.stream>>>(indexes, r.count);
        }
        return cub::DeviceMergeSort::StableSortKeys(
            r.temporary, *r.temporary_bytes, indexes, r.count, ByString<Offset>{strings}, r.stream);
    }
    if (r.algorithm != kMergeGather) {
        return cudaErrorNotSupported;
    }
    const size_t entry_bytes = (r.count * sizeof(Entry) + kAlignment - 1) / kAlignment * kAlignment;
    Entry* const entries = (Entry*)r.temporary;
    size_t bytes = is_measured ? 0 : *r.temporary_bytes - entry_bytes;
    if (!is_measured) {
        make_entries<<<blocks, kThreads, 0, r.stream>>>(strings, entries, r.count);
    }
    const cudaError_t error = cub::DeviceMergeSort::StableSortKeys(
        is_measured ? nullptr : (char*)r.temporary + entry_bytes, bytes, entries, r.count, ByPrefix<Offset>{strings},
        r.stream);
    if (is_measured) {
        *r.temporary_bytes = entry_bytes + bytes;
        return error;
    }
    if (error != cudaSuccess) {
        return error;
    }
    take_indexes<<<blocks, kThreads, 0, r.stream>>>(entries, indexes, r.count);
    return cudaGetLastError();
}

}  // namespace

// The keys that come in are the bytes of all strings, the payloads that come in are their offsets, of `offset_bytes`
// each, and the payloads that go out are the permutation. Returns a cudaError_t, or -1 for unknown offsets.
extern "C" int baseline_sort_strings(
    int algorithm, int offset_bytes, void* temporary, size_t* temporary_bytes, const void* keys_in, void* keys_out,
    const void* payloads_in, void* payloads_out, long long count, void* stream) {
    const Request r{algorithm, temporary, temporary_bytes, keys_in, keys_out,
                    payloads_in, payloads_out, count, (cudaStream_t)stream};
    switch (offset_bytes) {
        case 4: return sort_strings<uint32_t>(r);
        case 8: return sort_strings<uint64_t>(r);
        default: return -1;
    }
}
