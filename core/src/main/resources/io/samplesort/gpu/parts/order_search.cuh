// What is known of the order of an input while it is looked for. The splitters of the first pass are chosen meanwhile, by
// some blocks that leave most of the GPU idle, so that an input in no order does not wait for the look. If it may be in
// order, these blocks end early, and splitters are chosen later, in case that they are needed.
//
// find_order, select_splitters and put_in_order run beside each other, and none waits for the end of another. But all
// blocks of a kernel have begun before the next one begins, so blocks may wait for what those of kernels before them do.
#pragma once

// What the first look at an input has seen, and what the host is told, if it has given a place for that. It is 0 before.
// The host waits for it before it launches anything else.
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
    u32 lookers; // how many blocks find_order has
    u32 looked;  // how many of them have ended, where it has looked at the ends of spans
    u32 drawn;   // how many blocks of select_splitters have read all that they read of the input
    u32 chosen;  // how many of them have chosen their splitters
};

__device__ __forceinline__ void tell_host(u32* host_order, u32 order) {
    if (host_order != nullptr) {
        *(volatile u32*)host_order = order;
    }
}

// Returns whether the first look has seen that there is nothing to do for kernels that make use of order. Those behind
// put_in_order need not wait for it to ask, as it lets others begin when the look is over.
__device__ __forceinline__ bool is_in_no_order(const OrderSearch* search) {
    return *(const volatile u32*)&search->look == kIsInNoOrder;
}

// Counts a block in a field of the search. All of its threads call this.
__device__ __forceinline__ void count_block(u32* reached) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(reached, 1u);
    }
}

// Waits until that many blocks have been counted.
__device__ __forceinline__ void await_blocks(const u32* reached, u64 blocks) {
    while (*(const volatile u32*)reached < blocks) {
        __nanosleep(100);
    }
    __threadfence();
}
