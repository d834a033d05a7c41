// CUB's sorts of segments: the one that treats short, medium and long segments differently, and the radix sort that
// gives each segment a thread block.
#include <cstdint>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include "request.cuh"

namespace {

template <typename Key>
cudaError_t sort_segments(const Request& r) {
    const auto offsets = (const long long*)r.payloads_in;
    const auto segments = (long long)(uintptr_t)r.payloads_out;
    if (r.algorithm == kSegmentedRadix) {
        return cub::DeviceSegmentedRadixSort::SortKeys(
            r.temporary, *r.temporary_bytes, (const Key*)r.keys_in, (Key*)r.keys_out, r.count, segments, offsets,
            offsets + 1, 0, sizeof(Key) * 8, r.stream);
    }
    return cub::DeviceSegmentedSort::SortKeys(
        r.temporary, *r.temporary_bytes, (const Key*)r.keys_in, (Key*)r.keys_out, r.count, segments, offsets,
        offsets + 1, r.stream);
}

}  // namespace

// `type` counts as in `baseline_sort`. What comes in as payloads are the offsets of the segments, long longs in device
// memory, and what goes out as payloads is no address but the number of segments. Returns a cudaError_t, or -1 for an
// unknown type.
extern "C" int baseline_sort_segments(
    int algorithm, int type, void* temporary, size_t* temporary_bytes, const void* keys_in, void* keys_out,
    const void* payloads_in, void* payloads_out, long long count, void* stream) {
    const Request r{algorithm,    temporary, temporary_bytes,     keys_in, keys_out, payloads_in,
                    payloads_out, count,     (cudaStream_t)stream};
    switch (type) {
        case 4: return sort_segments<int32_t>(r);
        case 5: return sort_segments<uint32_t>(r);
        case 6: return sort_segments<int64_t>(r);
        case 7: return sort_segments<uint64_t>(r);
        case 8: return sort_segments<float>(r);
        case 9: return sort_segments<double>(r);
        default: return -1;
    }
}
