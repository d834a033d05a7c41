// Sorts the indexes of rows with CUB's merge sort, by three key columns: an i32 descending, an f64, and strings. There
// are the two ways that one would write: indexes alone, where each comparison fetches the keys; and entries of 16 bytes
// with both numbers and the index, where only ties need the strings. Both are stable. Strings are compared eight bytes
// at a time.
#include <cstdint>
#include <cub/device/device_merge_sort.cuh>

#include "request.cuh"
#include "string_indexes.cuh"

namespace {

// Device addresses of the columns.
struct Columns {
    const int32_t* numbers;
    const double* amounts;
    const uint64_t* text;
    const uint32_t* offsets;

    __device__ bool string_is_less(uint32_t a, uint32_t b) const {
        return Strings<uint32_t>{text, offsets}.is_less(a, b, 0);
    }
};

struct ByColumns {
    Columns columns;
    __device__ bool operator()(uint32_t a, uint32_t b) const {
        const int32_t number_a = columns.numbers[a];
        const int32_t number_b = columns.numbers[b];
        if (number_a != number_b) {
            return number_a > number_b;
        }
        const double amount_a = columns.amounts[a];
        const double amount_b = columns.amounts[b];
        return amount_a != amount_b ? amount_a < amount_b : columns.string_is_less(a, b);
    }
};

struct RowEntry {
    double amount;
    int32_t number;
    uint32_t index;
};
static_assert(sizeof(RowEntry) == 16, "an entry is one load");

struct ByEntry {
    Columns columns;
    __device__ bool operator()(const RowEntry& a, const RowEntry& b) const {
        if (a.number != b.number) {
            return a.number > b.number;
        }
        return a.amount != b.amount ? a.amount < b.amount : columns.string_is_less(a.index, b.index);
    }
};

__global__ void make_entries(Columns columns, RowEntry* entries, long long count) {
    const long long i = (long long)blockIdx.x * kThreads + threadIdx.x;
    if (i < count) {
        entries[i] = RowEntry{columns.amounts[i], columns.numbers[i], (uint32_t)i};
    }
}

__global__ void take_indexes(const RowEntry* entries, uint32_t* indexes, long long count) {
    const long long i = (long long)blockIdx.x * kThreads + threadIdx.x;
    if (i < count) {
        indexes[i] = entries[i].index;
    }
}

cudaError_t sort_indexes(const Request& r, const Columns& columns) {
    uint32_t* const indexes = (uint32_t*)r.payloads_out;
    if (r.temporary != nullptr) {
        make_indexes<<<(unsigned)((r.count + kThreads - 1) / kThreads), kThreads, 0, r.stream>>>(indexes, r.count);
    }
    return cub::DeviceMergeSort::StableSortKeys(
        r.temporary, *r.temporary_bytes, indexes, r.count, ByColumns{columns}, r.stream);
}

cudaError_t sort_entries(const Request& r, const Columns& columns) {
    const unsigned blocks = (unsigned)((r.count + kThreads - 1) / kThreads);
    const size_t entry_bytes = (r.count * sizeof(RowEntry) + kAlignment - 1) / kAlignment * kAlignment;
    const bool is_measured = r.temporary == nullptr;
    RowEntry* const entries = (RowEntry*)r.temporary;
    size_t bytes = is_measured ? 0 : *r.temporary_bytes - entry_bytes;
    if (!is_measured) {
        make_entries<<<blocks, kThreads, 0, r.stream>>>(columns, entries, r.count);
    }
    const cudaError_t error = cub::DeviceMergeSort::StableSortKeys(
        is_measured ? nullptr : (char*)r.temporary + entry_bytes, bytes, entries, r.count, ByEntry{columns}, r.stream);
    if (is_measured) {
        *r.temporary_bytes = entry_bytes + bytes;
        return error;
    }
    if (error != cudaSuccess) {
        return error;
    }
    take_indexes<<<blocks, kThreads, 0, r.stream>>>(entries, (uint32_t*)r.payloads_out, r.count);
    return cudaGetLastError();
}

}  // namespace

// What comes in as keys is the address of a `Columns` in host memory, and the payloads that go out are the permutation.
// Returns a cudaError_t, or -1 for other columns.
extern "C" int baseline_sort_columns(
    int algorithm, int columns, void* temporary, size_t* temporary_bytes, const void* keys_in, void* keys_out,
    const void* payloads_in, void* payloads_out, long long count, void* stream) {
    const Request r{algorithm,    temporary, temporary_bytes,     keys_in, keys_out, payloads_in,
                    payloads_out, count,     (cudaStream_t)stream};
    const Columns none{};
    const Columns& given = keys_in == nullptr ? none : *(const Columns*)keys_in;
    if (columns != 0) {
        return -1;
    }
    switch (algorithm) {
        case kMerge: return sort_indexes(r, given);
        case kMergeGather: return sort_entries(r, given);
        default: return cudaErrorNotSupported;
    }
}
