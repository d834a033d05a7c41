// Finds out whether the input is already in order, or in the opposite order. If so, it is put where it belongs at once:
// left as it is, copied or reversed. Later phases then see an input without elements (kIsPlaced), so the host need not
// know. But if the host waits for the sort anyway, it is told (`host_order`), and does not launch phases that would
// have nothing to do.
//
// Reading an input takes a tenth of the time of sorting it, which is too much for inputs in no order. So find_order
// first looks at a few keys of the whole input, and nothing more is done if these are in neither order. Otherwise
// put_in_order compares all neighbours, and moves elements as soon as it has compared them: an input in the opposite
// order is read and written once. If it finds neighbours in another order after some elements have changed places,
// later phases simply sort the array as it is then, which has the same elements. But if equal elements keep their
// order, none may have changed places by then, so in that case all neighbours are compared first.
#pragma once
#include "parts/order_search.cuh"
#include "parts/order_spans.cuh"
#include "parts/sample.cuh"
#include "parts/segments.cuh"

enum InputOrder : u32 {
    kInNoOrder = 0,
    kInOrder = 1,
    // Each element sorts before the one to its left. If equal elements keep their order, none may be equal.
    kInOppositeOrder = 2
};

// Returns whether two elements are in this order; `left` comes first in the input.
__device__ __forceinline__ bool are_in(u32 order, const OrderedKey& left, const OrderedKey& right) {
    if (order == kInOrder) {
        return !less(right, left);
    }
    return KEEPS_ORDER ? less(right, left) : !less(left, right);
}

// Returns the order in which a few keys of the whole input are. All threads of all blocks get the same answer.
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

// A random key of each of 32 parts of the input, one for each lane, and its neighbour.
struct SampledNeighbours {
    OrderedKey key;
    OrderedKey neighbour;

    __device__ __forceinline__ void load(const ElementArray& in, u64 count) {
        const Strata strata(count - 1, kWarpSize);
        const u32 lane = threadIdx.x % kWarpSize;
        const u64 place = strata.random_place(lane, 2 * kWarpSize + lane);
        key = in.key(place, false);
        neighbour = in.key(place + 1, false);
    }

    // Returns whether all of these neighbours are in order. In an input of a few sorted runs they nearly always are.
    __device__ __forceinline__ bool are_in_order() const { return __all_sync(kAllLanes, !less(neighbour, key)); }
};

// The keys of a sort by index are stored elsewhere if they are made when they are loaded, but not if they exist
// already.
__device__ __forceinline__ bool is_sorted_in_place(const ElementArray& in, const ElementArray& out) {
    return in.keys == out.keys;
}

// Returns whether an array may have to be reversed in place. Existing keys of a sort by index are sorted instead.
__device__ __forceinline__ bool is_reversed_in_place(const ElementArray& in, const ElementArray& out) {
    return !SORTS_INDEXES && is_sorted_in_place(in, out);
}

// Compares all neighbours, and if `kMoves` stores the elements into another array in order.
template <bool kMoves>
__device__ __forceinline__ bool look_at_all(
    const ElementArray& in, const ElementArray& out, u64 count, u32 order, OrderSearch* search) {
    const auto look = [&](u64, const OrderedKey& left, const OrderedKey& right) { return are_in(order, left, right); };
    const auto store = [&](u64 place, const Element& element) {
        out.store(order == kInOrder ? place : count - 1 - place, element);
    };
    constexpr int kItems = kMoves ? kMovedItems : kKeyItems;
    return all_spans(search, count, true, [&](u64 begin, u64 end) {
        return look_at_span<kItems, kMoves>(in, count, begin, end, look, store);
    });
}

// The work on each chunk of a span of the left half; see reverse_in_place() below.
struct ChunkReversal {
    const ElementArray& elements;
    u64 count;
    u64 begin;
    OrderedKey left_before;
    OrderedKey right_before;

    template <bool kIsFull>
    __device__ __forceinline__ bool look_at(const OrderChunk<kMovedItems, kIsFull>& chunk) {
        Element left[kMovedItems];
        Element right[kMovedItems];
#pragma unroll
        for (int i = 0; i < kMovedItems; ++i) {
            left[i] = elements.load(chunk.place(i));
            right[i] = elements.load(count - 1 - chunk.place(i));
        }
        const auto left_key = [&](int i) -> OrderedKey { return left[i].key; };
        const auto right_key = [&](int i) -> OrderedKey { return right[i].key; };
        const auto falls = [](u64, const OrderedKey& a, const OrderedKey& b) { return are_in(kInOppositeOrder, a, b); };
        const auto rises = [](u64, const OrderedKey& a, const OrderedKey& b) { return are_in(kInOppositeOrder, b, a); };
        const bool has_before = chunk.first != begin;
        const bool fits = chunk.look_at_neighbours(left_key, has_before, left_before, falls)
            && chunk.look_at_neighbours(right_key, has_before, right_before, rises);
        // Several lanes may load the same element, which is used past the end, and have to be done with that.
        __syncwarp();
        if (fits) {
#pragma unroll
            for (int i = 0; i < kMovedItems; ++i) {
                const u64 place = chunk.first + chunk_place(i);
                if (chunk.has(chunk_place(i))) {
                    elements.store(place, right[i]);
                    elements.store(count - 1 - place, left[i]);
                }
            }
        }
        return fits;
    }
};

// Exchanges each element of the left half with its counterpart, chunk by chunk, if they are in the opposite order. The
// one in the middle stays where it is. Neighbours in different spans are not compared, as one of them may have been
// moved: look_at_ends has done that, so spans are not cut.
__device__ __forceinline__ bool reverse_in_place(const ElementArray& elements, u64 count, OrderSearch* search) {
    return all_spans(search, count / 2, false, [&](u64 begin, u64 end) {
        ChunkReversal chunks{elements, count, begin, OrderedKey{}, OrderedKey{}};
        return all_chunks<kMovedItems>(begin, end, chunks);
    });
}

// Returns whether the neighbours that reverse_in_place does not compare are in the opposite order, as far as this
// thread has looked: those after each span, and on the other side those before its counterpart.
__device__ __forceinline__ bool look_at_ends(const ElementArray& elements, u64 count) {
    const u64 half = count / 2;
    const u64 step = (u64)gridDim.x * kOrderThreads * kOrderSpan;
    bool fits = true;
    for (u64 begin = ((u64)blockIdx.x * kOrderThreads + threadIdx.x) * kOrderSpan; begin < half; begin += step) {
        const u64 end = min_of(begin + kOrderSpan, half);
        const u64 other_end = count - end;
        const bool left = are_in(kInOppositeOrder, elements.key(end - 1, false), elements.key(end, false));
        const bool right = are_in(kInOppositeOrder, elements.key(other_end - 1, false), elements.key(other_end, false));
        fits = fits && left && right;
    }
    return fits;
}

// There are few blocks, so that the next kernel can begin while they run.
extern "C" __global__ void __launch_bounds__(kOrderThreads)
    find_order(ElementArray in, ElementArray out, u64 count, OrderSearch* search, u32* host_order) {
    allow_next_kernel();
    const bool tells = blockIdx.x == 0 && threadIdx.x < kWarpSize;
    SampledNeighbours sampled{};
    if (kMergesRuns && tells) {
        // These loads are in flight during the wait for others.
        sampled.load(in, count);
    }
    u32 order = guess_order(in, count);
    if (order == kInOppositeOrder && is_sorted_in_place(in, out) && !is_reversed_in_place(in, out)) {
        order = kInNoOrder;
    }
    if (tells) {
        const bool may_be_runs = kMergesRuns && sampled.are_in_order();
        if (threadIdx.x == 0) {
            const u32 look = order != kInNoOrder ? kMayBeInOrder : may_be_runs ? kMayBeRuns : kIsInNoOrder;
            search->guess = order;
            __threadfence();
            *(volatile u32*)&search->look = look;
            tell_host(host_order, look);
        }
    }
    if (order == kInOppositeOrder && is_reversed_in_place(in, out)) {
        const bool fits = KEEPS_ORDER ? look_at_all<false>(in, out, count, order, search) : look_at_ends(in, count);
        if (!fits) {
            *(volatile u32*)&search->failed = 1;
        }
    }
}

// Puts an input that is in order, or in the opposite order, where it belongs, which may be where it lies. `mark` is the
// mark of the input for the first pass.
extern "C" __global__ void __launch_bounds__(kOrderThreads, kOrderBlocks)
    put_in_order(ElementArray in, ElementArray out, u64 count, OrderSearch* search, u8* mark, u32* host_order) {
    await_look(search);
    // From the look, the next kernels know whether they have anything to do.
    allow_next_kernel();
    const u32 order = *(const volatile u32*)&search->guess;
    if (order == kInNoOrder) {
        return;
    }
    const bool reverses = is_reversed_in_place(in, out) && order == kInOppositeOrder;
    if (reverses) {
        // No kernel reads the input any more, and all ends of spans have been compared.
        wait_for_previous_kernel();
    }
    const bool fits = reverses        ? reverse_in_place(in, count, search)
        : is_sorted_in_place(in, out) ? look_at_all<false>(in, out, count, order, search)
                                      : look_at_all<true>(in, out, count, order, search);
    // A block that has stopped early is not counted.
    if (__syncthreads_and(fits) && threadIdx.x == 0 && atomicAdd(&search->done, 1u) == gridDim.x - 1) {
        *mark = kIsPlaced;
        tell_host(host_order, kIsInOrder);
    }
}
