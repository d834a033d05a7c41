// What is known of the order of an input while it is looked for. The splitters of the first pass are chosen meanwhile,
// by some blocks that leave most of the GPU idle, so that an input in no order does not wait for the look. If it may be
// in order, these blocks end early, and splitters are chosen later, in case that they are needed.
//
// find_order, select_splitters and put_in_order run beside each other, and none waits for the end of another. But all
// blocks of a kernel have begun before the next one begins, so blocks may wait for what those of kernels before them
// do.
#pragma once
#include "parts/basics.cuh"

// What the first look at an input has seen, and what the host is told, if it has given a place for that. It is 0
// before. The host waits for it before it launches anything else.
enum HostOrder : u32 {
    kMayBeInOrder = 1,
    kIsInOrder = 2,
    kIsInNoOrder = 3,
    kMayBeRuns = 4  // a few sorted ones (find_runs.cuh)
};

// What the blocks tell each other. It is 0 before a sort. The host has room for it (KernelStructs).
struct OrderSearch {
    u32 guess;   // the InputOrder of the keys that find_order has looked at
    u32 failed;  // not 0 once a block has found neighbours that are in another order
    u32 done;    // how many blocks of put_in_order have found none
    u32 look;    // the HostOrder that the first look has seen, once it is over
    u32 chosen;  // how many blocks of select_splitters have chosen their splitters meanwhile
};

__device__ __forceinline__ void tell_host(u32* host_order, u32 order) {
    if (host_order != nullptr) {
        *(volatile u32*)host_order = order;
    }
}

// Returns whether the first look has seen that the input is in no order. Kernels behind put_in_order need not wait to
// ask, as it lets others begin when the look is over.
__device__ __forceinline__ bool is_in_no_order(const OrderSearch* search) {
    return *(const volatile u32*)&search->look == kIsInNoOrder;
}

// The first thing that a kernel does which makes use of order, behind put_in_order. Returns false if there is nothing
// to do for it. Otherwise the kernel before it has ended.
__device__ __forceinline__ bool follow_look(const OrderSearch* search) {
    allow_next_kernel();
    if (is_in_no_order(search)) {
        return false;
    }
    wait_for_previous_kernel();
    return true;
}

// Waits until a number that others write is at least so large. What they have written before can be read then.
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
