// Moves pieces of columns from place to place in device memory. A sort in place has hundreds of pieces to move at a
// time, too many for a copy of the driver each.
//
// All pieces together are cut into tiles, and each block takes a run of tiles. So the blocks have equally much to do,
// however long the pieces are.
#pragma once

// `count` elements go from `source` on to `target` on. Places are numbers of elements.
struct PieceMove {
    u64 source;
    u64 target;
    u64 count;
    u64 first_tile;  // how many tiles the pieces before this one have
};

// A column of the elements, and where it goes.
struct MovedColumn {
    const unsigned char* from;
    unsigned char* to;
    u64 element_bytes;
};

// Copies `bytes` bytes in units that divide them and both addresses. All loads of a thread are on their way before its
// first store.
template <typename Unit>
__device__ __forceinline__ void move_units(const unsigned char* from, unsigned char* to, u64 bytes) {
    constexpr u32 kItems = sizeof(Unit) < 4 ? kMoveBytes / 4 : kMoveBytes / sizeof(Unit);
    const u32 count = (u32)(bytes / sizeof(Unit));
    for (u32 first = threadIdx.x; first < count; first += kMoveThreads * kItems) {
        const Unit* source = (const Unit*)from + first;
        Unit* target = (Unit*)to + first;
        const u32 last = (count - 1 - first) / kMoveThreads;
        Unit units[kItems];
        // Past the end the thread's last unit stands in: with a branch around each load the compiler takes three times
        // the registers.
#pragma unroll
        for (u32 i = 0; i < kItems; ++i) {
            units[i] = source[min_of(i, last) * kMoveThreads];
        }
#pragma unroll
        for (u32 i = 0; i < kItems; ++i) {
            if (i <= last) {
                target[i * kMoveThreads] = units[i];
            }
        }
    }
}

__device__ __forceinline__ void move_tile(const unsigned char* from, unsigned char* to, u64 bytes) {
    const u64 all = (u64)from | (u64)to | bytes;
    if (all % 16 == 0) {
        move_units<uint4>(from, to, bytes);
    } else if (all % 8 == 0) {
        move_units<u64>(from, to, bytes);
    } else if (all % 4 == 0) {
        move_units<u32>(from, to, bytes);
    } else if (all % 2 == 0) {
        move_units<u16>(from, to, bytes);
    } else {
        move_units<u8>(from, to, bytes);
    }
}

// `moves` are in the order of their tiles, and `tile_size` is in elements. No target overlaps a source or another
// target. `second.element_bytes` is 0 where there is one column.
extern "C" __global__ void __launch_bounds__(kMoveThreads) move_pieces(
    const PieceMove* moves, u64 move_count, u64 tile_count, u64 tile_size, MovedColumn first, MovedColumn second) {
    u64 tile = tile_count * blockIdx.x / gridDim.x;
    const u64 end = tile_count * (blockIdx.x + 1) / gridDim.x;
    u64 low = 0;
    u64 high = move_count;
    while (high - low > 1) {
        const u64 middle = (low + high) / 2;
        if (moves[middle].first_tile <= tile) {
            low = middle;
        } else {
            high = middle;
        }
    }
    for (; tile < end; ++tile) {
        while (low + 1 < move_count && moves[low + 1].first_tile <= tile) {
            ++low;
        }
        const PieceMove move = moves[low];
        const u64 skipped = (tile - move.first_tile) * tile_size;
        const u64 count = min_of(tile_size, move.count - skipped);
#pragma unroll 1
        for (u32 c = 0; c < 2; ++c) {
            const MovedColumn column = c == 0 ? first : second;
            move_tile(
                column.from + (move.source + skipped) * column.element_bytes,
                column.to + (move.target + skipped) * column.element_bytes, count * column.element_bytes);
        }
    }
}
