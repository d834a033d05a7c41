// Copies strings from any place of a text to any place of a tile in shared memory. A warp divides the strings of its
// lanes into units, which are 16 bytes of the tile, and gives each lane one unit after another. So all lanes have the
// same amount of work, whether the strings are short or long, and neighbouring lanes read neighbouring bytes.
#pragma once
#include "strings/parts/text.cuh"

struct alignas(16) Unit {
    u32 words[4];
};
constexpr u32 kUnitWords = sizeof(Unit) / sizeof(u32);
constexpr u32 kUnitBytes = sizeof(Unit);
constexpr u32 kAllBytes = (1u << kUnitBytes) - 1;

// Reads at random places wait for memory, so several reads of a lane wait together.
constexpr u32 kUnitsAtOnce = 2;

// The bytes of one string that lie in a tile; none if `begin` is `end`.
struct TilePart {
    u64 origin;  // address in the text that the first place of the tile stands for, if it were of this string
    u32 begin;   // places in the tile
    u32 end;
};

// A unit that has been read and will be written later.
struct ReadUnit {
    Unit low;  // Of the two, one without bytes of the unit is not read.
    Unit high;
    u32 skipped;  // bytes of `low` before those of the unit
    u32 place;    // the number of the unit in the tile
    u32 bytes;    // a bit for each of its bytes that is to be written
};

// Returns the 16 bytes that begin `skipped` bytes behind the first byte of two units, 0 to 15.
__device__ __forceinline__ Unit shifted(const Unit& low, const Unit& high, u32 skipped) {
    u32 words[2 * kUnitWords];
#pragma unroll
    for (u32 w = 0; w < kUnitWords; ++w) {
        words[w] = low.words[w];
        words[kUnitWords + w] = high.words[w];
    }
    // Registers cannot be indexed, so words move by two and then by one.
#pragma unroll
    for (u32 step = kUnitWords / 2; step != 0; step /= 2) {
#pragma unroll
        for (u32 w = 0; w + step < 2 * kUnitWords; ++w) {
            words[w] = (skipped / sizeof(u32) & step) != 0 ? words[w + step] : words[w];
        }
    }
    Unit unit;
#pragma unroll
    for (u32 w = 0; w < kUnitWords; ++w) {
        unit.words[w] = (u32)(((u64)words[w + 1] << 32 | words[w]) >> 8 * (skipped % sizeof(u32)));
    }
    return unit;
}

// Returns ones in the bytes of a word that the lowest four bits stand for.
__device__ __forceinline__ u32 byte_mask(u32 bits) { return ((bits & 0xf) * 0x00204081 & 0x01010101) * 0xff; }

// Writes the bytes of a unit. A unit with bytes of several strings starts as zeros, to which several lanes add their
// bytes.
__device__ __forceinline__ void write_unit(const ReadUnit& read, u32* tile) {
    const Unit unit = shifted(read.low, read.high, read.skipped);
    if (read.bytes == kAllBytes) {
        ((Unit*)tile)[read.place] = unit;
        return;
    }
#pragma unroll
    for (u32 w = 0; w < kUnitWords; ++w) {
        const u32 mask = byte_mask(read.bytes >> w * sizeof(u32));
        if (mask != 0) {
            atomicOr(&tile[read.place * kUnitWords + w], unit.words[w] & mask);
        }
    }
}

// Copies a part byte by byte if reads of whole units would reach beyond the text, where memory must not be read.
// Returns whether it has done so.
__device__ __forceinline__ bool copied_at_edge(const TextReader& text, const TilePart& part, u32* tile) {
    const u64 begin = (part.origin + part.begin) / kUnitBytes * kUnitBytes;
    const u64 end = ceil_div(part.origin + part.end, kUnitBytes) * kUnitBytes;
    const u64 bytes = (u64)text.text.bytes;
    if (begin >= bytes + text.text_begin && end <= bytes + text.text_end) {
        return false;
    }
#pragma unroll 1
    for (u32 at = part.begin; at < part.end; ++at) {
        const u32 byte = *(const u8*)(part.origin + at);
        atomicOr(&tile[at / sizeof(u32)], byte << 8 * (at % sizeof(u32)));
    }
    return true;
}

// Copies the parts of all lanes of a warp, whose memory in the tile is zero. All lanes of the warp call this.
__device__ __forceinline__ void copy_parts(const TextReader& text, const TilePart& own, u32* tile) {
    const u32 lane = threadIdx.x % kWarpSize;
    const u32 first = own.begin / kUnitBytes;
    const bool has_units = own.begin != own.end && !copied_at_edge(text, own, tile);
    const u32 own_units = has_units ? (own.end - 1) / kUnitBytes - first + 1 : 0;
    const u32 units = warp_inclusive_scan(own_units);
    const u32 all = __shfl_sync(kAllLanes, units, kWarpSize - 1);
    // The units of other lanes.
    const u32 first_place = first - (units - own_units);
    const u32 ends = own.begin | own.end << 16;
    for (u32 done = 0; done < all; done += kUnitsAtOnce * kWarpSize) {
        ReadUnit reads[kUnitsAtOnce];
#pragma unroll
        for (u32 k = 0; k < kUnitsAtOnce; ++k) {
            const u32 number = done + k * kWarpSize + lane;
            // The owner of the unit is the first lane that has more units up to its end.
            u32 owner = 0;
#pragma unroll
            for (u32 step = kWarpSize / 2; step != 0; step /= 2) {
                owner += __shfl_sync(kAllLanes, units, owner + step - 1) <= number ? step : 0;
            }
            const u64 origin = __shfl_sync(kAllLanes, own.origin, owner);
            const u32 ends_there = __shfl_sync(kAllLanes, ends, owner);
            const u32 place = number + __shfl_sync(kAllLanes, first_place, owner);
            const u32 begin = place * kUnitBytes;
            const u32 from = max_of(ends_there & 0xffff, begin) - begin;
            const u32 to = min_of(ends_there >> 16, begin + kUnitBytes) - begin;
            const u64 source = origin + begin;
            const Unit* aligned = (const Unit*)(source / kUnitBytes * kUnitBytes);
            ReadUnit& read = reads[k];
            read.skipped = (u32)source % kUnitBytes;
            read.place = place;
            read.bytes = number < all ? (1u << to) - (1u << from) : 0;
            if (number < all && read.skipped + from < kUnitBytes) {
                read.low = aligned[0];
            }
            if (number < all && read.skipped + to > kUnitBytes) {
                read.high = aligned[1];
            }
        }
#pragma unroll
        for (u32 k = 0; k < kUnitsAtOnce; ++k) {
            write_unit(reads[k], tile);
        }
    }
}
