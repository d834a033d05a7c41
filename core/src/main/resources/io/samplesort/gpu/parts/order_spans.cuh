// How find_order and find_runs compare all neighbours of an input, and move its elements meanwhile: all warps of all
// blocks in turn take spans of chunks.
#pragma once
#include "parts/exchange.cuh"
#include "parts/primitives.cuh"

// A warp looks at a chunk of the input at a time: element i * 32 + j of it is item i of lane j, so each key is loaded
// once, and the key of a neighbour comes from another lane. A thread has enough items in flight to hide the latency of
// memory, except for sort keys: these are made from several fields and take too many registers.
constexpr int kOrderItems = sizeof(Element) <= 4 ? 16
    : sizeof(Element) <= 8                       ? 8
    : sizeof(Element) <= 16 && !SORTS_INDEXES    ? 4
                                                 : 2;

// The number if only keys are loaded. A span has whole chunks of them.
constexpr int kKeyItems = SORTS_INDEXES || sizeof(OrderedKey) > 8 ? kOrderItems : sizeof(OrderedKey) > 4 ? 8 : 16;

// The number if elements change places. A thread then has items of both sides, or places to store them, and with more
// registers fewer blocks would run.
constexpr int kMovedItems = kOrderItems / 2;

// How many blocks the registers of a multiprocessor allow, so that enough loads are in flight.
constexpr int kOrderBlocks = kOrderItems >= 4 ? 4 : 1;

// A warp takes the chunks of a span of this many elements one after another, and keeps the last key of each for the
// next one.
constexpr u32 kOrderSpan = 8 * kKeyItems * kWarpSize;
static_assert(kKeyItems % kOrderItems == 0, "a span has whole chunks");

// The first part of the first span, if that is cut.
constexpr u32 kFirstPart = kOrderSpan / 8;

// Calls `is_right(begin, end)` for all spans of `count` elements, by the warps of all blocks in turn, and returns
// whether it was true for those of this warp. As soon as it is false for any warp, all stop early. Warps check that
// once for each span: all read the same word, so checking more often would take longer than reading the input.
//
// The first spans of all warps together are half of the smallest input that is searched. So if spans `may_be_cut`, a
// warp takes its first one in parts, each as large as all parts before it together, and checks after each part.
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
        // After a whole span, the value loaded before the span decides, so that no warp waits for it.
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
__device__ __forceinline__ u32 chunk_place(int item) { return item * kWarpSize + threadIdx.x % kWarpSize; }

// A chunk of kItems elements for each lane, or the rest of a span, which has fewer.
template <int kItems, bool kIsFull>
struct OrderChunk {
    static constexpr u32 kSize = kItems * kWarpSize;

    u64 first;
    u32 size;

    __device__ __forceinline__ bool has(u32 place) const { return kIsFull || place < size; }

    // Returns the place of an item of this lane. Past the end, the last element is used.
    __device__ __forceinline__ u64 place(int item) const {
        return first + (kIsFull ? chunk_place(item) : min_of(chunk_place(item), size - 1));
    }

    // Returns whether look(place, left, right) holds for all neighbours whose right one is in the chunk; for the first
    // place of the chunk only if the span has a chunk before it. `key(item)` are this lane's keys. `before` is the last
    // key of the previous chunk, and becomes the last one of this chunk if the chunk is full.
    template <typename KeyOf, typename Look>
    __device__ __forceinline__ bool look_at_neighbours(
        const KeyOf& key, bool has_before, OrderedKey& before, const Look& look) const {
        const u32 lane = threadIdx.x % kWarpSize;
        bool fits = !has_before || lane != 0 || look(first, before, key(0));
#pragma unroll
        for (int i = 0; i < kItems; ++i) {
            // The neighbour of the last lane is the next item of the first lane.
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

// Calls act.look_at(chunk) for the chunks of a span as long as it returns true, and returns whether it always did.
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

// The work on each chunk of a span; see look_at_span() below.
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

// Returns whether look(place, left, right) holds for all neighbours whose right one is in a span or the first one after
// it. If `kMoves`, store(place, element) is then called for the elements of each chunk.
template <int kItems, bool kMoves, typename Look, typename Store>
__device__ __forceinline__ bool look_at_span(
    const ElementArray& in, u64 count, u64 begin, u64 end, const Look& look, const Store& store) {
    ChunkLook<kItems, kMoves, Look, Store> chunks{in, begin, OrderedKey{}, look, store};
    const bool fits = all_chunks<kItems>(begin, end, chunks);
    const bool is_other_lane = threadIdx.x % kWarpSize != 0;
    // A span that does not end with the input ends with a full chunk.
    return fits && __all_sync(kAllLanes, is_other_lane || end == count || look(end, chunks.before, in.key(end, false)));
}
