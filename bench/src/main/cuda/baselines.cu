// The sorts that users have today: CUB's device-wide radix sort and merge sort, as a library that the benchmark loads
// into its own process. Its functions have plain C types and return every CUDA error.
#include <cstdint>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/version.cuh>
#include <cuda/std/tuple>

#include "request.cuh"

namespace {

template <typename Key>
cudaError_t sort_keys(const Request& r) {
    if (r.algorithm == kRadix) {
        return cub::DeviceRadixSort::SortKeys(
            r.temporary, *r.temporary_bytes, (const Key*)r.keys_in, (Key*)r.keys_out, r.count, 0, sizeof(Key) * 8,
            r.stream);
    }
    return cub::DeviceMergeSort::SortKeys(r.temporary, *r.temporary_bytes, (Key*)r.keys_out, r.count, Less(), r.stream);
}

template <typename Key, typename Payload>
cudaError_t sort_pairs(const Request& r) {
    if (r.algorithm == kRadix) {
        return cub::DeviceRadixSort::SortPairs(
            r.temporary, *r.temporary_bytes, (const Key*)r.keys_in, (Key*)r.keys_out, (const Payload*)r.payloads_in,
            (Payload*)r.payloads_out, r.count, 0, sizeof(Key) * 8, r.stream);
    }
    return cub::DeviceMergeSort::SortPairs(
        r.temporary, *r.temporary_bytes, (Key*)r.keys_out, (Payload*)r.payloads_out, r.count, Less(), r.stream);
}

// The fields that radix sort uses, the most significant one first.
struct BothWords {
    __host__ __device__ cuda::std::tuple<uint64_t&, uint64_t&> operator()(TwoWords& words) const {
        return {words.a, words.b};
    }
};

cudaError_t sort_structs(const Request& r) {
    if (r.algorithm == kRadix) {
        return cub::DeviceRadixSort::SortKeys(
            r.temporary, *r.temporary_bytes, (const TwoWords*)r.keys_in, (TwoWords*)r.keys_out, r.count, BothWords(),
            r.stream);
    }
    return cub::DeviceMergeSort::SortKeys(
        r.temporary, *r.temporary_bytes, (TwoWords*)r.keys_out, r.count, ByBothWords(), r.stream);
}

}  // namespace

// `type` counts through i8, u8, i16, u16, i32, u32, i64, u64, f32 and f64, then the pairs u32+u32 and u64+u64,
// structs of two u64, and the pairs u8+u32 and u16+u32. If `temporary` is null, the function only sets
// *temporary_bytes. It returns a cudaError_t, or -1 for an unknown type.
extern "C" int baseline_sort(
    int algorithm, int type, void* temporary, size_t* temporary_bytes, const void* keys_in, void* keys_out,
    const void* payloads_in, void* payloads_out, long long count, void* stream) {
    const Request r{algorithm,    temporary, temporary_bytes,     keys_in, keys_out, payloads_in,
                    payloads_out, count,     (cudaStream_t)stream};
    switch (type) {
        case 0: return sort_keys<int8_t>(r);
        case 1: return sort_keys<uint8_t>(r);
        case 2: return sort_keys<int16_t>(r);
        case 3: return sort_keys<uint16_t>(r);
        case 4: return sort_keys<int32_t>(r);
        case 5: return sort_keys<uint32_t>(r);
        case 6: return sort_keys<int64_t>(r);
        case 7: return sort_keys<uint64_t>(r);
        case 8: return sort_keys<float>(r);
        case 9: return sort_keys<double>(r);
        case 10: return sort_pairs<uint32_t, uint32_t>(r);
        case 11: return sort_pairs<uint64_t, uint64_t>(r);
        case 12: return sort_structs(r);
        case 13: return sort_pairs<uint8_t, uint32_t>(r);
        case 14: return sort_pairs<uint16_t, uint32_t>(r);
        default: return -1;
    }
}

extern "C" int baseline_cub_version() { return CUB_VERSION; }
