// Finds out whether the input is in order already, or in the opposite order, and then puts it in its place at once: it
// is left as it is, copied or reversed. For the phases behind, it is an input without elements (kIsPlaced), so the host
// need not know. But where it waits for the sort anyway it is told (`host_order`), and does not launch what would find
// nothing to do.
//
// Reading an input takes a tenth of the time of sorting it, which is too much for inputs in no order. So find_order
// first looks at a few keys of the whole input, and nothing more is done if these are in neither order. Otherwise
// put_in_order looks at all neighbours, and moves elements as soon as it has looked at them: an input in the opposite
// order is read and written once. If neighbours in another order turn up when some elements have changed places, the
// phases behind sort what is there then, which are the same elements. But where equal elements keep their order they
// must not have changed places, so there all neighbours are looked at first.
#pragma once
#include "parts/order_search.cuh"
#include "parts/sample.cuh"

enum InputOrder : u32 {
    kInNoOrder = 0,
    kInOrder = 1,
    // Each element comes before the one at its left. Where equal elements keep their order, none may be equal.
    kInOppositeOrder = 2
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

    // Returns whether all of these neighbours are in order: of a few sorted runs hardly ever one is not.
    __device__ __forceinline__ bool are_in_order() const {
        return __all_sync(kAllLanes, !less(neighbour, key));
    }
};

// The keys of a sort by index are made when they are loaded, and stored elsewhere.
__device__ __forceinline__ bool is_sorted_in_place(const ElementArray& in, const ElementArray& out) {
    return !SORTS_INDEXES && in.keys == out.keys;
}

// A warp looks at a chunk of the input at a time: element i * 32 + j of it is item i of lane j, so each key is loaded
// once, and the key of a neighbour comes from another lane. A thread has as many items on their way as hide the latency
// of memory; sort keys, which are made from several fields, take too many registers for that.
constexpr int kOrderItems = sizeof(Element) <= 4 ? 16
    : sizeof(Element) <= 8                       ? 8
    : sizeof(Element) <= 16 && !SORTS_INDEXES    ? 4
                                                 : 2;

// So many where only keys are loaded. A span has whole chunks of them.
constexpr int kKeyItems = SORTS_INDEXES || sizeof(OrderedKey) > 8 ? kOrderItems
    : sizeof(OrderedKey) > 4                                       ? 8
                                                                   : 16;

// So many where elements change places, since then a thread has items of both sides, or places to store them: with more
// registers fewer blocks would look.
constexpr int kMovedItems = kOrderItems / 2;

// How many blocks the registers of a multiprocessor allow, so that enough loads are on their way.
constexpr int kOrderBlocks = kOrderItems >= 4 ? 4 : 1;

// A warp looks at so many chunks one after the other, and keeps the last key of each for the next one.
constexpr u32 kOrderSpan = 8 * kKeyItems * kWarpSize;
static_assert(kKeyItems % kOrderItems == 0, "a span has whole chunks");

// The first part of the first span, where that is cut.
constexpr u32 kFirstPart = kOrderSpan / 8;

// Calls `is_right(begin, end)` for all spans of `count` elements, by the warps of all blocks in turn, and returns
// whether it was true for those of this warp. Stops early if that is in vain, and sees to it that others do. They look
// once a span: all warps read the same word, so more often would take longer than reading the input.
//
// All warps together have their first spans in half of the smallest input that is looked at. So if spans `may_be_cut`, a
// warp takes its first one in parts, of which each is as large as those before it, and looks behind each part.
template <typename Search, typename IsRight>
__device__ __forceinline__ bool all_spans(Search* search, u64 count, bool may_be_cut, const IsRight& is_right) {
    const u64 step = (u64)gridDim.x * kOrderThreads / kWarpSize * kOrderSpan;
    u64 begin = ((u64)blockIdx.x * kOrderThreads + threadIdx.x) / kWarpSize * kOrderSpan;
    u32 done = may_be_cut ? 0 : kOrderSpan;  // of the first span
    bool fits = true;
    while (fits && begin < count) {
        const bool is_part = done < kOrderSpan;
        const u32 size = !is_part ? kOrderSpan : done == 0 ? kFirstPart : done;
        u32 failed = *(const volatile u32*)&search->failed;
        fits = is_right(begin, min_of(begin + size, count));
        if (is_part) {
            failed = *(const volatile u32*)&search->failed;
        }
        // Behind a whole span, the load before it tells, so that nobody waits for it.
        const bool failed_elsewhere = __any_sync(kAllLanes, failed != 0);
        fits = fits && !failed_elsewhere;
        if (!fits && !failed_elsewhere) {
            *(volatile u32*)&search->failed = 1;
        }
        begin += is_part ? size : step;
        done += is_part ? size : 0;
        begin += is_part && done == kOrderSpan ? step - kOrderSpan : 0;
    }
    return fits;
}

// Returns the place of an item of this lane in its chunk.
__device__ __forceinline__ u32 chunk_place(int item) {
    return item * kWarpSize + threadIdx.x % kWarpSize;
}

// A chunk of kItems elements for each lane, or the rest of a span, which has fewer.
template <int kItems, bool kIsFull>
struct OrderChunk {
    static constexpr u32 kSize = kItems * kWarpSize;

    u64 first;
    u32 size;

    __device__ __forceinline__ bool has(u32 place) const { return kIsFull || place < size; }

    // Returns the place of an item of this lane. Past the end the last element stands in.
    __device__ __forceinline__ u64 place(int item) const {
        return first + (kIsFull ? chunk_place(item) : min_of(chunk_place(item), size - 1));
    }

    // Returns whether look(place, left, right) for all neighbours of which the right one is at a place of the chunk, for
    // its first place only if there is a chunk before it in the span. `key(item)` are this lane's keys. `before` is the
    // last key of the chunk before, and becomes the last one of this chunk if that is full.
    template <typename KeyOf, typename Look>
    __device__ __forceinline__ bool look_at_neighbours(
        const KeyOf& key, bool has_before, OrderedKey& before, const Look& look) const {
        const u32 lane = threadIdx.x % kWarpSize;
        bool fits = !has_before || lane != 0 || look(first, before, key(0));
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            // The neighbour of the last lane is the next item of the first one.
            OrderedKey given = key(i);
            move_item_if(lane == 0, given, key(i + 1 < kItems ? i + 1 : i));
            const OrderedKey next = shuffle(given, (lane + 1) % kWarpSize);
            const u32 right = chunk_place(i) + 1;
            const bool has_next = i + 1 < kItems || lane + 1 < kWarpSize;
            fits = (!has_next || !has(right) || look(first + right, key(i), next)) && fits;
        }
        before = shuffle(key(kItems - 1), kWarpSize - 1);
        return __all_sync(kAllLanes, fits);
    }
};

// Calls act.look_at(chunk) for all chunks of a span as long as it returns true, and returns whether it did.
template <int kItems, typename Act>
__device__ __forceinline__ bool all_chunks(u64 begin, u64 end, Act& act) {
    constexpr u32 kSize = OrderChunk<kItems, true>::kSize;
    u64 first = begin;
#pragma unroll 1
    for (; first + kSize <= end; first += kSize) {
        if (!act.look_at(OrderChunk<kItems, true>{first, kSize})) {
            return false;
        }
    }
    return first == end || act.look_at(OrderChunk<kItems, false>{first, (u32)(end - first)});
}

// What is done with the chunks of a span: look_at_span below.
template <int kItems, bool kMoves, typename Look, typename Store>
struct ChunkLook {
    const ElementArray& in;
    u64 begin;
    OrderedKey before;
    const Look& look;
    const Store& store;

    template <bool kIsFull>
    __device__ __forceinline__ bool look_at(const OrderChunk<kItems, kIsFull>& chunk) {
        Element elements[kItems];
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            if constexpr (kMoves) {
                elements[i] = in.load(chunk.place(i));
            } else {
                elements[i].key = in.key(chunk.place(i), false);
            }
        }
        const auto key = [&](int i) -> OrderedKey { return elements[i].key; };
        const bool fits = chunk.look_at_neighbours(key, chunk.first != begin, before, look);
        if (kMoves && fits) {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                if (chunk.has(chunk_place(i))) {
                    store(chunk.first + chunk_place(i), elements[i]);
                }
            }
        }
        return fits;
    }
};

// Returns whether look(place, left, right) for all neighbours of which the right one is in a span or the first one
// behind it. If `kMoves`, store(place, element) is called for the elements of each chunk behind that.
template <int kItems, bool kMoves, typename Look, typename Store>
__device__ __forceinline__ bool look_at_span(
    const ElementArray& in, u64 count, u64 begin, u64 end, const Look& look, const Store& store) {
    ChunkLook<kItems, kMoves, Look, Store> chunks{in, begin, OrderedKey{}, look, store};
    const bool fits = all_chunks<kItems>(begin, end, chunks);
    const bool is_other_lane = threadIdx.x % kWarpSize != 0;
    // A span that does not end with the input ends with a full chunk.
    return fits
        && __all_sync(kAllLanes, is_other_lane || end == count || look(end, chunks.before, in.key(end, false)));
}

// Looks at all neighbours, and if `kMoves` stores the elements into another array in order.
template <bool kMoves>
__device__ __forceinline__ bool look_at_all(
    const ElementArray& in, const ElementArray& out, u64 count, u32 order, OrderSearch* search) {
    const auto look = [&](u64, const OrderedKey& left, const OrderedKey& right) { return are_in(order, left, right); };
    const auto store = [&](u64 place, const Element& element) {
        out.store(order == kInOrder ? place : count - 1 - place, element);
    };
    return all_spans(search, count, true, [&](u64 begin, u64 end) {
        return look_at_span<kMoves ? kMovedItems : kKeyItems, kMoves>(in, count, begin, end, look, store);
    });
}

// What is done with the chunks of a span of the left half: reverse_in_place below.
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
        // What stands in for others is loaded by several lanes, which have to be done with that.
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

// Has each element of the left half change places with its counterpart, chunk by chunk, if they are in the opposite
// order. The one in the middle stays where it is. Neighbours in two spans are not looked at, as one of them may have
// been moved: look_at_ends has done that, so spans are not cut.
__device__ __forceinline__ bool reverse_in_place(const ElementArray& elements, u64 count, OrderSearch* search) {
    return all_spans(search, count / 2, false, [&](u64 begin, u64 end) {
        ChunkReversal chunks{elements, count, begin, OrderedKey{}, OrderedKey{}};
        return all_chunks<kMovedItems>(begin, end, chunks);
    });
}

// Returns whether the neighbours that reverse_in_place does not look at are in the opposite order, as far as a thread
// has looked: those behind each span, and on the other side those before its counterpart.
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

// There are few blocks, so that the kernel behind can begin beside them.
extern "C" __global__ void __launch_bounds__(kOrderThreads)
    find_order(ElementArray in, ElementArray out, u64 count, OrderSearch* search, u32* host_order) {
    allow_next_kernel();
    const bool tells = blockIdx.x == 0 && threadIdx.x < kWarpSize;
    SampledNeighbours sampled{};
    if (kMergesRuns && tells) {
        // These loads are on their way while others are waited for.
        sampled.load(in, count);
    }
    const u32 order = guess_order(in, count);
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
    if (order == kInOppositeOrder && is_sorted_in_place(in, out)) {
        const bool fits = kKeepsOrder ? look_at_all<false>(in, out, count, order, search) : look_at_ends(in, count);
        if (!fits) {
            *(volatile u32*)&search->failed = 1;
        }
    }
}

// Puts an input that is in order, or in the opposite order, where it belongs, which may be where it lies. `mark` is
// what the first pass knows of the input.
extern "C" __global__ void __launch_bounds__(kOrderThreads, kOrderBlocks)
    put_in_order(ElementArray in, ElementArray out, u64 count, OrderSearch* search, u8* mark, u32* host_order) {
    await_look(search);
    // The kernels behind know by the look that there is nothing to do for them, if so.
    allow_next_kernel();
    const u32 order = *(const volatile u32*)&search->guess;
    if (order == kInNoOrder) {
        return;
    }
    const bool reverses = is_sorted_in_place(in, out) && order == kInOppositeOrder;
    if (reverses) {
        // Nobody reads the input any more, and all ends of spans have been looked at.
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
