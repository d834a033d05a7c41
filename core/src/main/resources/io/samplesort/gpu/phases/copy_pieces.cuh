// Copies pieces of buckets into the memory of other GPUs, by stores over the link: all pieces of a group of buckets by
// one launch, beside the sort of the group before. A piece has any length and lies anywhere, so pieces are divided into
// chunks, which blocks take in turn.
#pragma once

struct Piece {
    u64 first_chunk;              // how many chunks the pieces before it have
    const unsigned char* source;
    unsigned char* target;
    u64 bytes;                    // at least one
};

// A chunk of a piece is what lies in so many bytes of the target, which begin at a multiple of the largest unit.
constexpr u32 kPieceUnit = sizeof(uint4);
constexpr u32 kPieceChunk = kPieceThreads * kPieceItems * kPieceUnit;

// So many blocks shall have room on a multiprocessor, that is, two in the place of a block of the scatter.
constexpr int kPieceBlocks = 4;

// Copies whole units. All loads of a thread are on their way before its first store, but for the last ones of a piece.
template <typename Unit>
__device__ __forceinline__ void copy_units(const unsigned char* source, unsigned char* target, u32 bytes) {
    constexpr u32 kTile = kPieceThreads * kPieceItems;
    const Unit* from = (const Unit*)source + threadIdx.x;
    Unit* to = (Unit*)target + threadIdx.x;
    u32 left = bytes / (u32)sizeof(Unit);
#pragma unroll 1
    for (; left >= kTile; left -= kTile, from += kTile, to += kTile) {
        Unit values[kPieceItems];
#pragma unroll
        for (int i = 0; i < kPieceItems; ++i) {
            values[i] = from[i * kPieceThreads];
        }
#pragma unroll
        for (int i = 0; i < kPieceItems; ++i) {
            to[i * kPieceThreads] = values[i];
        }
    }
#pragma unroll 1
    for (u32 unit = threadIdx.x; unit < left; unit += kPieceThreads) {
        *to = *from;
        from += kPieceThreads;
        to += kPieceThreads;
    }
}

// Copies whole units of the target, by the largest ones that are whole units of the source, too.
__device__ __forceinline__ void copy_aligned(const unsigned char* source, unsigned char* target, u32 bytes) {
    const u32 offset = ((u32)(u64)source - (u32)(u64)target) % kPieceUnit;
    if (offset == 0) {
        copy_units<uint4>(source, target, bytes);
    } else if (offset % sizeof(u64) == 0) {
        copy_units<u64>(source, target, bytes);
    } else if (offset % sizeof(u32) == 0) {
        copy_units<u32>(source, target, bytes);
    } else if (offset % sizeof(u16) == 0) {
        copy_units<u16>(source, target, bytes);
    } else {
        copy_units<u8>(source, target, bytes);
    }
}

// Copies a chunk of a piece: what lies before the first whole unit and behind the last one byte by byte.
__device__ __forceinline__ void copy_chunk(const Piece& piece, u64 chunk) {
    const u64 target = (u64)piece.target;
    const u64 chunk_begin = target / kPieceUnit * kPieceUnit + chunk * kPieceChunk;
    const u64 begin = max_of(target, chunk_begin);
    const u64 end = min_of(target + piece.bytes, chunk_begin + kPieceChunk);
    const u64 aligned_begin = min_of((begin + kPieceUnit - 1) / kPieceUnit * kPieceUnit, end);
    const u64 aligned_end = max_of(end / kPieceUnit * kPieceUnit, aligned_begin);
    const unsigned char* source = piece.source;
    const u32 head = (u32)(aligned_begin - begin);
    if (threadIdx.x < head) {
        const u64 at = begin - target + threadIdx.x;
        piece.target[at] = source[at];
    }
    const u32 tail = (u32)(end - aligned_end);
    if (threadIdx.x < tail) {
        const u64 at = aligned_end - target + threadIdx.x;
        piece.target[at] = source[at];
    }
    copy_aligned(
        source + (aligned_begin - target), (unsigned char*)aligned_begin, (u32)(aligned_end - aligned_begin));
}

// At least one piece; `chunk_count` is that of all of them.
extern "C" __global__ void __launch_bounds__(kPieceThreads, kPieceBlocks) copy_pieces(
    const Piece* pieces, u64 piece_count, u64 chunk_count) {
    for (u64 chunk = blockIdx.x; chunk < chunk_count; chunk += gridDim.x) {
        // The last piece whose first chunk is not behind this one.
        u64 low = 0;
        u64 high = piece_count;
        while (high - low > 1) {
            const u64 middle = (low + high) / 2;
            if (pieces[middle].first_chunk <= chunk) {
                low = middle;
            } else {
                high = middle;
            }
        }
        const Piece piece = pieces[low];
        copy_chunk(piece, chunk - piece.first_chunk);
    }
}
