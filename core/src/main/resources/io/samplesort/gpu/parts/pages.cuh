// The pages of an array that is sorted in place. Its first pass has no second array to write to: it writes to memory that
// has been read by then (page_store.cuh). So a bucket is a list of pages that may lie anywhere.
//
// A page has whole tiles, so each tile that is read lies in one page, and what a tile has of a bucket goes to two pages
// at most.
#pragma once
#include "parts/bucket_order.cuh"

// Which pages are read, one after another, and where pages lie. They are numbered through: those of the array come
// first, and then those of memory beside it.
//
// The host writes all fields as eight bytes each, by the same names (KernelStructs.Pages).
struct Pages {
    const u32* list;           // the pages in the order in which they are read
    u64 log_tiles;             // log2 of how many tiles a page has
    u64 array_pages;           // pages of the array, the last of which may be shorter
    Key* beside_keys;          // where page 0 would lie if those beside the array went on downwards
    Payload* beside_payloads;

    __device__ __forceinline__ u64 page_size() const { return (u64)kTileSize << log_tiles; }

    // Returns where an element lies, by its place in the order of reading.
    __device__ __forceinline__ u64 find(u64 place) const {
        const u32 tile = (u32)(place / kTileSize);
        const u32 in_page = tile & ((1u << log_tiles) - 1);
        return (((u64)list[tile >> log_tiles] << log_tiles) + in_page) * kTileSize + place % kTileSize;
    }

    // Returns the array that a page lies in which has this place.
    __device__ __forceinline__ ElementArray array_of(const ElementArray& array, u64 place) const {
        return place < array_pages * page_size() ? array : ElementArray{beside_keys, beside_payloads};
    }
};

// Elements of a pass that lie in pages. The places of the pass are those in the order of reading.
struct FromPages {
    const ElementArray& array;
    const Pages& pages;

    __device__ __forceinline__ u64 begin(const Tile& tile) const { return pages.find(tile.begin); }

    __device__ __forceinline__ void load(
        const Pass& pass, const Tile& tile, u64 begin, Element (&elements)[kDistributionItems]) const {
        const Tile placed{tile.segment, begin, tile.count};
        load_tile(pages.array_of(array, begin), pass, placed, elements);
    }

    // Says that all elements of a tile have been loaded.
    __device__ __forceinline__ void release(const Tile&) const {}
};

// The room of a region, which the small sort of the region before reads until it has ended. So a pass that writes there
// begins beside that sort, and waits for its end before it writes.
struct ToRoom {
    static constexpr bool kHasRooms = true;

    const ToArray room;

    template <u32 kShare>
    using Outlook = ToArray::Outlook<kShare>;

    template <u32 kShare>
    __device__ __forceinline__ Outlook<kShare> look_ahead(const Pass&) const { return {}; }

    template <typename Shared, u32 kShare>
    __device__ __forceinline__ void publish(
        const Shared& shared, const Pass& pass, const u64 (&places)[kShare], const Outlook<kShare>& outlook) const {
        room.publish(shared, pass, places, outlook);
    }

    __device__ __forceinline__ void write(const ScatterShared& shared) const {
        wait_for_previous_kernel();
        room.write(shared);
    }

    __device__ __forceinline__ void copy(
        const Pass& pass, const Tile& tile, u8 kind, const Element (&elements)[kDistributionItems]) const {
        wait_for_previous_kernel();
        room.copy(pass, tile, kind, elements);
    }
};
