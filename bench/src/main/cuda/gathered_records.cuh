// Sorts records of 100 bytes by their 10-byte keys and moves each record only once: first it sorts keys and indexes in
// entries of 16 bytes, then it fetches each record to its place. One would do this by hand for large records. It needs
// a second array for the records, and memory for the entries.
#pragma once
#include <cstdint>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cuda/std/tuple>

#include "request.cuh"

namespace {

constexpr int kRecordWords = 25;
constexpr int kGatherThreads = 256;
// CUB asks that its temporary memory be aligned to this.
constexpr size_t kAlignment = 256;

struct Record {
    uint32_t words[kRecordWords];
};

// An entry has the whole key, so that equal prefixes need no second look at the records.
struct Entry {
    uint64_t prefix;
    uint32_t index;
    uint16_t rest;
};
static_assert(sizeof(Entry) == 16, "an entry is one load");

__host__ __device__ inline bool is_before(uint64_t prefix_a, uint32_t rest_a, uint64_t prefix_b, uint32_t rest_b) {
    return prefix_a < prefix_b || (prefix_a == prefix_b && rest_a < rest_b);
}

// The first bytes of a key are the most significant ones.
__device__ uint64_t prefix(const Record& record) {
    return (uint64_t)__byte_perm(record.words[0], 0, 0x0123) << 32 | __byte_perm(record.words[1], 0, 0x0123);
}

__device__ uint32_t rest(const Record& record) { return __byte_perm(record.words[2], 0, 0x4401); }

struct ByKey {
    __device__ bool operator()(const Record& a, const Record& b) const {
        return is_before(prefix(a), rest(a), prefix(b), rest(b));
    }
    __device__ bool operator()(const Entry& a, const Entry& b) const {
        return is_before(a.prefix, a.rest, b.prefix, b.rest);
    }
};

// The fields that radix sort uses, the most significant one first.
struct KeyFields {
    __host__ __device__ cuda::std::tuple<uint64_t&, uint16_t&> operator()(Entry& entry) const {
        return {entry.prefix, entry.rest};
    }
};

__global__ void make_entries(const Record* records, Entry* entries, long long count) {
    const long long i = (long long)blockIdx.x * kGatherThreads + threadIdx.x;
    if (i < count) {
        entries[i] = Entry{prefix(records[i]), (uint32_t)i, (uint16_t)rest(records[i])};
    }
}

// A block fetches as many records as it has threads. All threads together write word after word, so that neighbouring
// threads write neighbouring words.
__global__ void fetch_records(const Entry* entries, const Record* from, Record* to, long long count) {
    __shared__ uint32_t index[kGatherThreads];
    const long long first = (long long)blockIdx.x * kGatherThreads;
    const int records = (int)min((long long)kGatherThreads, count - first);
    if (threadIdx.x < records) {
        index[threadIdx.x] = entries[first + threadIdx.x].index;
    }
    __syncthreads();
    uint32_t* out = to[first].words;
    for (int word = threadIdx.x; word < records * kRecordWords; word += kGatherThreads) {
        out[word] = from[index[word / kRecordWords]].words[word % kRecordWords];
    }
}

// The result of radix sort is in `sorted`, that of merge sort in `entries`.
inline cudaError_t sort_entries(const Request& r, void* temporary, size_t* bytes, Entry* entries, Entry* sorted) {
    return r.algorithm == kRadixGather
        ? cub::DeviceRadixSort::SortKeys(temporary, *bytes, entries, sorted, r.count, KeyFields(), r.stream)
        : cub::DeviceMergeSort::SortKeys(temporary, *bytes, entries, r.count, ByKey(), r.stream);
}

inline cudaError_t sort_by_gather(const Request& r) {
    if (r.algorithm != kRadixGather && r.algorithm != kMergeGather) {
        return cudaErrorNotSupported;
    }
    const size_t entry_bytes = (r.count * sizeof(Entry) + kAlignment - 1) / kAlignment * kAlignment;
    const size_t all_entry_bytes = r.algorithm == kRadixGather ? 2 * entry_bytes : entry_bytes;
    if (r.temporary == nullptr) {
        size_t bytes = 0;
        const cudaError_t error = sort_entries(r, nullptr, &bytes, nullptr, nullptr);
        *r.temporary_bytes = all_entry_bytes + bytes;
        return error;
    }
    char* const begin = (char*)r.temporary;
    Entry* const entries = (Entry*)begin;
    Entry* const sorted = r.algorithm == kRadixGather ? (Entry*)(begin + entry_bytes) : entries;
    const unsigned blocks = (unsigned)((r.count + kGatherThreads - 1) / kGatherThreads);
    make_entries<<<blocks, kGatherThreads, 0, r.stream>>>((const Record*)r.keys_in, entries, r.count);
    size_t bytes = *r.temporary_bytes - all_entry_bytes;
    const cudaError_t error = sort_entries(r, begin + all_entry_bytes, &bytes, entries, sorted);
    if (error != cudaSuccess) {
        return error;
    }
    fetch_records<<<blocks, kGatherThreads, 0, r.stream>>>(
        sorted, (const Record*)r.keys_in, (Record*)r.keys_out, r.count);
    return cudaGetLastError();
}

}  // namespace
