// Keeps the first element of each run of equal neighbours, and tells where these runs begin or how many elements they
// have. Each element is read once, and each that is kept is written once.
#pragma once
#include "parts/tile_places.cuh"
#include "parts/user_indexes.cuh"

// What is written about runs.
constexpr u64 kNoRuns = 0;
constexpr u64 kRunBegins = 1;  // and, behind them, the number of elements
constexpr u64 kRunCounts = 2;

struct RunNumbers {
    u8* numbers;
    u64 number_bytes;
    u64 kind;
    u64 room;

    __device__ __forceinline__ void store(u64 place, u64 number) const {
        if (place < room) {
            store_index(numbers, number_bytes, place, number);
        }
    }
};

// Writes what is known about the runs that begin in a tile: their begins, or the sizes of those before them.
// `run_before` is where the last run before the tile begins.
__device__ __forceinline__ void write_numbers(
    const RunNumbers& numbers, u64 tile_begin, const u16* places, u32 kept, u64 to, u64 run_before) {
    for (u32 i = threadIdx.x; i < kept; i += kSortedThreads) {
        const u64 begin = tile_begin + places[i];
        if (numbers.kind == kRunBegins) {
            numbers.store(to + i, begin);
        } else if (to + i != 0) {
            numbers.store(to + i - 1, begin - (i == 0 ? run_before : tile_begin + places[i - 1]));
        }
    }
}

// `room` is that for elements, and that in `numbers` for numbers.
extern "C" __global__ void __launch_bounds__(kSortedThreads, kRunBlocks) keep_first(
    SortedColumns columns, u64 count, u64 room, unsigned char* numbers, u64 number_bytes, u64 kind, u64 number_room,
    u64* words, SortedProgress* progress) {
    const Elements elements{columns.columns[0].first};
    const u64 number = take_tile(progress);
    const u64 tile_begin = number * kSortedTile;
    const u32 tile_count = (u32)min_of<u64>(kSortedTile, count - tile_begin);
    // The element before the tile is loaded with it.
    const u32 lead = number == 0 ? 0 : 1;
    const u64 loaded_begin = tile_begin - lead;
    const SortedTile tile(elements.from(loaded_begin), lead + tile_count, elements, 0);
    const u32 begin = min_of(threadIdx.x * kSortedItems, tile_count);
    u32 mask = 0;
    MovedElement moved[kSortedItems];
    ComparedKey before;
    if (begin + lead != 0 && begin < tile_count) {
        before = tile.a[begin + lead - 1];
    }
#pragma unroll
    for (u32 i = 0; i < kSortedItems; ++i) {
        const u32 place = begin + i + lead;
        mask *= 2;
        if (begin + i < tile_count) {
            const LoadedElement loaded = tile.a.load(place);
            mask += place == 0 || less(before, loaded.key) || less(loaded.key, before) ? 1 : 0;
            before = loaded.key;
            moved[i] = loaded.moved;
        }
    }
    SortedScratch& scratch = sorted_scratch();
    const bool is_last = number + 1 == gridDim.x;
    const auto next_place = [&](u32 i) { return begin + i + lead; };
    const bool needs_places = kind != kNoRuns || columns.needs_places();
    const u32 kept = list_kept(columns, words, number, moved, mask, needs_places, next_place, [&](u32 all_kept) {
        // The element before the tile belongs to the last run before it.
        if (threadIdx.x % kWarpSize == 0) {
            const bool is_asked = kind == kRunCounts && number != 0 && (all_kept != 0 || is_last);
            scratch.run = is_asked ? run_begin(elements, tile_begin - 1) : 0;
        }
    });
    const u64 place = scratch.place;
    const u16* places = tile_places();
    if (kind != kNoRuns) {
        const RunNumbers told{numbers, number_bytes, kind, number_room};
        write_numbers(told, loaded_begin, places, kept, place, scratch.run);
        if (is_last && threadIdx.x == 0) {
            const u64 total = place + kept;
            if (kind == kRunBegins) {
                told.store(total, count);
            } else {
                told.store(total - 1, count - (kept == 0 ? scratch.run : loaded_begin + places[kept - 1]));
            }
        }
    }
    if (is_last && threadIdx.x == 0) {
        progress->total = place + kept;
    }
    write_kept(columns, tile, loaded_begin, 0, within_room(place, kept, room), place);
}
