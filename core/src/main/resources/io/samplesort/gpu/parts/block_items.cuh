// The items that a block sorts by cells (cell_sort.cuh), in the registers of its threads.
#pragma once
#include "parts/block_sort.cuh"

__device__ __forceinline__ auto number_of_item(const Element& element) { return number_of(element.key); }

__device__ __forceinline__ u64 second_number_of_item(const Element& element) { return second_number_of(element.key); }

// Neighbouring lanes have neighbouring items, and the items of a warp are consecutive.
template <int kItems, typename Item>
struct BlockItems {
    static constexpr u32 kWarpItems = kWarpSize * kItems;

    Item own[kItems];
    u32 count;  // of the whole block

    // Item base + offset is load(base, offset).
    //
    // Slots without an item are cleared. Otherwise their registers would have to keep the values of the previous piece,
    // and could not be used for anything in between.
    template <typename Load>
    __device__ __forceinline__ BlockItems(u32 all, const Load& load) : own{}, count(all) {
        const u32 base = first_place();
        for_each([&](const Item&, int i) { own[i] = load(base, i * kWarpSize); });
    }

    // Returns the place of the first item of the calling thread. Each further item is kWarpSize places after the one
    // before it.
    __device__ __forceinline__ static u32 first_place() {
        return threadIdx.x / kWarpSize * kWarpItems + threadIdx.x % kWarpSize;
    }

    // Calls use(item, i) for the items of the calling thread. A warp that has all its items does not test each of them.
    template <typename Use>
    __device__ __forceinline__ void for_each(const Use& use) const {
        const u32 base = first_place();
        if (base - threadIdx.x % kWarpSize + kWarpItems <= count) {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                use(own[i], i);
            }
        } else {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                if (base + i * kWarpSize < count) {
                    use(own[i], i);
                }
            }
        }
    }
};
