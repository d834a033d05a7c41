// The state of the search for order in an input. Meanwhile some blocks, which leave most of the GPU idle, choose the
// splitters of the first pass, so that an input in no order does not wait for the first look. If the input may be in
// order, these blocks end early, and splitters are chosen later if they are needed.
//
// find_order, select_splitters and put_in_order run at the same time, and none waits for the end of another. But all
// blocks of a kernel have begun before the next kernel begins, so blocks may wait for what blocks of earlier kernels
// do.
#pragma once
#include "parts/basics.cuh"

// What the first look at an input has found. The host is told this if it has given a place for it, which is 0 before,
// and waits for it before it launches anything else.
enum HostOrder : u32 {
    kMayBeInOrder = 1,
    kIsInOrder = 2,
    kIsInNoOrder = 3,
    kMayBeRuns = 4  // a few sorted runs (find_runs.cuh)
};

// What the blocks tell each other, all 0 before a sort. The host allocates room for it (KernelStructs).
struct OrderSearch {
    u32 guess;   // the InputOrder of the keys that find_order has looked at
    u32 failed;  // not 0 once a block has found neighbours that are in another order
    u32 done;    // how many blocks of put_in_order have found no such neighbours
    u32 look;    // the HostOrder that the first look has found, once it is over
    u32 chosen;  // how many blocks of select_splitters have chosen their splitters
};

__device__ __forceinline__ void tell_host(u32* host_order, u32 order) {
    if (host_order != nullptr) {
        *(volatile u32*)host_order = order;
    }
}

// Returns whether the first look has found that the input is in no order. Kernels after put_in_order may ask this
// without waiting, as put_in_order lets others begin only when the look is over.
__device__ __forceinline__ bool is_in_no_order(const OrderSearch* search) {
    return *(const volatile u32*)&search->look == kIsInNoOrder;
}

// The first call of a kernel after put_in_order that uses order. Returns false if the kernel has nothing to do.
// Otherwise the previous kernel has ended.
__device__ __forceinline__ bool follow_look(const OrderSearch* search) {
    allow_next_kernel();
    if (is_in_no_order(search)) {
        return false;
    }
    wait_for_previous_kernel();
    return true;
}

// Waits until a number that other blocks write has at least this value. What they wrote before that can then be read.
__device__ __forceinline__ void await_number(const u32* number, u64 least) {
    while (*(const volatile u32*)number < least) {
        __nanosleep(100);
    }
    __threadfence();
}

// Waits for the end of the first look. All threads of the block call this.
__device__ __forceinline__ void await_look(const OrderSearch* search) {
    if (threadIdx.x == 0) {
        await_number(&search->look, 1);
    }
    __syncthreads();
}
