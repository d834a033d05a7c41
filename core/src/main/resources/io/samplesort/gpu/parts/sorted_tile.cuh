// The elements that a block looks at in operations on one or two sorted arrays, and the columns that it writes.
//
// Small elements are copied to shared memory, byte by byte as they lie in the arrays. A larger element fills a sector
// of memory by itself, so it is read where it is. Either way a block first finds out which elements it writes, as
// places in its tile, and then copies these in all columns: neighbouring threads write neighbouring units.
//
// Keys are sort keys whose index is 0, so that equal elements have equal keys.
#pragma once
#include "parts/basics.cuh"

constexpr u32 kSortedThreads = 256;
constexpr u32 kMostSortedColumns = 8;

// The elements of a thread. An odd number of words between threads keeps them out of each other's banks.
__host__ __device__ constexpr u32 sorted_items(u32 bytes) {
    return bytes <= 4 ? 23 : bytes <= 8 ? 13 : bytes <= 16 ? 7 : 5;
}

constexpr u32 kMostStagedBytes = 32;
constexpr bool kStagesElements = kIndexedBytes <= kMostStagedBytes;
constexpr u32 kCopiedBytes = 16;

// How many blocks a multiprocessor has at once: while some wait for memory, others merge. These take as many registers
// as are left for each.
constexpr u32 kSortedBlocks = !kStagesElements || kIndexedBytes == 2 ? 4 : kIndexedBytes == 1 ? 5 : 6;

// The shared memory for the elements of a tile and the one before it: two pieces, each with the alignment that it has
// in its array.
__host__ __device__ constexpr u32 sorted_stage_bytes(u32 bytes) {
    return bytes <= kMostStagedBytes ? align_16((kSortedThreads * sorted_items(bytes) + 1) * bytes) + 3 * kCopiedBytes
                                     : 0;
}

// What the threads of a block tell each other.
struct SortedScratch {
    u32 warp_totals[kWarpSize];
    u64 ticket;
    u64 place;
    u64 run;
    u64 unused;
};

__host__ __device__ constexpr u32 sorted_shared_bytes(u32 bytes) {
    return sorted_stage_bytes(bytes) + kSortedThreads * sorted_items(bytes) * (u32)sizeof(u16)
        + (u32)sizeof(SortedScratch);
}

constexpr u32 kSortedItems = sorted_items(kIndexedBytes);
constexpr u32 kSortedTile = kSortedThreads * kSortedItems;
constexpr u32 kStageBytes = sorted_stage_bytes(kIndexedBytes);
static_assert(kSortedTile < 1 << 16, "places in a tile have 16 bits");
static_assert(kSortedItems <= 32, "a mask has a bit for each element of a thread");
static_assert(kSortedThreads * sizeof(u32) <= kSortedTile * sizeof(u16), "cuts take more room than places");

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
};

// What kernels find out, all 0 before them.
struct SortedProgress {
    u64 total;    // how many elements there are to write, even if there is no room for them
    u64 tickets;  // tiles that have been taken
    u64 misfits;  // cuts that lie before those to their left, since inputs are not sorted
};

// Elements one behind the other, in global or shared memory.
struct Elements {
    const u8* first;

    template <typename Index>
    __device__ __forceinline__ Key operator[](Index i) const {
        return make_sort_key(first + (u64)i * kIndexedBytes, 0);
    }

    __device__ __forceinline__ Elements from(u64 begin) const { return Elements{first + begin * kIndexedBytes}; }
};

__device__ __forceinline__ u16* tile_places() { return (u16*)(shared_memory + kStageBytes); }

__device__ __forceinline__ SortedScratch& sorted_scratch() {
    return *(SortedScratch*)(shared_memory + kStageBytes + kSortedTile * sizeof(u16));
}

// Bytes that are copied to a place of the same alignment in shared memory, as whole units and what is before and after.
struct CopiedPiece {
    const u8* from;
    u32 to;
    u32 head;
    u32 units;
    u32 bytes;

    // `room` is a multiple of the units' size.
    __device__ __forceinline__ CopiedPiece(const u8* from, u32 bytes, u32 room)
        : from(from),
          to(room + (u32)((u64)from % kCopiedBytes)),
          head(min_of(bytes, (u32)(-(u64)from % kCopiedBytes))),
          units((bytes - head) / kCopiedBytes),
          bytes(bytes) {}

    __device__ __forceinline__ u32 end() const { return to + bytes; }
    __device__ __forceinline__ const uint4* unit(u32 u) const { return (const uint4*)(from + head) + u; }
    __device__ __forceinline__ uint4* unit_to(u32 u) const { return (uint4*)(shared_memory + to + head) + u; }

    __device__ __forceinline__ void copy_edges() const {
        if (threadIdx.x < head) {
            shared_memory[to + threadIdx.x] = from[threadIdx.x];
        }
        const u32 at = head + units * kCopiedBytes + threadIdx.x;
        if (at < bytes) {
            shared_memory[to + at] = from[at];
        }
    }
};

// The units that a thread has in flight at once. Tiles of smaller elements have fewer.
constexpr u32 kCopiedAtOnce = kIndexedBytes < 4 ? kIndexedBytes : 4;

// The elements of a tile: `a_count` of the first array, and behind them those of the second.
struct SortedTile {
    Elements a;
    Elements b;
    u32 a_count;
    u32 count;

    // Loads the tile, or leaves larger elements where they are. All threads of the block call this.
    __device__ __forceinline__ SortedTile(const Elements& first, u32 a_count, const Elements& second, u32 b_count)
        : a(first), b(second), a_count(a_count), count(a_count + b_count) {
        if constexpr (kStagesElements) {
            const CopiedPiece a_piece(first.first, a_count * kIndexedBytes, 0);
            const CopiedPiece b_piece(second.first, b_count * kIndexedBytes, align_16(a_piece.end()));
            const u32 units = a_piece.units + b_piece.units;
#pragma unroll 1
            for (u32 begin = threadIdx.x; begin < units; begin += kCopiedAtOnce * kSortedThreads) {
                uint4 copied[kCopiedAtOnce];
#pragma unroll
                for (u32 i = 0; i < kCopiedAtOnce; ++i) {
                    const u32 u = begin + i * kSortedThreads;
                    if (u < units) {
                        copied[i] = *(u < a_piece.units ? a_piece.unit(u) : b_piece.unit(u - a_piece.units));
                    }
                }
#pragma unroll
                for (u32 i = 0; i < kCopiedAtOnce; ++i) {
                    const u32 u = begin + i * kSortedThreads;
                    if (u < units) {
                        *(u < a_piece.units ? a_piece.unit_to(u) : b_piece.unit_to(u - a_piece.units)) = copied[i];
                    }
                }
            }
            a_piece.copy_edges();
            b_piece.copy_edges();
            a.first = shared_memory + a_piece.to;
            b.first = shared_memory + b_piece.to;
            __syncthreads();
        }
    }
};

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

// Copies the elements of a tile at these places, from place `to` of the targets on. `a_begin` and `b_begin` say where
// the tile begins in both arrays. All threads of the block call this.
__device__ __forceinline__ void write_columns(
    const SortedColumns& columns, const SortedTile& tile, u64 a_begin, u64 b_begin, const u16* places, u32 count,
    u64 to) {
#pragma unroll 1
    for (u32 c = 0; c < columns.count; ++c) {
        const SortedColumn& column = columns.columns[c];
        const u32 bytes = (u32)column.bytes;
        const u32 unit_bytes = (u32)column.unit_bytes;
        u8* target = column.target + to * bytes;
        if (column.target == nullptr) {
            continue;
        }
        if (kStagesElements && c == 0) {
            copy_column<kIndexedBytes>(
                tile.a.first, tile.b.first, tile.a_count, places, count, target, kIndexedBytes, unit_bytes);
        } else {
            copy_column<kCopiedBytes>(
                column.first + a_begin * bytes, column.second + b_begin * bytes, tile.a_count, places, count, target,
                bytes, unit_bytes);
        }
    }
}

// Returns where the run of equal elements begins to which an element belongs, in sorted elements from 0 on. The longer
// the run, the longer this takes, but no more than twice the logarithm of its length.
template <typename Index>
__device__ __forceinline__ Index run_begin(const Elements& elements, Index at) {
    const Key key = elements[at];
    Index step = 1;
    while (at > 0) {
        const Index before = at > step ? at - step : 0;
        if (less(elements[before], key)) {
            Index low = before + 1;
            while (low < at) {
                const Index middle = low + (at - low) / 2;
                if (less(elements[middle], key)) {
                    low = middle + 1;
                } else {
                    at = middle;
                }
            }
            return at;
        }
        at = before;
        step *= 2;
    }
    return 0;
}
