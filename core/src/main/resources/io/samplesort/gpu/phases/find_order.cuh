// Finds out whether the input is in order already, or in the opposite order, and then puts it in its place at once: it
// is left as it is, copied or reversed. For the phases behind, it is an input without elements (kIsPlaced), so the host
// need not know.
//
// Reading an input takes a tenth of the time of sorting it, which is too much for inputs in no order. So each block
// first looks at a few keys of the whole input, the same ones in all blocks, and ends if these are in neither order.
#pragma once
#include "parts/sample.cuh"

enum InputOrder : u32 {
    kInNoOrder = 0,
    kInOrder = 1,
    // Each element comes before the one at its left. Where equal elements keep their order, none may be equal.
    kInOppositeOrder = 2
};

// What the blocks of find_order tell each other. It is 0 before the launch. The host has room for it (KernelStructs).
struct OrderSearch {
    u32 failed;   // not 0 once a block has found neighbours that are in another order
    u32 done;     // how many blocks have found none
    u32 found;    // the InputOrder of the whole input
};

// Returns whether two elements, of which `left` comes first in the input, are in this order.
__device__ __forceinline__ bool are_in(u32 order, const OrderedKey& left, const OrderedKey& right) {
    if (order == kInOrder) {
        return !less(right, left);
    }
    return kKeepsOrder ? less(right, left) : !less(left, right);
}

// Returns the order in which a few keys of the whole input are. All threads of all blocks come to the same answer.
__device__ __forceinline__ u32 guess_order(const ElementArray& in, u64 count) {
    const Strata strata(count, kWarpSize);
    const u32 lane = threadIdx.x % kWarpSize;
    // The last lane compares the keys of the lane before it once more.
    const u32 stratum = min_of(lane, kWarpSize - 2);
    const OrderedKey left = in.key(strata.random_place(stratum, stratum), false);
    const OrderedKey right = in.key(strata.random_place(stratum + 1, stratum + 1), false);
    if (__all_sync(kAllLanes, are_in(kInOrder, left, right))) {
        return kInOrder;
    }
    return __all_sync(kAllLanes, are_in(kInOppositeOrder, left, right)) ? kInOppositeOrder : kInNoOrder;
}

// The pairs of neighbours that a thread has on their way at once: as many as hide the latency of memory.
constexpr int kOrderItems = sizeof(OrderedKey) <= 4 ? 8
    : sizeof(OrderedKey) <= 8                       ? 4
    : sizeof(OrderedKey) <= 16                      ? 2
                                                    : 1;

extern "C" __global__ void __launch_bounds__(kOrderThreads)
    find_order(ElementArray in, u64 count, OrderSearch* search) {
    allow_next_kernel();
    const u32 order = guess_order(in, count);
    if (order == kInNoOrder) {
        return;
    }
    const u64 pairs = count - 1;
    bool fits = true;
    for (u64 begin = (u64)blockIdx.x * (kOrderItems * kOrderThreads); fits && begin < pairs;
         begin += (u64)gridDim.x * (kOrderItems * kOrderThreads)) {
        OrderedKey left[kOrderItems];
        OrderedKey right[kOrderItems];
#pragma unroll
        for (int i = 0; i < kOrderItems; ++i) {
            // Past the end the last pair stands in.
            const u64 index = min_of(begin + threadIdx.x + i * kOrderThreads, pairs - 1);
            left[i] = in.key(index, false);
            right[i] = in.key(index + 1, false);
        }
        const bool failed_elsewhere = *(const volatile u32*)&search->failed != 0;
#pragma unroll
        for (int i = 0; i < kOrderItems; ++i) {
            fits = fits && are_in(order, left[i], right[i]);
        }
        if (!fits) {
            *(volatile u32*)&search->failed = 1;
        }
        fits = fits && !failed_elsewhere;
    }
    // A block that has stopped early is not counted.
    if (__syncthreads_and(fits) && threadIdx.x == 0 && atomicAdd(&search->done, 1u) == gridDim.x - 1) {
        search->found = order;
    }
}

// Puts an input that is in order, or in the opposite order, where it belongs, which may be where it lies. `mark` is
// what the first pass knows of the input.
extern "C" __global__ void __launch_bounds__(kOrderThreads)
    put_in_order(ElementArray in, ElementArray out, u64 count, const OrderSearch* search, u8* mark) {
    follow_previous_kernel();
    const u32 order = search->found;
    if (order == kInNoOrder) {
        return;
    }
    const u64 first = (u64)blockIdx.x * kOrderThreads + threadIdx.x;
    const u64 step = (u64)gridDim.x * kOrderThreads;
    if (first == 0) {
        *mark = kIsPlaced;
    }
    const bool is_in_place = in.keys == out.keys;
    if (order == kInOrder) {
        for (u64 index = is_in_place ? count : first; index < count; index += step) {
            out.store(index, in.load(index));
        }
    } else {
        // Of each two elements that change places one thread moves both. The one in the middle stays where it is.
        for (u64 index = first; index < ceil_div(count, 2); index += step) {
            const Element left = in.load(index);
            const Element right = in.load(count - 1 - index);
            out.store(index, right);
            out.store(count - 1 - index, left);
        }
    }
}
