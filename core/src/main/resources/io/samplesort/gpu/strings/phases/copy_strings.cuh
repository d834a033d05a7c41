// Strings in another order: their new offsets, and then their bytes.
#pragma once

// The bytes that a block copies at a time.
static_assert(kByteTile % (kCopyThreads * 16) == 0, "the threads of a block copy as much each");

// Where strings go. The host writes all fields as eight bytes each, by the same names (KernelStructs.StringTarget).
struct StringTarget {
    u8* bytes;           // aligned to 16 bytes
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

// Sixteen bytes on their way, the first one in the least significant byte.
struct alignas(16) SixteenBytes {
    u64 low = 0;
    u64 high = 0;

    // Adds up to eight bytes, of which `count` count, behind `at` others.
    __device__ __forceinline__ void add(u64 bytes, u32 at, u32 count) {
        const u64 value = count < kWordBytes ? bytes & ~(~0ull << 8 * count) : bytes;
        if (at < kWordBytes) {
            low |= value << 8 * at;
            high |= at == 0 ? 0 : value >> (64 - 8 * at);
        } else {
            high |= value << 8 * (at - kWordBytes);
        }
    }
};

constexpr u32 kUnitBytes = sizeof(SixteenBytes);
constexpr u32 kTileUnits = kByteTile / kUnitBytes;
constexpr u32 kUnitsAThread = kTileUnits / kCopyThreads;

struct ByteTile {
    u32 strings[kTileUnits];  // which string the first byte of a unit belongs to, counted from the tile's first one on
    u32 most[kCopyThreads / kWarpSize];
};
constexpr u32 kCopySharedBytes = sizeof(ByteTile);

// Finds which string each unit begins with: the last one that begins no later. All threads of a block call this.
__device__ __forceinline__ void find_unit_strings(
    const StringTarget& to, u64 begin, u64 end, u64 first_string, u64 last_string, ByteTile& tile) {
    for (u32 unit = threadIdx.x; unit < kTileUnits; unit += kCopyThreads) {
        tile.strings[unit] = 0;
    }
    __syncthreads();
    for (u64 i = first_string + 1 + threadIdx.x; i <= last_string; i += kCopyThreads) {
        const u64 offset = to.offset(i);
        const u64 unit = ceil_div(offset - begin, kUnitBytes);
        if (offset < end && unit < kTileUnits) {
            atomicMax(&tile.strings[unit], (u32)(i - first_string));
        }
    }
    __syncthreads();
    // Units in which none begins have the same string as the unit before.
    const u32 lane = threadIdx.x % kWarpSize;
    const u32 warp = threadIdx.x / kWarpSize;
    u32 own[kUnitsAThread];
    u32 most = 0;
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
    for (u32 k = 0; k < kUnitsAThread; ++k) {
        tile.strings[threadIdx.x * kUnitsAThread + k] = max_of(before, own[k]);
    }
    __syncthreads();
}

// Copies the bytes. A block has tiles of the target, and a thread writes sixteen bytes at a time, of however many
// strings: so threads write neighbouring places, whether strings are short or long.
extern "C" __global__ void copy_strings(const Text from, const StringTarget to, u64 count) {
    ByteTile& tile = *(ByteTile*)shared_memory;
    const TextReader text(from);
    const u64 total = *to.total;
    const u64 tiles = ceil_div(total, kByteTile);
    for (u64 t = blockIdx.x; t < tiles; t += gridDim.x) {
        const u64 begin = t * kByteTile;
        const u64 end = min_of(begin + kByteTile, total);
        const u64 first_string = to.byte_tiles[t];
        find_unit_strings(to, begin, end, first_string, t + 1 < tiles ? to.byte_tiles[t + 1] : count - 1, tile);
        for (u32 unit = threadIdx.x; unit < kTileUnits && begin + unit * kUnitBytes < end; unit += kCopyThreads) {
            const u64 unit_begin = begin + unit * kUnitBytes;
            const u64 unit_end = min_of(unit_begin + kUnitBytes, end);
            u64 string = first_string + tile.strings[unit];
            SixteenBytes bytes;
            for (u64 at = unit_begin; at < unit_end; ++string) {
                const u64 string_end = min_of(to.offset(string + 1), unit_end);
                const u64 shift = to.sources[string] - to.offset(string);
                while (at < string_end) {
                    const u32 copied = (u32)min_of<u64>(string_end - at, kWordBytes);
                    bytes.add(text.raw_bytes(at + shift, string_end + shift), (u32)(at - unit_begin), copied);
                    at += copied;
                }
            }
            if (unit_end - unit_begin == kUnitBytes) {
                *(SixteenBytes*)(to.bytes + unit_begin) = bytes;
            } else {
                for (u32 k = 0; k < unit_end - unit_begin; ++k) {
                    to.bytes[unit_begin + k] = (u8)((k < kWordBytes ? bytes.low : bytes.high) >> 8 * (k % kWordBytes));
                }
            }
        }
        __syncthreads();
    }
}
