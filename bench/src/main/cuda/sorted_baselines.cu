// Thrust's and CUB's operations on sorted keys.
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/merge.h>
#include <thrust/set_operations.h>
#include <thrust/unique.h>

#include <cub/device/device_run_length_encode.cuh>
#include <new>

#include "request.cuh"

namespace {

enum Operation { kMergeTwo = 0, kUnique = 1, kCounts = 2, kLowerBounds = 3, kUnion = 4, kIntersection = 5 };

// Gives temporary memory from the stream-ordered pool, so that Thrust neither allocates nor waits for more than it has
// to.
struct PoolAllocator {
    using value_type = char;

    cudaStream_t stream;

    char* allocate(std::ptrdiff_t bytes) {
        void* memory = nullptr;
        if (cudaMallocAsync(&memory, bytes, stream) != cudaSuccess) {
            throw std::bad_alloc();
        }
        return (char*)memory;
    }

    void deallocate(char* memory, size_t) { cudaFreeAsync(memory, stream); }
};

// What an operation reads and writes, all in device memory. `numbers` takes counts or bounds, of 4 bytes each.
struct Arrays {
    const void* first;
    long long first_count;
    const void* second;
    long long second_count;
    void* out;
    void* numbers;
};

template <typename Key>
cudaError_t count_runs(const Arrays& a, cudaStream_t stream, long long* result) {
    long long* runs = nullptr;
    void* temporary = nullptr;
    size_t bytes = 0;
    cudaError_t error = cudaSuccess;
    // The first call only sets `bytes`.
    for (int call = 0; call < 2 && error == cudaSuccess; ++call) {
        error = cub::DeviceRunLengthEncode::Encode(
            temporary, bytes, (const Key*)a.first, (Key*)a.out, (int*)a.numbers, runs, a.first_count, stream);
        if (call == 0 && error == cudaSuccess) {
            error = cudaMallocAsync(&temporary, bytes + 2 * sizeof(long long), stream);
            runs = (long long*)((char*)temporary + (bytes / sizeof(long long) + 1) * sizeof(long long));
        }
    }
    if (error == cudaSuccess) {
        error = cudaMemcpyAsync(result, runs, sizeof(long long), cudaMemcpyDeviceToHost, stream);
    }
    if (temporary != nullptr) {
        cudaFreeAsync(temporary, stream);
    }
    return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

template <typename Key>
cudaError_t operate(Operation operation, const Arrays& a, cudaStream_t stream, long long* result) {
    PoolAllocator allocator{stream};
    const auto policy = thrust::cuda::par(allocator).on(stream);
    const auto first = (const Key*)a.first;
    const auto first_end = first + a.first_count;
    const auto second = (const Key*)a.second;
    const auto second_end = second + a.second_count;
    const auto out = (Key*)a.out;
    switch (operation) {
        case kMergeTwo: *result = thrust::merge(policy, first, first_end, second, second_end, out) - out; break;
        case kUnique: *result = thrust::unique_copy(policy, first, first_end, out) - out; break;
        case kCounts: return count_runs<Key>(a, stream, result);
        case kLowerBounds:
            *result =
                thrust::lower_bound(policy, first, first_end, second, second_end, (int*)a.numbers) - (int*)a.numbers;
            break;
        case kUnion: *result = thrust::set_union(policy, first, first_end, second, second_end, out) - out; break;
        case kIntersection:
            *result = thrust::set_intersection(policy, first, first_end, second, second_end, out) - out;
            break;
    }
    return cudaGetLastError();
}

}  // namespace

// `type` counts as in `baseline_sort`. Writes how many elements come out to `result`, in host memory, and waits until
// that is known. Returns a cudaError_t, or -1 for an unknown type.
extern "C" int baseline_sorted(
    int operation, int type, const void* first, long long first_count, const void* second, long long second_count,
    void* out, void* numbers, void* stream, long long* result) {
    const Arrays arrays{first, first_count, second, second_count, out, numbers};
    const auto on = (cudaStream_t)stream;
    try {
        switch (type) {
            case 5: return operate<uint32_t>((Operation)operation, arrays, on, result);
            case 7: return operate<uint64_t>((Operation)operation, arrays, on, result);
            default: return -1;
        }
    } catch (const std::bad_alloc&) {
        return cudaErrorMemoryAllocation;
    }
}
