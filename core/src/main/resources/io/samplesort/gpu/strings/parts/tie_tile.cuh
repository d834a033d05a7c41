// A tile of the sorted words of a round, and which of its strings are tied. Heads are words that differ from the one
// before; a group begins at a head and ends before the next one. The tile also has the heads of one warp's width on
// both sides, so that it can tell groups of at most kSmallGroup strings from larger ones.
#pragma once
#include "strings/parts/ties.cuh"

constexpr u32 kTieTileWords = kTieTile / kWarpSize;
static_assert(kSmallGroup == kWarpSize, "a tile has a word of heads on each side");

enum class Tie : u32 {
    kNone,   // alone, or among equal strings, which are in order
    kSmall,  // in a group that one kernel sorts
    kLarge   // in a group for the next round
};

// In shared memory.
struct TieTile {
    u32 heads[kTieTileWords + 2];  // bit by bit, from the warp's width before the tile on
    u64 totals[kTieThreads / kWarpSize];
    u64 base;
    u64 rows[kTieTileWords];
};
constexpr u32 kTieSharedBytes = sizeof(TieTile);

// Finds the heads in a tile and around it. All threads of a block call this.
__device__ __forceinline__ void find_heads(const Round& round, u64 tile_begin, TieTile& tile) {
    const u32 lane = threadIdx.x % kWarpSize;
    for (u32 w = threadIdx.x / kWarpSize; w < kTieTileWords + 2; w += kTieThreads / kWarpSize) {
        // Numbers below 0 become very large ones.
        const u64 i = tile_begin + w * kWarpSize + lane - kWarpSize;
        const bool exists = i < round.count;
        const u64 word = exists ? round.word(i) : 0;
        u64 before = __shfl_up_sync(kAllLanes, word, 1);
        if (lane == 0 && exists && i > 0) {
            before = round.word(i - 1);
        }
        // Places past the end are not part of the last group.
        const u32 heads = __ballot_sync(kAllLanes, !exists || i == 0 || word != before);
        if (lane == 0) {
            tile.heads[w] = heads;
        }
    }
    __syncthreads();
}

// Returns 32 heads from bit `first` on.
__device__ __forceinline__ u32 heads_from(const TieTile& tile, u32 first) {
    const u32 shift = first % kWarpSize;
    const u32 low = tile.heads[first / kWarpSize] >> shift;
    return shift == 0 ? low : low | tile.heads[first / kWarpSize + 1] << (kWarpSize - shift);
}

struct TiedString {
    Tie tie;
    bool is_head;
    u32 before;  // in a small group: how many of its strings come before this one
    u32 size;    // in a small group: how many there are
};

// Returns the state of string i of a tile, which must exist.
__device__ __forceinline__ TiedString
tied_string(const Round& round, const Text& text, u64 tile_begin, u32 i, const TieTile& tile) {
    const u32 bit = i + kWarpSize;
    TiedString tied{};
    tied.is_head = (tile.heads[bit / kWarpSize] >> bit % kWarpSize & 1) != 0;
    const u32 back = heads_from(tile, bit - (kWarpSize - 1));
    const u32 ahead = heads_from(tile, bit + 1);
    const bool is_near = back != 0 && ahead != 0;
    tied.before = is_near ? (u32)__clz((int)back) : 0;
    tied.size = is_near ? tied.before + (u32)__ffs((int)ahead) : 0;
    if (tied.size == 1 || has_ended(round, text, round.word(tile_begin + i))) {
        tied.tie = Tie::kNone;
    } else {
        tied.tie = tied.size != 0 && tied.size <= kSmallGroup ? Tie::kSmall : Tie::kLarge;
    }
    return tied;
}
