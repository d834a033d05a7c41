// The elements that a block looks at in operations on one or two sorted arrays.
//
// Small elements are copied to shared memory, byte by byte as they lie in the arrays. A larger element fills a sector
// of memory by itself, so it is read where it is.
#pragma once
#include "parts/async_copy.cuh"
#include "parts/basics.cuh"

constexpr u32 kSortedThreads = 256;
constexpr u32 kMostSortedColumns = 8;

// The elements of a thread. An odd number of words between threads keeps them out of each other's banks.
__host__ __device__ constexpr u32 sorted_items(u32 bytes) {
    return bytes <= 4 ? 23 : bytes <= 8 ? 15 : bytes <= 16 ? 7 : 5;
}

constexpr u32 kMostStagedBytes = 32;
constexpr bool kStagesElements = kIndexedBytes <= kMostStagedBytes;
constexpr u32 kCopiedBytes = 16;

// How many blocks of a merge, of a set operation and of a search for runs a multiprocessor has at once: while some wait
// for memory, others merge. These take as many registers as are left for each.
constexpr u32 kMergeBlocks = kIndexedBytes == 4 || kIndexedBytes == 8 ? 5 : 4;
constexpr u32 kSetBlocks = kIndexedBytes == 4 ? 6 : kMergeBlocks;
constexpr u32 kRunBlocks = kIndexedBytes == 8 ? 6 : kSetBlocks;

// The shared memory for the elements of a tile and one more: two pieces, each with the alignment that it has in its
// array and with a pad behind it.
__host__ __device__ constexpr u32 sorted_stage_bytes(u32 bytes) {
    return bytes <= kMostStagedBytes ? align_16((kSortedThreads * sorted_items(bytes) + 3) * bytes) + 3 * kCopiedBytes
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

// A tile of a set operation may have one element more than others. The rest keeps the alignment.
constexpr u32 kSparePlaces = 8;

__host__ __device__ constexpr u32 sorted_shared_bytes(u32 bytes) {
    return sorted_stage_bytes(bytes) + (kSortedThreads * sorted_items(bytes) + kSparePlaces) * (u32)sizeof(u16)
        + (u32)sizeof(SortedScratch);
}

constexpr u32 kSortedItems = sorted_items(kIndexedBytes);
constexpr u32 kSortedTile = kSortedThreads * kSortedItems;
constexpr u32 kStageBytes = sorted_stage_bytes(kIndexedBytes);
static_assert(kSortedTile + 1 < 1 << 16, "places in a tile have 16 bits");
static_assert(kSortedItems < 32, "a mask has a bit for each element of a thread, and one more");
static_assert(kSortedThreads * sizeof(u32) <= kSortedTile * sizeof(u16), "cuts take more room than places");

// What the kernels find out, all 0 before them.
struct SortedProgress {
    u64 total;    // how many elements there are to write, even if there is no room for them
    u64 tickets;  // tiles that have been taken
    u64 misfits;  // cuts that do not fit those to their left, since inputs are not sorted
};

// What sort keys of numbers are without an index: numbers.
template <typename Number>
struct NumberKey {
    Number number;
};

template <typename Number>
__device__ __forceinline__ bool less(const NumberKey<Number>& a, const NumberKey<Number>& b) {
    return a.number < b.number;
}

// What elements are compared by: sort keys without their index, or with 0 in its place. So equal elements have equal
// keys.
template <u32 kKeyBytes>
struct ComparedAs {
    typedef Key Type;
};
template <>
struct ComparedAs<8> {
    typedef NumberKey<u32> Type;
};
template <>
struct ComparedAs<12> {
    typedef NumberKey<u64> Type;
};
constexpr u32 kTrustedKeyBytes = kOrderIsTrusted ? sizeof(Key) : 0;
typedef ComparedAs<kTrustedKeyBytes>::Type ComparedKey;

template <typename IndexedKey>
__device__ __forceinline__ ComparedKey without_index(const IndexedKey& key) {
    if constexpr (kTrustedKeyBytes == 8) {
        return ComparedKey{(u32)(__builtin_bit_cast(u64, key) >> 32)};
    } else if constexpr (kTrustedKeyBytes == 12) {
        return ComparedKey{bits64(key, 1)};
    } else {
        return with_index(key, 0);
    }
}

// What an element is moved as: at once if it has as many bytes as an integer or a unit, and otherwise by its place.
template <u32 kBytes>
struct MovedAs {
    struct Type {};
};
template <>
struct MovedAs<1> {
    typedef u8 Type;
};
template <>
struct MovedAs<2> {
    typedef u16 Type;
};
template <>
struct MovedAs<4> {
    typedef u32 Type;
};
template <>
struct MovedAs<8> {
    typedef u64 Type;
};
template <>
struct MovedAs<16> {
    typedef uint4 Type;
};
typedef MovedAs<kIndexedBytes>::Type MovedElement;
constexpr bool kMovesElements = kIndexedBytes <= 16 && (kIndexedBytes & kIndexedBytes - 1) == 0;

// An element in registers.
struct LoadedElement {
    ComparedKey key;
    MovedElement moved;
};

// Elements one behind the other, in global or shared memory.
struct Elements {
    const u8* first;

    template <typename Index>
    __device__ __forceinline__ ComparedKey operator[](Index i) const {
        return without_index(make_sort_key(first + (u64)i * kIndexedBytes, 0));
    }

    __device__ __forceinline__ LoadedElement load(u32 i) const {
        LoadedElement loaded{(*this)[i], {}};
        if constexpr (kMovesElements) {
            loaded.moved = ((const MovedElement*)first)[i];
        }
        return loaded;
    }

    __device__ __forceinline__ Elements from(u64 begin) const { return Elements{first + begin * kIndexedBytes}; }
};

__device__ __forceinline__ u16* tile_places() { return (u16*)(shared_memory + kStageBytes); }

__device__ __forceinline__ SortedScratch& sorted_scratch() {
    return *(SortedScratch*)(shared_memory + kStageBytes + (kSortedTile + kSparePlaces) * sizeof(u16));
}

// Bytes in global memory and their place of the same alignment in shared memory, as whole units and what is before and
// after.
struct CopiedPiece {
    u8* bytes;
    u32 at;
    u32 head;
    u32 units;
    u32 count;

    // `room` is where there is room in shared memory, a multiple of the units' size.
    __device__ __forceinline__ CopiedPiece(const u8* bytes, u32 count, u32 room)
        : bytes((u8*)bytes),
          at(room + (u32)((u64)bytes % kCopiedBytes)),
          head(min_of(count, (u32)(-(u64)bytes % kCopiedBytes))),
          units((count - head) / kCopiedBytes),
          count(count) {}

    __device__ __forceinline__ u32 end() const { return at + count; }
    __device__ __forceinline__ uint4* unit(u32 u) const { return (uint4*)(bytes + head) + u; }
    __device__ __forceinline__ uint4* shared_unit(u32 u) const { return (uint4*)(shared_memory + at + head) + u; }

    // Calls `copy` with the places of the bytes that belong to no unit, one for each thread.
    template <typename Copy>
    __device__ __forceinline__ void for_edges(const Copy& copy) const {
        if (threadIdx.x < head) {
            copy(threadIdx.x);
        }
        const u32 place = head + units * kCopiedBytes + threadIdx.x;
        if (place < count) {
            copy(place);
        }
    }

    __device__ __forceinline__ void load_edges() const {
        for_edges([&](u32 place) { shared_memory[at + place] = bytes[place]; });
    }

    // Copies all bytes from shared to global memory. All threads of the block call this.
    __device__ __forceinline__ void store() const {
#pragma unroll 2
        for (u32 u = threadIdx.x; u < units; u += kSortedThreads) {
            *unit(u) = *shared_unit(u);
        }
        for_edges([&](u32 place) { bytes[place] = shared_memory[at + place]; });
    }
};

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
            const CopiedPiece b_piece(second.first, b_count * kIndexedBytes, align_16(a_piece.end() + kIndexedBytes));
            const u32 units = a_piece.units + b_piece.units;
#pragma unroll 4
            for (u32 u = threadIdx.x; u < units; u += kSortedThreads) {
                if (u < a_piece.units) {
                    copy_meanwhile(a_piece.shared_unit(u), a_piece.unit(u));
                } else {
                    copy_meanwhile(b_piece.shared_unit(u - a_piece.units), b_piece.unit(u - a_piece.units));
                }
            }
            a_piece.load_edges();
            b_piece.load_edges();
            if (threadIdx.x < kIndexedBytes) {
                shared_memory[a_piece.end() + threadIdx.x] = 0;
                shared_memory[b_piece.end() + threadIdx.x] = 0;
            }
            a.first = shared_memory + a_piece.at;
            b.first = shared_memory + b_piece.at;
            wait_for_copies();
            __syncthreads();
        }
    }
};

// Returns where the run of equal elements begins to which an element belongs, in sorted elements from 0 on. The longer
// the run, the longer this takes, but no more than twice the logarithm of its length.
template <typename Index>
__device__ __forceinline__ Index run_begin(const Elements& elements, Index at) {
    const ComparedKey key = elements[at];
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
