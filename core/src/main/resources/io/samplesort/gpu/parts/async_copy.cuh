// Copies from global to shared memory while threads go on, where the GPU can do so.
#pragma once
#include "parts/basics.cuh"

// Requests a copy of 4, 8 or 16 bytes, which must be aligned as an integer of that size.
template <typename T>
__device__ __forceinline__ void copy_meanwhile(T* target, const T* source) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (sizeof(T) == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(target)),
                     "l"(__cvta_generic_to_global(source))
                     : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(target)),
                     "l"(__cvta_generic_to_global(source)), "n"(sizeof(T))
                     : "memory");
    }
#else
    *target = *source;
#endif
}

// Waits for all copies that this thread has requested. Other threads see them after a barrier.
__device__ __forceinline__ void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
