// A request of the benchmark to a sort, in plain C types. It is the same for keys, pairs and records.
#pragma once
#include <cuda_runtime_api.h>
#include <cstddef>
#include <cstdint>

namespace {

// If `temporary` is null, a sort only sets *temporary_bytes. Radix sort reads the `_in` arrays and writes the `_out`
// arrays; merge sort sorts the `_out` arrays in place. The sorts with a gather and those of segments read the `_in`
// arrays, too.
enum Algorithm { kRadix = 0, kMerge = 1, kRadixGather = 2, kMergeGather = 3, kSegmented = 4, kSegmentedRadix = 5 };

struct Request {
    int algorithm;
    void* temporary;
    size_t* temporary_bytes;
    const void* keys_in;
    void* keys_out;
    const void* payloads_in;
    void* payloads_out;
    long long count;
    cudaStream_t stream;
};

struct alignas(16) TwoWords {
    uint64_t a;
    uint64_t b;
};

struct ByBothWords {
    __device__ bool operator()(const TwoWords& x, const TwoWords& y) const {
        return x.a < y.a || (x.a == y.a && x.b < y.b);
    }
};

struct Less {
    template <typename T>
    __device__ bool operator()(const T& a, const T& b) const {
        return a < b;
    }
};

}  // namespace
