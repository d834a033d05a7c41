// Puts items in order whose numbers are so few that each has a counter of its own (cell_sort.cuh). All are in order as
// soon as they are in their places.
//
// Where there is a word for each counter, lanes that count in the same one do not wait for each other: the instruction
// that adds one and returns nothing adds for all of them at once. They wait only when they take places. Where there are
// more counters, two share a word, and lanes wait in both steps.
//
// Counters that are multiples of 32 apart, as those of powers modulo a power of two often are, would all lie in one
// bank of shared memory. So rows of four words change places within each 32 words, in another way in each of eight
// neighbours.
#pragma once
#include "parts/cell_memory.cuh"

template <int kItems, typename Item, u32 kCells>
struct OwnCounters {
    CellMemory<kItems, Item, kCells> memory;

    // Sorts the items, whose counters are clear, and share words if `kHalves`. counter_of(item) returns the number of
    // its counter.
    template <bool kHalves, typename CounterOf>
    __device__ __forceinline__ void sort(const BlockItems<kItems, Item>& items, const CounterOf& counter_of) const {
        items.for_each([&](const Item& item, int) { add<kHalves>(counter_of(item)); });
        __syncthreads();
        memory.template find_starts<kHalves>(place_of_row);
        const auto places = memory.items();
        items.for_each([&](const Item& item, int) { places[add<kHalves>(counter_of(item))] = item; });
        __syncthreads();
    }

  private:
    __device__ __forceinline__ static u32 place_of_row(u32 row) { return row ^ row / 8 % 8; }

    __device__ __forceinline__ static u32 place_of_word(u32 word) { return word ^ word / 32 % 8 * 4; }

    // Adds one to a counter and returns what it was.
    template <bool kHalves>
    __device__ __forceinline__ u32 add(u32 counter) const {
        if constexpr (kHalves) {
            const u32 shift = counter % 2 * 16;
            return atomicAdd(&memory.cells[place_of_word(counter / 2)], 1u << shift) >> shift & 0xffff;
        } else {
            return atomicAdd(&memory.cells[place_of_word(counter)], 1u);
        }
    }
};
