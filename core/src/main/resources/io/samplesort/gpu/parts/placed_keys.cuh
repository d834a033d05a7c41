// The items of the small sort if equal keys keep their order: keys with their positions in the bucket, no two of which
// are equal. Payloads stay where they are and join their keys at the end, from memory that the block has just read.
#pragma once
#include "parts/exchange.cuh"
#include "parts/primitives.cuh"

struct alignas(sizeof(OrderedKey) == sizeof(u32) ? 8 : 4) PlacedKey {
    u32 position;
    Words<OrderedKey> words;

    __device__ __forceinline__ OrderedKey key() const { return __builtin_bit_cast(OrderedKey, words); }
};

__device__ __forceinline__ bool less(const PlacedKey& a, const PlacedKey& b) {
    return less(a.key(), a.position, b.key(), b.position);
}

__device__ __forceinline__ auto number_of_item(const PlacedKey& key) { return number_of(key.key()); }

__device__ __forceinline__ u64 second_number_of_item(const PlacedKey& key) { return (u64)key.position << 32; }

template <>
__device__ __forceinline__ PlacedKey greatest<PlacedKey>() {
    return PlacedKey{~0u, __builtin_bit_cast(Words<OrderedKey>, greatest_key())};
}

__device__ __forceinline__ PlacedKey placed_key(const ElementArray& bucket, u32 base, u32 offset) {
    return PlacedKey{base + offset, __builtin_bit_cast(Words<OrderedKey>, bucket.from(base).key(offset, true))};
}

// Hands on the `count` sorted keys with their payloads as Sort::for_each does. The elements lie in `bucket`, to which
// they may also be stored: all payloads are read before the first one is stored. All threads of the block call this.
template <typename Sort, typename Bucket, typename Store>
__device__ __forceinline__ void join_payloads(
    const typename Sort::Items& sorted, PlacedKey* slots, u32 count, const Bucket& bucket, const Store& store) {
    const auto joined = [](const PlacedKey& key, Payload payload) {
        Element element;
        element.key = key.key();
        element.payload = payload;
        return element;
    };
    if constexpr (Sort::kHasSpare) {
        // The payloads are staged, so that neighbouring threads read neighbouring ones.
        static_assert(sizeof(Payload) <= sizeof(PlacedKey), "a buffer has room for the payloads");
        Payload* staged = (Payload*)Sort::spare(sorted, slots);
        // No more at once, since the small sort has few registers.
#pragma unroll 8
        for (u32 position = threadIdx.x; position < count; position += blockDim.x) {
            staged[position] = bucket.payload(position);
        }
        __syncthreads();
        Sort::for_each(sorted, count, [&](u32 base, u32 offset, const PlacedKey& key) {
            store(base, offset, joined(key, staged[key.position]));
        });
        // The next sort writes to this buffer.
        __syncthreads();
    } else {
        Payload payloads[kSmallSortItems];
        Sort::for_each(sorted, count, [&](u32, u32 offset, const PlacedKey& key) {
            payloads[offset / kWarpSize] = bucket.payload(key.position);
        });
        __syncthreads();
        Sort::for_each(sorted, count, [&](u32 base, u32 offset, const PlacedKey& key) {
            store(base, offset, joined(key, payloads[offset / kWarpSize]));
        });
    }
}
