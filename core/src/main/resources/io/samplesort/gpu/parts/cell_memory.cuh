// The shared memory of a block that sorts by cells (cell_sort.cuh): its items, the counts of its cells, and the state
// of its numbers.
#pragma once
#include "parts/both_numbers.cuh"
#include "parts/number_bounds.cuh"

template <int kItems, typename Item, u32 kCells>
struct CellMemory {
    using Items = BlockItems<kItems, Item>;

    // Each thread adds up kCells cells, four of a row at a time.
    static constexpr u32 kRows = kCells / 4;

    Item* slots;
    u32* cells;  // counts of the items in each cell, then their begins, then their ends; a 0 before all
    u32* warp_totals;
    NumberBounds* bounds;
    BothNumbers* kept;  // a copy, to keep registers free for items

    __host__ __device__ __forceinline__ static constexpr u32 slot_bytes(u32 threads) {
        return BlockSort<kItems, Item>::slot_bytes(threads);
    }

    __host__ __device__ __forceinline__ static constexpr u32 bytes(u32 threads) {
        return slot_bytes(threads) + threads * kCells * (u32)sizeof(u32) + 16 + kWarpSize * (u32)sizeof(u32)
            + align_16(sizeof(NumberBounds) + sizeof(BothNumbers));
    }

    __device__ __forceinline__ explicit CellMemory(unsigned char* memory) {
        slots = (Item*)memory;
        cells = (u32*)(memory + slot_bytes(blockDim.x)) + 4;
        warp_totals = cells + blockDim.x * kCells;
        bounds = (NumberBounds*)(warp_totals + kWarpSize);
        kept = (BothNumbers*)(bounds + 1);
    }

    __device__ __forceinline__ static u32 cell_count() { return blockDim.x * kCells; }

    // The items by their places.
    __device__ __forceinline__ PaddedItems<kItems, Item> places() const { return {slots, 0}; }

    // Prepares the memory for a first sort, or for the next one after other code has used it. The block sees this after
    // its next barrier.
    __device__ __forceinline__ void clear() const {
        if (threadIdx.x == 0) {
            cells[-1] = 0;
        }
        clear_bounds();
    }

    __device__ __forceinline__ void clear_bounds() const {
        if (threadIdx.x == 0) {
            *bounds = NumberBounds{};
        }
    }

    // Clears the cells. Each thread clears those that it adds up.
    __device__ __forceinline__ void clear_cells() const {
#pragma unroll
        for (u32 row = 0; row < kRows; ++row) {
            ((uint4*)cells)[first_row() + row * kWarpSize] = uint4{0, 0, 0, 0};
        }
    }

    // Counts the items of each cell, and returns how many the fullest cell has. The cells must be clear; afterwards
    // they say where their items begin. Meanwhile the block finds the `next` bucket.
    template <typename Map, typename Next>
    __device__ __forceinline__ u32 count(const Items& items, const Map& map, const Next& next) const {
        items.for_each([&](const Item& item, int i) { Map::Counters::add(cells, map.cell(item, i)); });
        next.ask_for_entry();
        __syncthreads();
        const u32 most = find_starts<typename Map::Counters>();
        next.ask_for_place();
        return most;
    }

    // Moves all items to their cells. Afterwards each cell says where the next one begins.
    template <typename Map>
    __device__ __forceinline__ void place(const Items& items, const Map& map) const {
        const auto places = this->places();
        items.for_each([&](const Item& item, int i) {
            const u32 cell = map.cell(item, i);
            const u32 place = Map::Counters::add(cells, cell);
            places[place] = item;
            if (Map::kIsNoted && place % Items::kWarpItems == 0) {
                warp_totals[place / Items::kWarpItems] = cell;
            }
        });
        __syncthreads();
    }

    // Returns the cell of the first item of a warp.
    template <typename Map>
    __device__ __forceinline__ u32 cell_at(u32 border, const Map& map) const {
        if constexpr (Map::kIsNoted) {
            return warp_totals[border / Items::kWarpItems];
        } else {
            return map.cell(places()[border]);
        }
    }

  private:
    // Turns the counts of all cells into the begins of their items, and returns the greatest count. If counters are
    // halves, each word has the counts of two cells; a block has fewer than 2^16 items.
    template <typename Counters>
    __device__ __forceinline__ u32 find_starts() const {
        constexpr bool kHalves = Counters::kHaveHalves;
        const u32 lane = threadIdx.x % kWarpSize;
        const u32 warp = threadIdx.x / kWarpSize;
        u32 most = 0;
        const auto row_at = [&](u32 row) -> uint4& {
            return ((uint4*)cells)[Counters::place_of_row(first_row() + row * kWarpSize)];
        };
        const auto sum_of_row = [&](u32 row) {
            const uint4 four = row_at(row);
            most = max_of(most, max_of(max_of(four.x, four.y), max_of(four.z, four.w)));
            const u32 sum = four.x + four.y + four.z + four.w;
            return kHalves ? (sum & 0xffff) + (sum >> 16) : sum;
        };
        u32 before[kRows];
        u32 total = 0;
#pragma unroll
        for (u32 row = 0; row < kRows; row += 2) {
            // Takes two rows at once, in the halves of a word.
            const bool has_two = row + 1 < kRows;
            const u32 sums = sum_of_row(row) | (has_two ? sum_of_row(row + 1) : 0) << 16;
            const u32 inclusive = warp_inclusive_scan(sums);
            const u32 all = __shfl_sync(kAllLanes, inclusive, kWarpSize - 1);
            before[row] = total + (inclusive - sums & 0xffff);
            total += all & 0xffff;
            if (has_two) {
                before[row + 1] = total + (inclusive - sums >> 16);
                total += all >> 16;
            }
        }
        most = warp_max(most);
        if (lane == 0) {
            warp_totals[warp] = total;
            atomicMax(&bounds->most, most);
        }
        __syncthreads();
        most = bounds->most;
        const u32 base = warp_sum(lane < warp ? warp_totals[lane] : 0);
#pragma unroll
        for (u32 row = 0; row < kRows; ++row) {
            const uint4 four = row_at(row);
            u32 place = base + before[row];
            // Returns the begin of the items that a word has counted.
            const auto next = [&](u32 counts) {
                const u32 first = place;
                const u32 second = first + (counts & 0xffff);
                place = kHalves ? second + (counts >> 16) : first + counts;
                return kHalves ? first | second << 16 : first;
            };
            const u32 x = next(four.x);
            const u32 y = next(four.y);
            const u32 z = next(four.z);
            row_at(row) = uint4{x, y, z, next(four.w)};
        }
        __syncthreads();
        // All have read them.
        clear_bounds();
        return most;
    }

    // Returns the first row of four cells of the calling thread, which has every kWarpSize-th one from there.
    __device__ __forceinline__ static u32 first_row() {
        return threadIdx.x / kWarpSize * kRows * kWarpSize + threadIdx.x % kWarpSize;
    }
};
