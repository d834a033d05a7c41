// What all sorts of 2008 and 2009 share: elements, their only comparison, and a prefix sum over a block. `config.cuh`
// is generated and defines Key, Payload, HAS_PAYLOAD and the parameters of the sort. All arguments of kernels have 64
// bits.
#pragma once
#include "config.cuh"

typedef unsigned int u32;
typedef unsigned long long u64;

// Shared memory whose size is only known at the launch. Shared memory of a constant size is declared where it is used.
extern __shared__ __align__(16) unsigned char shared_memory[];

struct Element {
    Key key;
#if HAS_PAYLOAD
    Payload payload;
#endif
};

__device__ __forceinline__ bool less(Key a, Key b) { return a < b; }

__device__ __forceinline__ bool less(const Element& a, const Element& b) { return less(a.key, b.key); }

// Keys and payloads in arrays of their own, as the host has them. `payloads` is null if there are none.
struct ElementArray {
    Key* keys;
    Payload* payloads;

    __device__ __forceinline__ Element load(u64 index) const {
        Element element;
        element.key = keys[index];
#if HAS_PAYLOAD
        element.payload = payloads[index];
#endif
        return element;
    }

    __device__ __forceinline__ void store(u64 index, const Element& element) const {
        keys[index] = element.key;
#if HAS_PAYLOAD
        payloads[index] = element.payload;
#endif
    }
};

// Elements in shared memory, with the same two functions.
struct SharedElements {
    Element* elements;

    __device__ __forceinline__ Element load(u64 index) const { return elements[index]; }

    __device__ __forceinline__ void store(u64 index, const Element& element) const { elements[index] = element; }
};

template <typename T>
__device__ __forceinline__ T min_of(T a, T b) {
    return b < a ? b : a;
}

template <typename T>
__device__ __forceinline__ T max_of(T a, T b) {
    return a < b ? b : a;
}

// Returns the sum of `value` over the threads before this one; `total` becomes the sum over all threads. `sums` is
// shared memory with one T for each thread. All threads of the block call this, and may use `sums` again at once. The
// sums are made in rounds through shared memory, because there were no warp shuffles then.
template <typename T>
__device__ T block_exclusive_scan(T value, T* sums, T& total) {
    sums[threadIdx.x] = value;
    __syncthreads();
    for (u32 distance = 1; distance < blockDim.x; distance *= 2) {
        const T before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
        __syncthreads();
        sums[threadIdx.x] += before;
        __syncthreads();
    }
    const T inclusive = sums[threadIdx.x];
    total = sums[blockDim.x - 1];
    __syncthreads();
    return inclusive - value;
}
