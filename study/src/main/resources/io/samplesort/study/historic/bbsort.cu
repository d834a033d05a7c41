// bbsort (Chen, Qin, Xie, Zhao and He 2009). The bucket of an element depends on where its key lies between the
// smallest and the greatest key, in the hope that keys are spread evenly. Then one block sorts each bucket by bitonic
// sort in shared memory. A bucket with too many elements for that is sorted in device memory by one block, which is
// slow.
#include "config.cuh"

#include "elements.cuh"
#include "key_range.cuh"
#include "networks.cuh"
#include "scan.cuh"

// Counts the elements of each bucket. The count before an element is its place in the bucket.
extern "C" __global__ void __launch_bounds__(kThreads)
    count_buckets(const Key* keys, u64 count, const u64* range, u64 bucket_count, u32* sizes, u32* ranks) {
    const u64 i = (u64)blockIdx.x * kThreads + threadIdx.x;
    if (i < count) {
        ranks[i] = atomicAdd(&sizes[Interpolation(range, (u32)bucket_count).bucket(keys[i])], 1u);
    }
}

extern "C" __global__ void __launch_bounds__(kThreads) fill_buckets(
    Key* from_keys, Payload* from_payloads, Key* to_keys, Payload* to_payloads, u64 count, const u64* range,
    u64 bucket_count, const u32* begins, const u32* ranks) {
    const u64 i = (u64)blockIdx.x * kThreads + threadIdx.x;
    if (i < count) {
        const Element element = ElementArray{from_keys, from_payloads}.load(i);
        const u32 bucket = Interpolation(range, (u32)bucket_count).bucket(element.key);
        ElementArray{to_keys, to_payloads}.store((u64)begins[bucket] + ranks[i], element);
    }
}

// Each bucket is sorted by one block. `oversize[0]` becomes the number of buckets that do not fit in shared memory, and
// `oversize[1]` the size of the largest of them.
extern "C" __global__ void __launch_bounds__(kThreads) sort_buckets(
    Key* from_keys, Payload* from_payloads, Key* to_keys, Payload* to_payloads, const u32* begins, u64* oversize) {
    __shared__ Element elements[kBucketCapacity];
    const ElementArray from = {from_keys, from_payloads};
    const u64 begin = begins[blockIdx.x];
    const u64 count = begins[blockIdx.x + 1] - begin;
    const ElementArray to = {to_keys + begin, HAS_PAYLOAD ? to_payloads + begin : to_payloads};
    if (count <= kBucketCapacity) {
        const SharedElements shared = {elements};
        for (u64 i = threadIdx.x; i < count; i += kThreads) {
            shared.store(i, from.load(begin + i));
        }
        __syncthreads();
        bitonic_sort(shared, count);
        for (u64 i = threadIdx.x; i < count; i += kThreads) {
            to.store(i, shared.load(i));
        }
        return;
    }
    if (threadIdx.x == 0) {
        atomicAdd(&oversize[0], 1ull);
        atomicMax(&oversize[1], count);
    }
    for (u64 i = threadIdx.x; i < count; i += kThreads) {
        to.store(i, from.load(begin + i));
    }
    __syncthreads();
    bitonic_sort(to, count);
}
