// Hybrid sort (Sintorn and Assarsson 2008). It begins with a bucket sort, whose pivots are interpolated between the
// smallest and the greatest key and then moved so that all buckets get the same number of elements. Then it sorts each
// bucket by a merge sort of vectors of four keys, in which one thread merges two lists.
#include "config.cuh"

#include "elements.cuh"
#include "key_range.cuh"

constexpr u32 kVector = 4;

// Counts the keys in each of `bin_count` parts of equal width. Dynamic shared memory has `bin_count` counters.
extern "C" __global__ void __launch_bounds__(kThreads)
    count_bins(const Key* keys, u64 count, const u64* range, u64 bin_count, u32* bins) {
    u32* counters = (u32*)shared_memory;
    const Interpolation interpolation(range, (u32)bin_count);
    for (u32 i = threadIdx.x; i < bin_count; i += kThreads) {
        counters[i] = 0;
    }
    __syncthreads();
    for (u64 i = (u64)blockIdx.x * kThreads + threadIdx.x; i < count; i += (u64)gridDim.x * kThreads) {
        atomicAdd(&counters[interpolation.bucket(keys[i])], 1u);
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < bin_count; i += kThreads) {
        if (counters[i] != 0) {
            atomicAdd(&bins[i], counters[i]);
        }
    }
}

// Returns the bucket of a key, which is the number of pivots less than the key.
__device__ __forceinline__ u32 find_bucket(const Key* pivots, u32 pivot_count, Key key) {
    u32 low = 0;
    u32 high = pivot_count;
    while (low < high) {
        const u32 middle = (low + high) / 2;
        if (less(pivots[middle], key)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

__device__ __forceinline__ const Key* load_pivots(const Key* pivots, u64 pivot_count) {
    Key* shared_pivots = (Key*)shared_memory;
    for (u32 i = threadIdx.x; i < pivot_count; i += kThreads) {
        shared_pivots[i] = pivots[i];
    }
    __syncthreads();
    return shared_pivots;
}

// Counts the elements of each bucket. The count before an element is its place in the bucket. Dynamic shared memory has
// `pivot_count` keys.
extern "C" __global__ void __launch_bounds__(kThreads)
    count_buckets(const Key* keys, u64 count, const Key* pivots, u64 pivot_count, u32* sizes, u32* ranks) {
    const Key* shared_pivots = load_pivots(pivots, pivot_count);
    for (u64 i = (u64)blockIdx.x * kThreads + threadIdx.x; i < count; i += (u64)gridDim.x * kThreads) {
        ranks[i] = atomicAdd(&sizes[find_bucket(shared_pivots, (u32)pivot_count, keys[i])], 1u);
    }
}

extern "C" __global__ void __launch_bounds__(kThreads) fill_buckets(
    const Key* from, u64 count, const Key* pivots, u64 pivot_count, const u64* vector_begins, const u32* ranks,
    Key* to) {
    const Key* shared_pivots = load_pivots(pivots, pivot_count);
    for (u64 i = (u64)blockIdx.x * kThreads + threadIdx.x; i < count; i += (u64)gridDim.x * kThreads) {
        const Key key = from[i];
        const u32 bucket = find_bucket(shared_pivots, (u32)pivot_count, key);
        to[vector_begins[bucket] * kVector + ranks[i]] = key;
    }
}

// Four keys that are read and written as one word of 16 bytes.
struct alignas(16) Vector {
    Key keys[kVector];
};

__device__ __forceinline__ Vector load_vector(const Key* keys, u64 index) { return ((const Vector*)keys)[index]; }

__device__ __forceinline__ void store_vector(Key* keys, u64 index, const Vector& vector) {
    ((Vector*)keys)[index] = vector;
}

__device__ __forceinline__ void compare_exchange(Key& lower, Key& upper) {
    const Key a = lower;
    const Key b = upper;
    lower = less(b, a) ? b : a;
    upper = less(b, a) ? a : b;
}

// Sorts a vector that first rises and then falls, or the other way round.
__device__ __forceinline__ void sort_bitonic(Vector& vector) {
    compare_exchange(vector.keys[0], vector.keys[2]);
    compare_exchange(vector.keys[1], vector.keys[3]);
    compare_exchange(vector.keys[0], vector.keys[1]);
    compare_exchange(vector.keys[2], vector.keys[3]);
}

// Merges two sorted vectors: `low` becomes the smaller half and `high` the greater one, both sorted.
__device__ __forceinline__ void merge_vectors(Vector& low, Vector& high) {
#pragma unroll
    for (u32 i = 0; i < kVector; ++i) {
        compare_exchange(low.keys[i], high.keys[kVector - 1 - i]);
    }
    sort_bitonic(low);
    sort_bitonic(high);
}

// Fills the last vector of each bucket up with the greatest key, and sorts each vector. Each bucket has one block.
extern "C" __global__ void __launch_bounds__(kThreads)
    sort_vectors(Key* keys, const u64* vector_begins, const u32* sizes, u64 greatest) {
    const u64 begin = vector_begins[blockIdx.x];
    const u64 count = vector_begins[blockIdx.x + 1] - begin;
    const u64 size = sizes[blockIdx.x];
    Key pad;
    from_ordered_bits(greatest, pad);
    for (u64 v = threadIdx.x; v < count; v += kThreads) {
        Vector vector;
#pragma unroll
        for (u32 i = 0; i < kVector; ++i) {
            vector.keys[i] = v * kVector + i < size ? keys[(begin + v) * kVector + i] : pad;
        }
        compare_exchange(vector.keys[0], vector.keys[1]);
        compare_exchange(vector.keys[3], vector.keys[2]);
        sort_bitonic(vector);
        store_vector(keys, begin + v, vector);
    }
}

// Merges lists of `list` vectors in pairs. Each pair is merged by one thread: it merges the vector that it has kept
// with the next vector of the list that goes on with the smaller key, writes the smaller half, and keeps the other
// half. Each bucket has one block.
extern "C" __global__ void __launch_bounds__(kThreads)
    merge_lists(const Key* from, Key* to, const u64* vector_begins, u64 list) {
    const u64 bucket_begin = vector_begins[blockIdx.x];
    const u64 bucket_end = vector_begins[blockIdx.x + 1];
    for (u64 pair = threadIdx.x; bucket_begin + pair * 2 * list < bucket_end; pair += kThreads) {
        u64 a = bucket_begin + pair * 2 * list;
        const u64 a_end = min_of(a + list, bucket_end);
        u64 b = a_end;
        const u64 b_end = min_of(b + list, bucket_end);
        u64 out = a;
        Vector kept = load_vector(from, a++);
        if (b < b_end) {
            Vector next = load_vector(from, b++);
            for (;;) {
                merge_vectors(kept, next);
                store_vector(to, out++, kept);
                kept = next;
                if (a == a_end && b == b_end) {
                    break;
                }
                const bool takes_a = b == b_end || (a != a_end && !less(from[b * kVector], from[a * kVector]));
                next = load_vector(from, takes_a ? a++ : b++);
            }
        } else {
            while (a < a_end) {
                store_vector(to, out++, kept);
                kept = load_vector(from, a++);
            }
        }
        store_vector(to, out, kept);
    }
}

// Puts the buckets next to each other, without the keys that filled up their last vectors. Each bucket has one block.
extern "C" __global__ void __launch_bounds__(kThreads)
    close_gaps(const Key* from, Key* to, const u64* vector_begins, const u64* begins, const u32* sizes) {
    const u64 from_begin = vector_begins[blockIdx.x] * kVector;
    const u64 to_begin = begins[blockIdx.x];
    for (u64 i = threadIdx.x; i < sizes[blockIdx.x]; i += kThreads) {
        to[to_begin + i] = from[from_begin + i];
    }
}
