// Passes over elements with keys of 8 or 16 bits, which divide them by one byte of the keys' ranks. The bytes have been
// counted before, so these passes need no splitters and no spare room: the last pass writes to where the elements
// finally belong.
//
// Keys are written anew from their counts (fill_bytes.cuh). So a pass moves only payloads, and for keys of 16 bits the
// byte by which the next pass divides. That is less to move, in one run for each bucket and tile instead of two.
#pragma once
#include "parts/bucket_order.cuh"
#include "parts/counted_ranks.cuh"
#include "parts/key_values.cuh"

// The most buckets for each thread of the block.
constexpr u32 kByteShare = (kByteValues + kDistributionThreads - 1) / kDistributionThreads;

// Two blocks hide each other's waits. With more threads in a block, registers would be too few for two.
constexpr int kByteScatterBlocks = kDistributionThreads <= 512 ? 2 : 1;

// A payload on its way through a block, with a word. The low bits of the word are the rank of the key, or its remaining
// byte; past the end of a tile they are one more than the last rank. The bits above are first the rank within the
// bucket, then the position in the tile.
struct ByteItem {
    u32 word;
    decltype(Element::payload) payload;
};

constexpr u32 kPositionShift = 17;
static_assert(kTileSize <= 1u << (32 - kPositionShift), "a rank of 16 bits, one more, and a position share a word");

// The first pass of two.
struct HighByte {
    static constexpr bool kLeavesByte = true;
    static constexpr u32 kNoRank = kByteValues * kByteValues;

    static __device__ __forceinline__ u32 rank(const Key* keys, u32 index) {
        return value_of_rank((u32)keys[index] & (kValueCount - 1));
    }
    static __device__ __forceinline__ u32 bucket(u32 word) { return word / kByteValues % (2 * kByteValues); }
};

// The only pass, or the second one.
struct LowByte {
    static constexpr bool kLeavesByte = false;
    static constexpr u32 kNoRank = kByteValues;

    static __device__ __forceinline__ u32 rank(const Key* keys, u32 index) {
        return sizeof(Key) == 1 ? value_of_rank((u32)keys[index] & (kValueCount - 1)) : ((const u8*)keys)[index];
    }
    static __device__ __forceinline__ u32 bucket(u32 word) { return word % (2 * kByteValues); }
};

template <typename Byte>
struct ByteScatterShared {
    static constexpr bool kRoomIsGuessed = false;

    Payload* payloads;
    Row* rows;
    u32* warp_totals;
    u64* destinations;  // as in ScatterShared
    u32* starts;
    u8* bytes;  // by which the next pass divides

    static constexpr u32 kFirstRow = align_16(kTileSize * sizeof(Payload));
    static constexpr u32 kWarpTotals = kFirstRow + align_16(kRows * sizeof(Row));
    static constexpr u32 kDestinations = kWarpTotals + kWarpSize * sizeof(u32);
    static constexpr u32 kStarts = kDestinations + align_16((kByteValues + 1) * sizeof(u64));
    static constexpr u32 kLeft = kStarts + align_16((kByteValues + 1) * sizeof(u32));
    static constexpr u32 kBytes = kLeft + (Byte::kLeavesByte ? align_16(kTileSize) : 0);

    __device__ ByteScatterShared() {
        payloads = (Payload*)shared_memory;
        rows = (Row*)(shared_memory + kFirstRow);
        warp_totals = (u32*)(shared_memory + kWarpTotals);
        destinations = (u64*)(shared_memory + kDestinations);
        starts = (u32*)(shared_memory + kStarts);
        bytes = shared_memory + kLeft;
    }

    // Buckets have been counted, so this bound matters only if the keys are changed from outside meanwhile: it keeps
    // stores within the array.
    __device__ __forceinline__ u64 room_end(const Pass& pass, u32) const { return pass.element_count; }
};

template <typename Byte>
__device__ __forceinline__ void load_items(
    const ElementArray& in, const Tile& tile, ByteItem (&items)[kDistributionItems]) {
    load_tile(tile, items, [&](u64 base, u32 offset) {
        // If a pass has left bytes, these are the keys.
        const bool has_bytes = sizeof(Key) > 1 && !Byte::kLeavesByte;
        const Key* keys = has_bytes ? (const Key*)((const u8*)in.keys + base) : in.keys + base;
        return ByteItem{Byte::rank(keys, offset), (in.payloads + base)[offset]};
    });
}

// Scatters the tile whose items are in registers. load_next() replaces them by those of the next tile.
template <typename Byte, typename LoadNext>
__device__ __forceinline__ void scatter_byte_tile(
    const ByteScatterShared<Byte>& shared, const ElementArray& out, const Pass& pass, const Tile& tile,
    ByteItem (&items)[kDistributionItems], const LoadNext& load_next) {
    u32 words[kDistributionItems];
    for (u32 bucket = threadIdx.x; bucket <= kByteValues; bucket += kDistributionThreads) {
        shared.starts[bucket] = 0;
    }
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        words[i] = items[i].word;
    }
    if (tile.count != kTileSize) {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            words[i] = threadIdx.x + i * kDistributionThreads < tile.count ? words[i] : Byte::kNoRank;
        }
    }
    __syncthreads();
    for (u32 row = threadIdx.x; row < kRows; row += kDistributionThreads) {
        shared.rows[row].starts = 0;
    }
    rank_by_counting<kPositionShift>(shared.starts, tile, words, Byte::bucket);
    __syncthreads();
    u64 places[kByteShare];
    reserve_places(shared, pass, tile, places);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        words[i] += shared.starts[Byte::bucket(words[i])] << kPositionShift;
    }
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        shared.payloads[words[i] >> kPositionShift] = (Payload)items[i].payload;
        if constexpr (Byte::kLeavesByte) {
            shared.bytes[words[i] >> kPositionShift] = (u8)words[i];
        }
    }
    load_next();
    publish_places(shared, pass, places);
    __syncthreads();
    // The registers hold the next tile by now, and have room for this many places at a time.
#pragma unroll 4
    for (int i = 0; i < kDistributionItems; ++i) {
        const u32 position = threadIdx.x + i * kDistributionThreads;
        const u64 destination = shared.destinations[shared.rows[position / kWarpSize].bucket(threadIdx.x % kWarpSize)];
        if (!is_nowhere(destination)) {
            out.payloads[destination + position] = shared.payloads[position];
            if constexpr (Byte::kLeavesByte) {
                ((u8*)out.keys)[destination + position] = shared.bytes[position];
            }
        }
    }
}

template <typename Byte>
__device__ __forceinline__ void scatter_bytes(const ElementArray& in, const ElementArray& out, const Pass& pass) {
    const ByteScatterShared<Byte> shared;
    allow_next_kernel();
    TileSlots slots(pass, blockIdx.x, gridDim.x);
    Tile tile;
    ByteItem items[kDistributionItems];
    bool has_tile = slots.next(tile);
    if (has_tile) {
        load_items<Byte>(in, tile, items);
    }
    while (has_tile) {
        Tile next;
        const bool has_next = slots.next(next);
        scatter_byte_tile(shared, out, pass, tile, items, [&]() {
            if (has_next) {
                load_items<Byte>(in, next, items);
            }
        });
        tile = next;
        has_tile = has_next;
    }
}
