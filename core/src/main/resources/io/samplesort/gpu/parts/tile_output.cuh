// What a block writes of its tile: the elements that it has chosen, in all columns. Elements that are moved go through
// shared memory, so that neighbouring threads write neighbouring units. What else there is, is copied from where it is:
// the block knows which elements it writes as places in its tile.
#pragma once
#include "parts/sorted_tile.cuh"

// A column of both arrays and of the target. All addresses and the size are multiples of `unit_bytes`.
struct SortedColumn {
    const u8* first;
    const u8* second;
    u8* target;
    u64 bytes;
    u64 unit_bytes;
};

// The first column is that of the elements. It is not written if its target is null.
struct SortedColumns {
    u64 count;
    SortedColumn columns[kMostSortedColumns];

    __device__ __forceinline__ bool writes_elements() const { return columns[0].target != nullptr; }

    // Whether anything is copied by its place.
    __device__ __forceinline__ bool needs_places() const { return count > 1 || !kMovesElements && writes_elements(); }
};

// Element i of the calling thread becomes element `begin + i` of the target's part from `to` on, up to `end`. The part
// has `count` elements. All threads of the block call this, after all of them have read what they need of the tile.
template <u32 kItems>
__device__ __forceinline__ void write_moved(
    const SortedColumns& columns, const MovedElement (&moved)[kItems], u32 begin, u32 end, u32 count, u64 to) {
    const CopiedPiece piece(columns.columns[0].target + to * kIndexedBytes, count * kIndexedBytes, 0);
    MovedElement* staged = (MovedElement*)(shared_memory + piece.at);
#pragma unroll
    for (u32 i = 0; i < kItems; ++i) {
        if (begin + i < end) {
            staged[begin + i] = moved[i];
        }
    }
    __syncthreads();
    piece.store();
}

// Writes the first elements in shared memory, from `to` on. All threads of the block call this.
__device__ __forceinline__ void write_staged(const SortedColumns& columns, u32 count, u64 to) {
    const MovedElement* staged = (const MovedElement*)shared_memory;
    MovedElement* target = (MovedElement*)(columns.columns[0].target + to * kIndexedBytes);
#pragma unroll 4
    for (u32 i = threadIdx.x; i < count; i += kSortedThreads) {
        target[i] = staged[i];
    }
}

// Element i of `to` becomes the element of the tile whose place is places[i], for elements of `units` units.
template <typename Unit>
__device__ __forceinline__ void copy_chosen(
    const u8* first_bytes, const u8* second_bytes, u32 a_count, const u16* places, u32 count, u8* to_bytes, u32 units) {
    const Unit* first = (const Unit*)first_bytes;
    const Unit* second = (const Unit*)second_bytes - (u64)a_count * units;
    Unit* to = (Unit*)to_bytes;
    constexpr u32 kAtOnce = kCopiedBytes / sizeof(Unit) < 4 ? kCopiedBytes / sizeof(Unit) : 4;
    const u32 all = count * units;
#pragma unroll 1
    for (u32 begin = threadIdx.x; begin < all; begin += kAtOnce * kSortedThreads) {
        Unit copied[kAtOnce];
#pragma unroll
        for (u32 i = 0; i < kAtOnce; ++i) {
            const u32 u = begin + i * kSortedThreads;
            if (u < all) {
                const u32 element = units == 1 ? u : u / units;
                const u32 place = places[element];
                const u32 unit = place * units + (u - element * units);
                copied[i] = place < a_count ? first[unit] : second[unit];
            }
        }
#pragma unroll
        for (u32 i = 0; i < kAtOnce; ++i) {
            const u32 u = begin + i * kSortedThreads;
            if (u < all) {
                to[u] = copied[i];
            }
        }
    }
}

// Does the same for units of any size. An element of `kBytes` bytes, if these are known, has no larger units.
template <u32 kBytes>
__device__ __forceinline__ void copy_column(
    const u8* first, const u8* second, u32 a_count, const u16* places, u32 count, u8* to, u32 bytes, u32 unit_bytes) {
    if (kBytes % 16 == 0 && unit_bytes == 16) {
        copy_chosen<uint4>(first, second, a_count, places, count, to, bytes / 16);
    } else if (kBytes % 8 == 0 && unit_bytes == 8) {
        copy_chosen<u64>(first, second, a_count, places, count, to, bytes / 8);
    } else if (kBytes % 4 == 0 && unit_bytes == 4) {
        copy_chosen<u32>(first, second, a_count, places, count, to, bytes / 4);
    } else if (kBytes % 2 == 0 && unit_bytes == 2) {
        copy_chosen<u16>(first, second, a_count, places, count, to, bytes / 2);
    } else {
        copy_chosen<u8>(first, second, a_count, places, count, to, bytes);
    }
}

// Copies the columns that are copied by place, from place `to` of the targets on. `a_begin` and `b_begin` say where the
// tile begins in both arrays. All threads of the block call this.
__device__ __forceinline__ void write_columns(
    const SortedColumns& columns, const SortedTile& tile, u64 a_begin, u64 b_begin, const u16* places, u32 count,
    u64 to) {
#pragma unroll 1
    for (u32 c = kMovesElements ? 1 : 0; c < columns.count; ++c) {
        const SortedColumn& column = columns.columns[c];
        const u32 bytes = (u32)column.bytes;
        const u32 unit_bytes = (u32)column.unit_bytes;
        u8* target = column.target + to * bytes;
        if (column.target == nullptr) {
            continue;
        }
        if (kStagesElements && !kMovesElements && c == 0) {
            copy_column<kIndexedBytes>(
                tile.a.first, tile.b.first, tile.a_count, places, count, target, kIndexedBytes, unit_bytes);
        } else {
            copy_column<kCopiedBytes>(
                column.first + a_begin * bytes, column.second + b_begin * bytes, tile.a_count, places, count, target,
                bytes, unit_bytes);
        }
    }
}
