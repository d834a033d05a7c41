// Divides the cells of cell_sort.cuh that have many items, if keys are wider than their numbers: structs with several
// fields, sort keys with an index, and keys with their places. Most items of such a cell have the same number and
// differ in the next part of the key, the second number. One of the items is the middle of its cell. A cell of n items
// becomes about n smaller ones: the first has the items whose number is less than that of the middle, the last has
// those whose number is greater, and the others go to those in between by their second numbers. This is monotone
// whatever the numbers are.
#pragma once
#include "parts/cell_maps.cuh"
#include "parts/cell_memory.cuh"

// Maps second numbers to their places between the least and the greatest one of a bucket.
struct NumberSpread {
    u64 least;
    u32 shift;
    u32 factor;

    __device__ __forceinline__ NumberSpread(u64 least_number, u64 greatest_number) : least(least_number) {
        const u64 range = greatest_number - least_number;
        shift = range == 0 ? 0 : (u32)__clzll((long long)range);
        // The uppermost bit of the range is now that of the word. The margin keeps rounding from producing more than
        // 2^31.
        const float most = (float)(u32)(range << shift >> 32) + 1.0f;
        factor = (u32)quotient(9223372036854775808.0f * (1.0f - 1.0f / (1 << 20)), max_of(most, 2147483648.0f));
    }

    // Returns the part of the range that lies before a number, in units of 2^-32.
    __device__ __forceinline__ u32 operator()(u64 number) const {
        return __umulhi((u32)((number - least) << shift >> 32), factor) << 1;
    }
};

template <int kItems, typename Item, u32 kCells>
struct SecondCells {
    using Items = BlockItems<kItems, Item>;

    // Cells with more items than this are divided.
    static constexpr u32 kMostUndivided = 3;

    CellMemory<kItems, Item, kCells> memory;  // its cells say where their items begin, and its slots are free
    bool has_middles;                         // if not, all items of a cell have the same number

    // Notes the smaller cells of all items, which `map` has divided among the cells, and clears the cells. If
    // `are_alike`, all items have the same number, and have not been counted.
    template <typename Map>
    __device__ __forceinline__ NotedMap<kItems> note(const Items& items, const Map& map, bool are_alike) const {
        if (are_alike) {
            // All threads have read the bounds after this.
            __syncthreads();
            memory.clear_bounds();
        } else {
            // The last cell ends where the next one would begin.
            if (threadIdx.x == 0) {
                memory.cells[memory.cell_count()] = items.count;
            }
            if (has_middles) {
                items.for_each([&](const Item&, int i) { *counter(Items::first_place() + i * kWarpSize) = 0; });
            }
        }
        __syncthreads();
        if (!are_alike && has_middles) {
            items.for_each([&](const Item& item, int) { offer_middle(map.cell(item), item); });
        }
        // This is a barrier, after which the middles can be read.
        const NumberSpread spread = find_spread(items);
        NotedMap<kItems> notes;
        notes.note(items, [&](const Item& item) {
            const u32 fraction = spread(second_number_of_item(item));
            return are_alike ? cell_among(0, items.count, fraction) : cell_of(map.cell(item), item, fraction);
        });
        __syncthreads();
        memory.clear_cells();
        memory.clear_bounds();
        __syncthreads();
        return notes;
    }

    // Returns the cell for one of items begin to end - 1, which all have the same first number, by its second number.
    __device__ __forceinline__ static u32 cell_among(u32 begin, u32 end, u32 fraction) {
        const u32 first = first_cell(begin);
        return first + __umulhi(fraction, first_cell(end) - first);
    }

  private:
    // Makes the first item of a large cell that comes here its middle. The middle cannot be read before the next
    // barrier.
    __device__ __forceinline__ void offer_middle(u32 cell, const Item& item) const {
        const u32 begin = memory.cells[cell];
        // The first slot of the cell is for the middle, and the second one counts the items that were offered.
        if (memory.cells[cell + 1] - begin > kMostUndivided && atomicAdd(counter(begin + 1), 1u) == 0) {
            memory.places()[begin] = item;
        }
    }

    // Returns the smaller cell for an item of a cell. `fraction` is the place of its second number in the range.
    __device__ __forceinline__ u32 cell_of(u32 cell, const Item& item, u32 fraction) const {
        const u32 begin = memory.cells[cell];
        const u32 end = memory.cells[cell + 1];
        if (end - begin <= kMostUndivided) {
            return first_cell(begin);
        }
        if (!has_middles) {
            return cell_among(begin, end, fraction);
        }
        const u32 first = first_cell(begin);
        const u32 last = max_of(first + 1, first_cell(end)) - 1;
        const auto middle = number_of_item(memory.places()[begin]);
        const auto number = number_of_item(item);
        return number < middle ? first
            : middle < number  ? last
                               : min_of(last, first + 1 + __umulhi(fraction, max_of(last - first, 1u) - 1));
    }

    // Finds how the second numbers of all items are spread. This is a barrier, and needs cleared bounds.
    __device__ __forceinline__ NumberSpread find_spread(const Items& items) const {
        u32 least;
        u32 greatest;
        memory.bounds->find(
            items, 0, least, greatest, [](const Item& item) { return (u32)(second_number_of_item(item) >> 32); });
        if (least != greatest) {
            return NumberSpread((u64)least << 32, (u64)greatest << 32 | ~0u);
        }
        const u64 upper = (u64)least << 32;
        memory.bounds->find(
            items, 1, least, greatest, [](const Item& item) { return (u32)second_number_of_item(item); });
        return NumberSpread(upper | least, upper | greatest);
    }

    __device__ __forceinline__ u32* counter(u32 place) const { return (u32*)&memory.places()[place]; }

    // Returns the first smaller cell of items from a place on.
    __device__ __forceinline__ static u32 first_cell(u32 place) { return place * kCells / kItems; }
};
