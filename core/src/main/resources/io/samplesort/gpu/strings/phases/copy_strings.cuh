// Strings in another order: their new offsets, and then their bytes.
#pragma once

// Where strings go. The host writes all fields as eight bytes each, by the same names (KernelStructs.StringTarget).
struct StringTarget {
    u8* bytes;           // aligned to eight bytes
    u8* offsets;         // count + 1 of them
    u64 offset_bytes;    // 4 or 8
    u64* sources;        // [count] where each string begins in the source
    u64* tiles;          // [tiles of strings] how many bytes they have, then how many lie before them
    u64* byte_tiles;     // [tiles of bytes] the string that has the first byte of each
    u64* total;          // how many bytes there are

    __device__ __forceinline__ u64 offset(u64 i) const {
        return offset_bytes == sizeof(u32) ? ((const u32*)offsets)[i] : ((const u64*)offsets)[i];
    }

    __device__ __forceinline__ void set_offset(u64 i, u64 value) const {
        if (offset_bytes == sizeof(u32)) {
            ((u32*)offsets)[i] = (u32)value;
        } else {
            ((u64*)offsets)[i] = value;
        }
    }
};

constexpr u32 kMeasureSharedBytes = kTieThreads / kWarpSize * sizeof(u64);

// Finds for each string of the permutation where it begins in the source, and how many bytes of its tile lie before it.
// One block for each tile.
extern "C" __global__ void measure_strings(const Text from, const u32* permutation, const StringTarget to) {
    u64* totals = (u64*)shared_memory;
    const u64 begin = (u64)blockIdx.x * kTieTile;
    constexpr u32 kRows = kTieTile / kTieThreads;
    u64 lengths[kRows];
    // Reads at random places wait for memory, so all of them wait together.
#pragma unroll
    for (u32 row = 0; row < kRows; ++row) {
        const u64 i = begin + row * kTieThreads + threadIdx.x;
        lengths[row] = 0;
        if (i < from.count) {
            const u32 string = permutation[i];
            const u64 source = from.offset(string);
            lengths[row] = from.offset((u64)string + 1) - source;
            to.sources[i] = source;
        }
    }
    u64 before = 0;
#pragma unroll
    for (u32 row = 0; row < kRows; ++row) {
        const u64 i = begin + row * kTieThreads + threadIdx.x;
        u64 total;
        const u64 length_before = block_exclusive_scan(lengths[row], totals, total);
        if (i < from.count) {
            to.set_offset(i, before + length_before);
        }
        before += total;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        to.tiles[blockIdx.x] = before;
    }
}

// Adds to each offset what lies before its tile.
extern "C" __global__ void place_strings(const StringTarget to, u64 count) {
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i <= count; i += stride) {
        to.set_offset(i, i == count ? *to.total : to.tiles[i / kTieTile] + to.offset(i));
    }
}

// Tells each tile of bytes which string its first byte belongs to.
extern "C" __global__ void find_byte_tiles(const StringTarget to, u64 count) {
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        const u64 end = to.offset(i + 1);
        for (u64 tile = ceil_div(to.offset(i), kByteTile); tile * kByteTile < end; ++tile) {
            to.byte_tiles[tile] = i;
        }
    }
}

// A thread writes eight bytes at a time, which belong to one string or to many.
constexpr u32 kTileUnits = kByteTile / kWordBytes;
constexpr u32 kUnitsAThread = kTileUnits / kCopyThreads;
static_assert(kTileUnits % kCopyThreads == 0, "the threads of a block copy as much each");

// In shared memory, where strings are counted from the first one of the tile on.
struct ByteTile {
    u64 sources[kTileStrings];  // what to add to a place of the tile to have the place in the source
    u32 ends[kTileStrings];     // where strings end in the tile
    u32 strings[kTileUnits];    // which string the first byte of a unit belongs to
    u32 most[kCopyThreads / kWarpSize];
};
constexpr u32 kCopySharedBytes = sizeof(ByteTile);

// Finds which string each unit begins with: the last one that begins no later. All threads of a block call this. Also
// fetches where the strings lie, as far as there is room.
__device__ __forceinline__ void find_unit_strings(
    const StringTarget& to, u64 begin, u64 end, u64 first_string, u64 last_string, ByteTile& tile) {
    for (u32 unit = threadIdx.x; unit < kTileUnits; unit += kCopyThreads) {
        tile.strings[unit] = 0;
    }
    __syncthreads();
    for (u64 i = first_string + threadIdx.x; i <= last_string; i += kCopyThreads) {
        const u64 offset = to.offset(i);
        const u32 in_tile = (u32)(i - first_string);
        if (in_tile < kTileStrings) {
            tile.sources[in_tile] = to.sources[i] - offset + begin;
            tile.ends[in_tile] = (u32)(min_of(to.offset(i + 1), end) - begin);
        }
        if (offset > begin && offset < end) {
            const u64 unit = ceil_div(offset - begin, kWordBytes);
            if (unit < kTileUnits) {
                atomicMax(&tile.strings[unit], in_tile);
            }
        }
    }
    __syncthreads();
    // Units in which none begins have the same string as the unit before.
    const u32 lane = threadIdx.x % kWarpSize;
    const u32 warp = threadIdx.x / kWarpSize;
    u32 own[kUnitsAThread];
    u32 most = 0;
#pragma unroll
    for (u32 k = 0; k < kUnitsAThread; ++k) {
        most = max_of(most, tile.strings[threadIdx.x * kUnitsAThread + k]);
        own[k] = most;
    }
    for (u32 distance = 1; distance < kWarpSize; distance *= 2) {
        const u32 other = __shfl_up_sync(kAllLanes, most, distance);
        most = lane >= distance ? max_of(most, other) : most;
    }
    if (lane == kWarpSize - 1) {
        tile.most[warp] = most;
    }
    u32 before = __shfl_up_sync(kAllLanes, most, 1);
    before = lane == 0 ? 0 : before;
    __syncthreads();
    for (u32 w = 0; w < warp; ++w) {
        before = max_of(before, tile.most[w]);
    }
#pragma unroll
    for (u32 k = 0; k < kUnitsAThread; ++k) {
        tile.strings[threadIdx.x * kUnitsAThread + k] = max_of(before, own[k]);
    }
    __syncthreads();
}

// Where a string of a tile ends in it, and what to add to a place of the tile to have the place in the source.
struct TileString {
    u32 end;
    u64 source;
};

__device__ __forceinline__ TileString tile_string(
    const StringTarget& to, u64 begin, u64 end, u64 first_string, u32 string, const ByteTile& tile) {
    if (string < kTileStrings) {
        return TileString{tile.ends[string], tile.sources[string]};
    }
    const u64 i = first_string + string;
    return TileString{(u32)(min_of(to.offset(i + 1), end) - begin), to.sources[i] - to.offset(i) + begin};
}

// Copies the bytes. A block has tiles of the target, and neighbouring threads write neighbouring places, whether strings
// are short or long. All units of a thread read their first string at once, since these reads wait for memory.
extern "C" __global__ void __launch_bounds__(kCopyThreads) copy_strings(
    const Text from, const StringTarget to, u64 count) {
    ByteTile& tile = *(ByteTile*)shared_memory;
    const TextReader text(from);
    const u64 total = *to.total;
    const u64 tiles = ceil_div(total, kByteTile);
    for (u64 t = blockIdx.x; t < tiles; t += gridDim.x) {
        const u64 begin = t * kByteTile;
        const u64 end = min_of(begin + kByteTile, total);
        const u64 first_string = to.byte_tiles[t];
        find_unit_strings(to, begin, end, first_string, t + 1 < tiles ? to.byte_tiles[t + 1] : count - 1, tile);
        const u32 tile_end = (u32)(end - begin);
        u64 bytes[kUnitsAThread];
        u32 done[kUnitsAThread];
#pragma unroll
        for (u32 k = 0; k < kUnitsAThread; ++k) {
            const u32 unit = threadIdx.x + k * kCopyThreads;
            const u32 at = unit * kWordBytes;
            bytes[k] = 0;
            done[k] = 0;
            if (at < tile_end) {
                const TileString string = tile_string(to, begin, end, first_string, tile.strings[unit], tile);
                if (string.end > at) {
                    done[k] = min_of(string.end - at, kWordBytes);
                    bytes[k] = text.raw_bytes(string.source + at, string.source + string.end);
                }
            }
        }
#pragma unroll
        for (u32 k = 0; k < kUnitsAThread; ++k) {
            const u32 unit = threadIdx.x + k * kCopyThreads;
            const u32 at = unit * kWordBytes;
            if (at < tile_end) {
                const u32 unit_bytes = min_of(tile_end - at, kWordBytes);
                u32 place = done[k];
                u64 word = place < kWordBytes ? bytes[k] & ~(~0ull << 8 * place) : bytes[k];
                for (u32 i = tile.strings[unit] + 1; place < unit_bytes; ++i) {
                    const TileString string = tile_string(to, begin, end, first_string, i, tile);
                    const u32 string_bytes = min_of(string.end - at, unit_bytes);
                    if (string_bytes > place) {
                        const u64 source = string.source + at;
                        const u64 next = text.raw_bytes(source + place, source + string_bytes);
                        const u32 added = string_bytes - place;
                        word |= (added < kWordBytes ? next & ~(~0ull << 8 * added) : next) << 8 * place;
                        place = string_bytes;
                    }
                }
                if (unit_bytes == kWordBytes) {
                    *(u64*)(to.bytes + begin + at) = word;
                } else {
                    for (u32 b = 0; b < unit_bytes; ++b) {
                        to.bytes[begin + at + b] = (u8)(word >> 8 * b);
                    }
                }
            }
        }
        __syncthreads();
    }
}
