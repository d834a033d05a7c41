// The scatter of a chunk of an array that is sorted in place: its elements move to the pages of their buckets.
#pragma once
#include "parts/scatter_tiles.cuh"
#include "parts/to_pages.cuh"

// The tiles of a chunk by their numbers, for one block: each block takes the next tile that none has taken, so that
// pages become free in the order of reading, even if blocks differ in speed. After the first two tiles, ToPages takes
// the tickets.
class TicketSlots {
  public:
    __device__ TicketSlots(const Pass& pass, const PageStore& store) : pass_(pass), number_(0) {
        const ScatterShared shared;
        if (threadIdx.x == 0) {
            shared.tickets[0] = atomicAdd(store.tickets, 1u);
            shared.tickets[1] = atomicAdd(store.tickets, 1u);
        }
        __syncthreads();
    }

    // Finds the next tile; returns false if there are no more.
    __device__ bool next(Tile& tile) {
        const u32 ticket = ScatterShared().tickets[number_];
        const u64 begin = (u64)ticket * kTileSize;
        number_ = 1;
        if (begin >= pass_.element_count) {
            return false;
        }
        tile.segment = 0;
        tile.begin = ticket;
        tile.count = (u32)min_of<u64>(kTileSize, pass_.element_count - begin);
        return true;
    }

  private:
    const Pass& pass_;
    u32 number_;  // 0 for the first tile, 1 for all others
};

extern "C" __global__ void __launch_bounds__(kDistributionThreads, kDistributionBlocks)
    scatter_to_pages(ElementArray array, Pages pages, PageStore store, Pass pass, u64 first_page) {
    follow_previous_kernel();
    TicketSlots slots(pass, store);
    scatter_tiles(FromChunk{array, pages, store, (u32)first_page}, ToPages{array, pages, store}, pass, slots);
}

// The scatter of segments that lie in pages, by blocks that take `share` tiles each. It ends after the previous kernel,
// so whatever follows it also follows that one.
extern "C" __global__ void __launch_bounds__(kDistributionThreads, kDistributionBlocks)
    scatter_from_pages(ElementArray array, Pages pages, ElementArray out, Pass pass, u64 share) {
    allow_next_kernel();
    TileSlots slots(pass, blockIdx.x, gridDim.x, share);
    scatter_tiles(FromPages{array, pages}, ToRoom{{out}}, pass, slots);
    wait_for_previous_kernel();
}
