// Finds buckets among splitters that share a frequent first number. They meet in one cell of a grid of whole keys
// (splitter_grid.cuh), since the other numbers lie far from it. Such a cell gets a table of its own: equal cells of the
// second numbers of these splitters, and where the splitters of each begin.
#pragma once
#include "parts/wide_map.cuh"

// Splitters of one first number.
struct SplitterGroup {
    u64 first;         // their first number
    u32 least_second;  // the upper words of their second numbers
    u32 second_range;
    u32 factor;  // cells for each unit of these, in units of 2^-32
    u16 shift;
    u16 table;  // where the table begins
    u16 begin;  // the group, and the other splitters of the cell before and behind it
    u16 group_begin;
    u16 group_end;
    u16 end;

    __device__ __forceinline__ u32 cell_of(u32 second) const {
        const u32 distance = second < least_second ? 0 : min_of(second - least_second, second_range);
        return __umulhi(distance << shift, factor);
    }
};

struct SplitterGroups {
    static constexpr u32 kMostGroups = 8;
    // Fewer splitters are no group.
    static constexpr u32 kFewestSplitters = 4;
    static constexpr u32 kTableSize = kGridCellsOfBucket * kMaxBucketCount + kMostGroups;

    SplitterGroup* groups;
    u32* counts;  // of groups, and of the words of their tables
    u32* cells;   // of the grid, for each group
    u16* tables;

    static constexpr u32 kBytes = kMostGroups * (sizeof(SplitterGroup) + sizeof(u32)) + 16 + align_16(kTableSize * sizeof(u16));

    __device__ __forceinline__ void place(unsigned char* memory) {
        groups = (SplitterGroup*)memory;
        counts = (u32*)(groups + kMostGroups);
        cells = counts + 4;
        tables = (u16*)(cells + kMostGroups);
    }

    __device__ __forceinline__ static u32 second_of(const OrderedKey& key) { return (u32)(second_number_of(key) >> 32); }

    // Makes a group of the splitters begin … end - 1 that have the first number of the one in the middle. They are those
    // of a cell.
    __device__ __forceinline__ void add(const OrderedKey* splitters, u32 cell, u32 begin, u32 end) const {
        SplitterGroup group{(u64)number_of(splitters[(begin + end) / 2])};
        group.begin = (u16)begin;
        group.end = (u16)end;
        u32 first = (begin + end) / 2;
        u32 last = first;
        while (first > begin && number_of(splitters[first - 1]) == group.first) {
            first--;
        }
        while (last + 1 < end && number_of(splitters[last + 1]) == group.first) {
            last++;
        }
        group.group_begin = (u16)first;
        group.group_end = (u16)(last + 1);
        const u32 cell_count = kGridCellsOfBucket * (last + 1 - first);
        group.least_second = second_of(splitters[first]);
        group.second_range = second_of(splitters[last]) - group.least_second;
        if (last + 1 - first < kFewestSplitters || group.second_range == 0) {
            return;
        }
        const u32 index = atomicAdd(&counts[0], 1u);
        if (index >= kMostGroups) {
            return;
        }
        group.table = (u16)atomicAdd(&counts[1], cell_count + 1);
        group.shift = (u16)__clz((int)group.second_range);
        // The margin keeps rounding from making a cell more than there are.
        group.factor = (u32)((float)cell_count * 4294967296.0f / ((float)(group.second_range << group.shift) + 1.0f)
            * (1.0f - 1.0f / (1 << 20)));
        groups[index] = group;
        cells[index] = cell;
    }

    __device__ __forceinline__ u32 count() const { return min_of(counts[0], kMostGroups); }

    // Writes the part of a group's table that ends with one of its splitters, which is at `place`.
    __device__ __forceinline__ void fill(const SplitterGroup& group, const OrderedKey* splitters, u32 place) const {
        u16* table = tables + group.table;
        const u32 last = group.cell_of(second_of(splitters[place]));
        u32 cell = place == group.group_begin ? 0 : group.cell_of(second_of(splitters[place - 1])) + 1;
        for (; cell <= last; ++cell) {
            table[cell] = (u16)place;
        }
        if (place + 1 == group.group_end) {
            for (; cell <= kGridCellsOfBucket * (u32)(group.group_end - group.group_begin); ++cell) {
                table[cell] = group.group_end;
            }
        }
    }

    // Returns which splitters of its cell a key has to be compared with: the first one, and in the upper half the one
    // behind the last one.
    __device__ __forceinline__ u32 find(u32 index, const OrderedKey& key) const {
        const SplitterGroup group = groups[index];
        const u64 first = number_of(key);
        if (first < group.first) {
            return group.begin | (u32)group.group_begin << 16;
        }
        if (group.first < first) {
            return group.group_end | (u32)group.end << 16;
        }
        const u16* entry = tables + group.table + group.cell_of(second_of(key));
        return entry[0] | (u32)entry[1] << 16;
    }
};
