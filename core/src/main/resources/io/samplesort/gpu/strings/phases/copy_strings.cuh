// The bytes of strings in another order.
#pragma once
#include "strings/parts/byte_pieces.cuh"

// A thread copies a string of at most so many bytes alone, and a warp together what is longer. The pieces of a warp
// have an odd number of words, so that its lanes write to different banks of shared memory.
constexpr u32 kAloneBytes = 128;
constexpr u32 kPieceBytes = 17 * sizeof(u32);

// Reads at random places wait for memory, so many threads wait at once.
constexpr u32 kCopyBlocks = 4;

constexpr u32 kCopySharedBytes = kByteTile;

// Copies the pieces of those lanes that have long ones, one after another. All lanes of a warp call this.
__device__ __forceinline__ void copy_long_pieces(const TextReader& text, const Piece& piece, u32* tile) {
    const u32 lane = threadIdx.x % kWarpSize;
    for (u32 left = __ballot_sync(kAllLanes, piece.length > kAloneBytes); left != 0; left &= left - 1) {
        const int served = __ffs((int)left) - 1;
        const u64 source = __shfl_sync(kAllLanes, piece.source, served);
        const u32 place = __shfl_sync(kAllLanes, piece.place, served);
        const u32 length = __shfl_sync(kAllLanes, piece.length, served);
        for (u32 at = lane * kPieceBytes; at < length; at += kWarpSize * kPieceBytes) {
            copy_piece(text, Piece{source + at, place + at, min_of(kPieceBytes, length - at)}, tile);
        }
    }
}

// Copies the bytes. A block has tiles of the target, which it puts together in shared memory.
extern "C" __global__ void __launch_bounds__(kCopyThreads, kCopyBlocks) copy_strings(
    const Text from, const StringTarget to, u64 count) {
    u32* tile = (u32*)shared_memory;
    const TextReader text(from);
    const u64 total = *to.total;
    const u64 tiles = ceil_div(total, kByteTile);
    const u32 lane = threadIdx.x % kWarpSize;
    for (u64 t = blockIdx.x; t < tiles; t += gridDim.x) {
        const u64 begin = t * kByteTile;
        const u64 end = min_of(begin + kByteTile, total);
        const u64 first = to.byte_tiles[t];
        const u64 last = t + 1 < tiles ? to.byte_tiles[t + 1] : count - 1;
        for (u32 w = threadIdx.x; w < kByteTile / sizeof(u64); w += kCopyThreads) {
            ((u64*)tile)[w] = 0;
        }
        __syncthreads();
        for (u64 i = first + threadIdx.x; i - lane <= last; i += kCopyThreads) {
            Piece piece{};
            if (i <= last) {
                const u64 offset = to.offset(i);
                const u64 string_begin = max_of(offset, begin);
                const u64 string_end = min_of(to.offset(i + 1), end);
                if (string_begin < string_end) {
                    piece.source = to.sources[i] + (string_begin - offset);
                    piece.place = (u32)(string_begin - begin);
                    piece.length = (u32)(string_end - string_begin);
                }
            }
            if (piece.length <= kAloneBytes) {
                copy_piece(text, piece, tile);
            }
            __syncwarp();
            copy_long_pieces(text, piece, tile);
        }
        __syncthreads();
        const u32 bytes = (u32)(end - begin);
        for (u32 w = threadIdx.x; w < bytes / sizeof(u64); w += kCopyThreads) {
            ((u64*)(to.bytes + begin))[w] = ((const u64*)tile)[w];
        }
        if (threadIdx.x < bytes % sizeof(u64)) {
            const u32 at = bytes - bytes % sizeof(u64) + threadIdx.x;
            to.bytes[begin + at] = ((const u8*)tile)[at];
        }
        __syncthreads();
    }
}
