// How elements move to their buckets if equal keys keep their order. The ranks within a tile follow the order of its
// positions, and the parts of a bucket from different tiles follow the order of the tiles. So no atomic decides where
// an element goes.
#pragma once
#include "parts/bucket_order.cuh"
#include "parts/ordered_ranks.cuh"
#include "parts/tile_chain.cuh"

struct StableScatterShared : ScatterShared {
    u16* counters;       // for each warp
    u32* lanes;          // for each warp; where the tile will be put in order, if there is room
    ChainedTile* tiles;  // two, used in turn: the current one and the next

    static constexpr u32 kCounters = ScatterShared::kBytes;
    static constexpr u32 kTiles = kCounters + kOrderedCounterBytes;
    static constexpr u32 kTilesEnd = kTiles + 2 * sizeof(ChainedTile);
    static constexpr bool kLanesAreApart = kOrderedLaneBytes > kFirstRow;
    static constexpr u32 kBytes = kTilesEnd + (kLanesAreApart ? kOrderedLaneBytes : 0);

    __device__ StableScatterShared() {
        counters = (u16*)(shared_memory + kCounters);
        tiles = (ChainedTile*)(shared_memory + kTiles);
        lanes = (u32*)(shared_memory + (kLanesAreApart ? kTilesEnd : 0));
    }
};

// Scatters the tile whose elements are in registers. `next` becomes the tile of `ticket`, and load_next() loads its
// elements.
//
// This takes five barriers for each tile, one more than the scatter that keeps no order.
template <typename Source, typename Target, typename LoadNext>
__device__ __forceinline__ void scatter_in_order(
    const StableScatterShared& shared, const Source& in, const Target& out, const Pass& pass, const TileChain& chain,
    const ChainedTile& tile, bool with_equality_buckets, Element (&elements)[kDistributionItems], u32 ticket,
    ChainedTile& next, const LoadNext& load_next) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    u32 buckets[kDistributionItems];
    find_tile_buckets(shared, pass, with_equality_buckets, elements, buckets);
    if (tile.count != kTileSize) {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            buckets[i] = first_position() + i * kPositionStep < tile.count ? buckets[i] : bucket_count;
        }
    }
    // The previous tile has been written, but other threads may still be reading it.
    __syncthreads();
    const WarpRanks ranks(shared.counters, shared.lanes, bucket_count);
    rank_in_order(ranks, buckets);
    __syncthreads();
    show_tile(pass, ticket, tile.segment, next);
    for (u32 row = threadIdx.x; row < kRows; row += kDistributionThreads) {
        shared.rows[row].starts = 0;
    }
    const u32 share = (bucket_count + kDistributionThreads - 1) / kDistributionThreads;
    const u32 first = thread_again() * share;
    u32 counts[kBucketShare];
    u32 sum = 0;
#pragma unroll
    for (u32 i = 0; i < kBucketShare; ++i) {
        counts[i] = 0;
        if (i < share && first + i < bucket_count) {
            counts[i] = sum_of_warps(shared.counters, first + i);
            chain.tell_count(tile.slot, tile.tiles_before == 0, first + i, counts[i]);
            sum += counts[i] != 0 ? count_with_number(counts[i]) : 0;
        }
    }
    find_starts(shared, tile, bucket_count, share, first, counts, sum);
#pragma unroll
    for (u32 i = 0; i < kBucketShare; ++i) {
        if (i < share && first + i < bucket_count) {
            begin_warps(shared.counters, first + i, shared.starts[first + i]);
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        buckets[i] = ranks.counters[buckets[i] % (1u << kRankShift)] + (buckets[i] >> kRankShift);
    }
    if (tile.count != kTileSize) {
#pragma unroll
        for (int i = 0; i < kDistributionItems; ++i) {
            // Elements past the end stay there.
            const u32 position = first_position() + i * kPositionStep;
            buckets[i] = position < tile.count ? buckets[i] : position;
        }
    }
#pragma unroll
    for (int i = 0; i < kDistributionItems; ++i) {
        shared.elements[buckets[i]] = elements[i];
    }
    const auto outlook = out.template look_ahead<kBucketShare>(pass);
    load_next();
    const u64 first_bucket = (u64)tile.segment << pass.log_bucket_count;
    u64 places[kBucketShare];
#pragma unroll
    for (u32 i = 0; i < kBucketShare; ++i) {
        if (i < share && first + i < bucket_count) {
            const u64 bucket = first_bucket + first + i;
            places[i] =
                pass.bucket_begins[bucket] + chain.count_before(tile.slot, tile.tiles_before, first + i, counts[i]);
            if (tile.is_last) {
                // scan_counts reads the sizes of the buckets here.
                pass.write_positions[bucket] = places[i] + counts[i];
            }
        }
    }
    const auto begun = out.publish(shared, pass, places, outlook);
    const u32 loaded_before = in.count_loaded(tile);
    out.write(shared, begun);
    in.release(tile, loaded_before);
}

// Moves all elements of the segments of a pass.
template <typename Source, typename Target>
__device__ __forceinline__ void scatter_tiles_in_order(
    const Source& in, const Target& out, const Pass& pass, u32* tickets, void* tile_words) {
    const StableScatterShared shared;
    const TileChain chain(pass, tile_words);
    Element elements[kDistributionItems];
    u32 segment = ~0u;
    u32 turn = 0;
    show_tile(pass, take_ticket(pass, tickets), 0, shared.tiles[turn]);
    __syncthreads();
    if (shared.tiles[turn].exists && shared.tiles[turn].count != 0) {
        in.load(pass, shared.tiles[turn], in.begin(shared.tiles[turn]), elements);
    }
    for (; shared.tiles[turn].exists; turn ^= 1) {
        const u32 ticket = take_ticket(pass, tickets);
        const ChainedTile& tile = shared.tiles[turn];
        ChainedTile& next = shared.tiles[turn ^ 1];
        if (tile.segment != segment) {
            segment = tile.segment;
            load_segment<Target::kHasRooms>(shared, pass, segment);
            __syncthreads();
        }
        in.order(pass, elements);
        // The kind is read again for each tile, to keep registers free for elements.
        const u8 kind = pass.segment_kinds[segment];
        const auto load_next = [&]() {
            if (next.exists && next.count != 0) {
                in.load(pass, next, in.begin(next), elements);
            }
        };
        if (kind >= kCopy || tile.count == 0) {
            out.copy(pass, tile, kind, elements);
            show_tile(pass, ticket, tile.segment, next);
            __syncthreads();
            load_next();
        } else {
            scatter_in_order(
                shared, in, out, pass, chain, tile, kind == kDistributeWithEqualityBuckets, elements, ticket, next,
                load_next);
        }
    }
}
