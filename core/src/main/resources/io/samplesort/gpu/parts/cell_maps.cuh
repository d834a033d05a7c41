// Which cell an item goes to (cell_sort.cuh): by a map of its number, or as its thread has noted if finding the cell
// takes several steps.
#pragma once
#include "parts/block_items.cuh"

// Counters of cells, each in a word of its own.
struct CellCounters {
    static constexpr bool kHaveHalves = false;

    // Adds one to a cell and returns what it was.
    __device__ __forceinline__ static u32 add(u32* cells, u32 cell) { return atomicAdd(&cells[cell], 1u); }

    // Returns where a row of four words lies.
    __device__ __forceinline__ static u32 place_of_row(u32 row) { return row; }
};

// `cell_of` is a monotone map of numbers. It is evaluated again when items are placed, to keep registers free for
// items.
template <typename CellOf, typename CountersOfCells = CellCounters>
struct NumberMap {
    using Counters = CountersOfCells;
    static constexpr bool kIsNoted = false;

    CellOf cell_of;

    template <typename Item>
    __device__ __forceinline__ u32 cell(const Item& item, int = 0) const {
        return cell_of(number_of_item(item));
    }
};

// The cells of the items of a thread, two in a word to keep registers free for items.
template <int kItems>
struct NotedMap {
    using Counters = CellCounters;
    static constexpr bool kIsNoted = true;

    u32 words[kItems / 2];

    // Notes cell_of_item(item) for each item.
    template <typename Item, typename CellOf>
    __device__ __forceinline__ void note(const BlockItems<kItems, Item>& items, const CellOf& cell_of_item) {
#pragma unroll
        for (int i = 0; i < kItems / 2; ++i) {
            words[i] = 0;
        }
        items.for_each([&](const Item& item, int i) { words[i / 2] |= cell_of_item(item) << i % 2 * 16; });
    }

    template <typename Item>
    __device__ __forceinline__ u32 cell(const Item&, int i) const {
        return words[i / 2] >> i % 2 * 16 & 0xffff;
    }
};
