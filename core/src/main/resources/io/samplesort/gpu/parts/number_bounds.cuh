// The properties of the numbers of a block's items (cell_sort.cuh), in shared memory.
#pragma once
#include "parts/block_items.cuh"

struct NumberBounds {
    // The greatest word and the inverse of the least one, for the upper words of all numbers, for the lower ones, and
    // the same for second numbers. So all begin with 0, and two lanes raise both at once.
    u32 ends[8];
    u32 most;     // items in a cell
    u32 bits[2];  // bits that are 1 in any number, and bits that are 0 in any

    // Returns in which bits some words differ, given the bits that are 1 in any of them and those that are 0 in any.
    __device__ __forceinline__ static u32 differ(const u32* found) { return found[0] & found[1]; }

    __device__ __forceinline__ u32 least(u32 which) const { return ~ends[2 * which + 1]; }
    __device__ __forceinline__ u32 greatest(u32 which) const { return ends[2 * which]; }

    // Finds the range of the words word_of(item) of all items of the block. This is a barrier.
    template <int kItems, typename Item, typename WordOf>
    __device__ __forceinline__ void find(
        const BlockItems<kItems, Item>& items, u32 which, u32& least_word, u32& greatest_word, const WordOf& word_of) {
        add(items, which, word_of);
        __syncthreads();
        least_word = least(which);
        greatest_word = greatest(which);
    }

    // Does the part of the calling warp in find(). The range can be read after a barrier.
    template <int kItems, typename Item, typename WordOf>
    __device__ __forceinline__ void add(const BlockItems<kItems, Item>& items, u32 which, const WordOf& word_of) {
        u32 least_word = ~0u;
        u32 greatest_word = 0;
        items.for_each([&](const Item& item, int) {
            const u32 word = word_of(item);
            least_word = min_of(least_word, word);
            greatest_word = max_of(greatest_word, word);
        });
        const u32 inverse = warp_max(~least_word);
        greatest_word = warp_max(greatest_word);
        const u32 lane = threadIdx.x % kWarpSize;
        if (lane < 2) {
            atomicMax(&ends[2 * which + lane], lane == 0 ? greatest_word : inverse);
        }
    }

    // Finds the bits that are 1 in any of the words word_of(item) of the calling warp's items, and those that are 0 in
    // any, and adds them to `found`.
    template <int kItems, typename Item, typename WordOf>
    __device__ __forceinline__ static void add_bits(
        const BlockItems<kItems, Item>& items, u32* found, const WordOf& word_of) {
        u32 ones = 0;
        u32 zeros = 0;
        items.for_each([&](const Item& item, int) {
            const u32 word = word_of(item);
            ones |= word;
            zeros |= ~word;
        });
        ones = warp_or(ones);
        zeros = warp_or(zeros);
        const u32 lane = threadIdx.x % kWarpSize;
        if (lane < 2) {
            atomicOr(&found[lane], lane == 0 ? ones : zeros);
        }
    }
};
