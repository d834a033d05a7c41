// Divides the cells of cell_sort.cuh that have many items, where keys are wider than their numbers: structs with
// several fields, sort keys with an index, and keys with their places. Most items of such a cell have the same number
// and differ by what follows in the key, the second number. One of the items is the middle of its cell. A cell of n
// items becomes about n smaller ones: the first has the items whose number is less than that of the middle, the last
// has those whose number is greater, and the others go to those in between by their second numbers. This is monotone
// whatever the numbers are.
#pragma once
#include "parts/block_items.cuh"

// Where second numbers lie between the least and the greatest one of a bucket.
struct NumberSpread {
    u64 least;
    u32 shift;
    u32 factor;

    __device__ __forceinline__ NumberSpread(u64 least_number, u64 greatest_number) : least(least_number) {
        const u64 range = greatest_number - least_number;
        shift = range == 0 ? 0 : (u32)__clzll((long long)range);
        // The uppermost bit of the range is that of the word now. The margin keeps rounding from making more than 2^31.
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
    using Items = PaddedItems<kItems, Item>;

    // Cells with more items are divided.
    static constexpr u32 kMostUndivided = 3;

    Item* slots;        // free memory, for the middles
    const u32* begins;  // where the items of each cell begin; the count of all items behind the last one
    bool has_middles;   // else all items of a cell have the same number

    // Makes the slot of an item ready for offer_middle().
    __device__ __forceinline__ void clear_middle(u32 place) const { *counter(place) = 0; }

    // The first item of a large cell that comes here becomes its middle. Nobody can read it before the next barrier.
    __device__ __forceinline__ void offer_middle(u32 cell, const Item& item) const {
        const u32 begin = begins[cell];
        // The first slot of the cell is for the middle, and the second one counts the items that were offered.
        if (begins[cell + 1] - begin > kMostUndivided && atomicAdd(counter(begin + 1), 1u) == 0) {
            Items{slots, 0}[begin] = item;
        }
    }

    // Returns which of the smaller cells an item of a cell goes to. `fraction` says where its second number lies.
    __device__ __forceinline__ u32 cell_of(u32 cell, const Item& item, u32 fraction) const {
        const u32 begin = begins[cell];
        const u32 end = begins[cell + 1];
        if (end - begin <= kMostUndivided) {
            return first_cell(begin);
        }
        if (!has_middles) {
            return cell_among(begin, end, fraction);
        }
        const u32 first = first_cell(begin);
        const u32 last = max_of(first + 1, first_cell(end)) - 1;
        const auto middle = number_of_item(Items{slots, 0}[begin]);
        const auto number = number_of_item(item);
        return number < middle ? first
            : middle < number  ? last
                               : min_of(last, first + 1 + __umulhi(fraction, max_of(last - first, 1u) - 1));
    }

    // Returns which of the cells of items begin to end - 1 one of them goes to by its second number, if all have the
    // same first one.
    __device__ __forceinline__ static u32 cell_among(u32 begin, u32 end, u32 fraction) {
        const u32 first = first_cell(begin);
        return first + __umulhi(fraction, first_cell(end) - first);
    }

  private:
    __device__ __forceinline__ u32* counter(u32 place) const { return (u32*)&Items{slots, 0}[place]; }

    // Returns the first smaller cell of items from a place on.
    __device__ __forceinline__ static u32 first_cell(u32 place) { return place * kCells / kItems; }
};
