// Sorts the indexes of strings with CUB's merge sort, in the two ways that one would write: entries of 16 bytes with
// the first eight bytes of a string and its index, where only ties need the rest of the strings; and indexes alone,
// where each comparison reads the strings. Both are stable. Strings are compared eight bytes at a time.
#include <cstdint>
#include <cub/device/device_merge_sort.cuh>

#include "request.cuh"
#include "string_indexes.cuh"

namespace {

constexpr int kPrefixBytes = 8;

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
    const Request r{algorithm,    temporary, temporary_bytes,     keys_in, keys_out, payloads_in,
                    payloads_out, count,     (cudaStream_t)stream};
    switch (offset_bytes) {
        case 4: return sort_strings<uint32_t>(r);
        case 8: return sort_strings<uint64_t>(r);
        default: return -1;
    }
}
