// CUB's sorts of records by the orders that `bench records` measures. The comparators are written by hand, as a user of
// CUB would write them. Pairs and permutations are also sorted by radix sort.
#include <cstdint>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "gathered_records.cuh"
#include "request.cuh"

namespace {

struct alignas(16) PricedId {
    double price;
    int32_t id;
    int32_t quantity;
};

// Returns an integer that orders as Double.compare does: -0.0 before 0.0, NaN last.
__device__ int64_t java_order(double value) {
    const int64_t bits = value != value ? 0x7ff8000000000000 : __double_as_longlong(value);
    return bits ^ ((bits >> 63) & 0x7fffffffffffffff);
}

struct ByPriceThenId {
    __device__ bool operator()(const PricedId& a, const PricedId& b) const {
        const int64_t price_a = java_order(a.price);
        const int64_t price_b = java_order(b.price);
        return price_a < price_b || (price_a == price_b && a.id < b.id);
    }
};

struct alignas(16) Trade {
    double price;
    double quantity;
    int64_t id;
    int64_t rest;
};

struct ByTurnover {
    __device__ bool operator()(const Trade& a, const Trade& b) const {
        return a.price * a.quantity < b.price * b.quantity;
    }
};

template <typename Element, typename Before>
cudaError_t sort_elements(const Request& r, Before before) {
    if (r.algorithm != kMerge) {
        return cudaErrorNotSupported;
    }
    return cub::DeviceMergeSort::SortKeys(
        r.temporary, *r.temporary_bytes, (Element*)r.keys_out, r.count, before, r.stream);
}

cudaError_t sort_records(const Request& r) {
    return r.algorithm == kMerge ? sort_elements<Record>(r, ByKey()) : sort_by_gather(r);
}

// Sorts pairs whose payload is their index. A stable sort of them is an argsort.
template <typename Key>
cudaError_t sort_indexed(const Request& r) {
    if (r.algorithm == kRadix) {
        return cub::DeviceRadixSort::SortPairs(
            r.temporary, *r.temporary_bytes, (const Key*)r.keys_in, (Key*)r.keys_out, (const uint32_t*)r.payloads_in,
            (uint32_t*)r.payloads_out, r.count, 0, sizeof(Key) * 8, r.stream);
    }
    if (r.algorithm != kMerge) {
        return cudaErrorNotSupported;
    }
    return cub::DeviceMergeSort::StableSortPairs(
        r.temporary, *r.temporary_bytes, (Key*)r.keys_out, (uint32_t*)r.payloads_out, r.count, Less(), r.stream);
}

}  // namespace

// `job` counts through the jobs of `bench records`. Returns a cudaError_t, or -1 for an unknown job.
extern "C" int baseline_sort_records(
    int algorithm, int job, void* temporary, size_t* temporary_bytes, const void* keys_in, void* keys_out,
    const void* payloads_in, void* payloads_out, long long count, void* stream) {
    const Request r{algorithm,    temporary, temporary_bytes,     keys_in, keys_out, payloads_in,
                    payloads_out, count,     (cudaStream_t)stream};
    switch (job) {
        case 0: return sort_elements<PricedId>(r, ByPriceThenId());
        case 1: return sort_elements<TwoWords>(r, ByBothWords());
        case 2: return sort_elements<Trade>(r, ByTurnover());
        case 3: return sort_records(r);
        case 4: return sort_indexed<uint64_t>(r);
        case 5: return sort_indexed<uint32_t>(r);
        default: return -1;
    }
}
