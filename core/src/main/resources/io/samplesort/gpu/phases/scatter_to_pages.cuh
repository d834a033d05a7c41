// The scatter of a chunk of an array that is sorted in place: its elements move to the pages of their buckets.
#pragma once
#include "parts/page_store.cuh"
#include "parts/scatter_tiles.cuh"

// The tiles of a chunk, for one block: each takes the next one that nobody has taken, so that pages become free in the
// order of reading, whatever blocks are fast. The block has room for two tickets in shared memory. One thread takes
// tickets, two tiles ahead, so that nobody waits for the atomic.
class TicketSlots {
  public:
    __device__ TicketSlots(const Pass& pass, u32* tickets, u32* shown)
        : pass_(pass), tickets_(tickets), shown_(shown), turn_(0), ahead_(0) {
        if (threadIdx.x == 0) {
            shown_[0] = atomicAdd(tickets_, 1u);
            ahead_ = atomicAdd(tickets_, 1u);
        }
        __syncthreads();
    }

    // Finds the next tile; returns false if there are no more. A barrier has to come between two calls.
    __device__ bool next(Tile& tile) {
        const u64 begin = (u64)shown_[turn_] * kTileSize;
        turn_ ^= 1;
        if (threadIdx.x == 0) {
            shown_[turn_] = ahead_;
            ahead_ = atomicAdd(tickets_, 1u);
        }
        if (begin >= pass_.element_count) {
            return false;
        }
        tile.segment = 0;
        tile.begin = begin;
        tile.count = (u32)min_of<u64>(kTileSize, pass_.element_count - begin);
        return true;
    }

  private:
    const Pass& pass_;
    u32* tickets_;
    u32* shown_;
    u32 turn_;
    u32 ahead_;  // of the one thread
};

extern "C" __global__ void __launch_bounds__(kDistributionThreads, kDistributionBlocks) scatter_to_pages(
    ElementArray array, Pages pages, PageStore store, Pass pass, u64 first_page) {
    follow_previous_kernel();
    TicketSlots slots(pass, store.tickets, ScatterShared().tickets);
    scatter_tiles(FromChunk{array, pages, store, (u32)first_page}, ToPages{array, pages, store}, pass, slots);
}

// The scatter of segments that lie in pages.
extern "C" __global__ void __launch_bounds__(kDistributionThreads, kDistributionBlocks) scatter_from_pages(
    ElementArray array, Pages pages, ElementArray out, Pass pass) {
    allow_next_kernel();
    TileSlots slots(pass, blockIdx.x, gridDim.x);
    scatter_tiles(FromPages{array, pages}, ToArray{out}, pass, slots);
}
