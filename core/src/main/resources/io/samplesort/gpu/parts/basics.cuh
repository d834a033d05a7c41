// What every kernel needs, whatever it sorts: integer names, shared memory, scans over a block.
#pragma once
#include "config.cuh"

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

constexpr u32 kAllLanes = 0xffffffffu;

// All shared memory is dynamic: how much a kernel needs depends on the number of buckets, which is known at the launch.
extern __shared__ __align__(16) unsigned char shared_memory[];

// Returns an address in shared memory in 32 bits.
__device__ __forceinline__ u32 shared_address(const void* place) {
#ifdef __CUDA_ARCH__
    return (u32)__cvta_generic_to_shared(place);
#else
    return (u32)((const unsigned char*)place - shared_memory);
#endif
}

template <typename T>
__device__ __forceinline__ const T& at_shared_address(u32 address) {
#ifdef __CUDA_ARCH__
    return *(const T*)__cvta_shared_to_generic(address);
#else
    return *(const T*)(shared_memory + address);
#endif
}

// Lets the next kernel of the stream begin once all blocks of this one have come here, if the host launches that kernel
// in this mode (Kernel.Mode.BESIDE).
__device__ __forceinline__ void allow_next_kernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

// Waits until the previous kernel has ended and all that it wrote can be read.
__device__ __forceinline__ void wait_for_previous_kernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// The first call of a phase. The phase is launched while the one before it ends, so that no time is lost between them.
__device__ __forceinline__ void follow_previous_kernel() {
    allow_next_kernel();
    wait_for_previous_kernel();
}

template <typename T>
__device__ __forceinline__ T min_of(T a, T b) {
    return b < a ? b : a;
}

template <typename T>
__device__ __forceinline__ T max_of(T a, T b) {
    return a < b ? b : a;
}

__device__ __forceinline__ u64 ceil_div(u64 a, u64 b) { return (a + b - 1) / b; }

// Returns a / b within three units of the last place, in two instructions in place of ten. b is from 2^-126 to 2^126.
__device__ __forceinline__ float quotient(float a, float b) {
#ifdef __CUDA_ARCH__
    float result;
    asm("div.approx.ftz.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    return result;
#else
    return a / b;
#endif
}

__host__ __device__ constexpr u32 align_16(u32 bytes) { return (bytes + 15) / 16 * 16; }

__host__ __device__ constexpr u32 max_bytes(u32 a, u32 b) { return a < b ? b : a; }

#ifdef __CUDA_ARCH__
// The shuffle itself tells each lane whether there is one before it, which saves a comparison in each step.
__device__ __forceinline__ u32 warp_inclusive_scan(u32 value) {
#pragma unroll
    for (u32 distance = 1; distance < kWarpSize; distance *= 2) {
        asm volatile(
            "{\n\t"
            ".reg .u32 before;\n\t"
            ".reg .pred is_there;\n\t"
            "shfl.sync.up.b32 before|is_there, %0, %1, 0, 0xffffffff;\n\t"
            "@is_there add.u32 %0, before, %0;\n\t"
            "}"
            : "+r"(value)
            : "r"(distance));
    }
    return value;
}
#endif

template <typename T>
__device__ __forceinline__ T warp_inclusive_scan(T value) {
    const u32 lane = threadIdx.x % kWarpSize;
#pragma unroll
    for (u32 distance = 1; distance < kWarpSize; distance *= 2) {
        const T before = __shfl_up_sync(kAllLanes, value, distance);
        if (lane >= distance) {
            value += before;
        }
    }
    return value;
}

// Returns the sum of `value` over a warp.
template <typename T>
__device__ __forceinline__ T warp_sum(T value) {
    for (u32 distance = kWarpSize / 2; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(kAllLanes, value, (int)distance);
    }
    return value;
}

// Returns the largest `value` of a warp.
template <typename T>
__device__ __forceinline__ T warp_max(T value) {
    for (u32 distance = kWarpSize / 2; distance > 0; distance /= 2) {
        value = max_of(value, __shfl_xor_sync(kAllLanes, value, (int)distance));
    }
    return value;
}

// Returns the bits that are set in the `value` of any lane of a warp.
template <typename T>
__device__ __forceinline__ T warp_or(T value) {
    for (u32 distance = kWarpSize / 2; distance > 0; distance /= 2) {
        value |= __shfl_xor_sync(kAllLanes, value, (int)distance);
    }
    return value;
}

#if __CUDA_ARCH__ >= 800
// One instruction in place of ten.
__device__ __forceinline__ u32 warp_sum(u32 value) { return __reduce_add_sync(kAllLanes, value); }

__device__ __forceinline__ u32 warp_max(u32 value) { return __reduce_max_sync(kAllLanes, value); }

__device__ __forceinline__ u32 warp_or(u32 value) { return __reduce_or_sync(kAllLanes, value); }
#endif

// Returns the sum of `value` over the threads before this one; `total` becomes the sum over all. `warp_totals` is
// shared memory for one T for each warp and may not be written again before the next barrier. All threads of a block
// call this, and the block has a multiple of 32 threads.
template <typename T>
__device__ T block_exclusive_scan(T value, T* warp_totals, T& total) {
    const u32 warp = threadIdx.x / kWarpSize;
    const u32 warp_count = blockDim.x / kWarpSize;
    const T inclusive = warp_inclusive_scan(value);
    if (threadIdx.x % kWarpSize == kWarpSize - 1) {
        warp_totals[warp] = inclusive;
    }
    __syncthreads();
    const u32 lane = threadIdx.x % kWarpSize;
    const T totals = warp_inclusive_scan(lane < warp_count ? warp_totals[lane] : 0);
    const T before = __shfl_sync(kAllLanes, totals, (int)((warp - 1) % kWarpSize));
    total = __shfl_sync(kAllLanes, totals, kWarpSize - 1);
    return (warp == 0 ? 0 : before) + inclusive - value;
}
