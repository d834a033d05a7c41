// The pages of an array that is sorted in place. Its first pass has no second array to write to: it writes to memory
// that has been read by then (page_store.cuh). So a bucket is a list of pages that may lie anywhere.
//
// A page has whole tiles, so each tile that is read lies in one page, and the elements of a tile for one bucket go to
// at most two pages.
#pragma once
#include "parts/bucket_order.cuh"

// Whether pairs lie in pages as whole elements, so that runs of them are twice as long.
constexpr bool kPagesHoldPairs = kMovesPairs && sizeof(Key) == sizeof(Payload);

// The elements of a tile of a page. If pages hold pairs, the first half of them lies where the keys of the tile would
// lie, and the second half where its payloads would.
struct PageTile {
    static constexpr u32 kHalf = kTileSize / 2;

    ElementArray columns;  // from the first element of the tile on

    __device__ __forceinline__ Element load(u32 index) const {
        if constexpr (kPagesHoldPairs) {
            return *whole(index);
        }
        return columns.load_ordered(index);
    }

    __device__ __forceinline__ void store(u32 index, const Element& element) const {
        if constexpr (kPagesHoldPairs) {
            *whole(index) = element;
        } else {
            columns.store_ordered(index, element);
        }
    }

    __device__ __forceinline__ OrderedKey key(u32 index) const {
        if constexpr (kPagesHoldPairs) {
            return (OrderedKey)whole(index)->key;
        }
        return columns.key(index, true);
    }

  private:
    __device__ __forceinline__ Element* whole(u32 index) const {
        return index < kHalf ? (Element*)columns.keys + index : (Element*)columns.payloads + (index - kHalf);
    }
};

// The pages that are read, one after another, and where pages lie. All pages are numbered: those of the array come
// first, and then those outside it.
//
// The host writes all fields as eight bytes each, by the same names (KernelStructs.Pages).
struct Pages {
    const u32* list;   // the pages in the order in which they are read
    u64 log_tiles;     // log2 of how many tiles a page has
    u64 array_pages;   // pages of the array, the last of which may be shorter
    Key* beside_keys;  // where page 0 would lie if those outside the array went on downwards
    Payload* beside_payloads;

    __device__ __forceinline__ u64 page_size() const { return (u64)kTileSize << log_tiles; }

    // Returns the tile at this place in the order of reading, as a number through all pages.
    __device__ __forceinline__ u32 find_tile(u64 place) const {
        const u32 tile = (u32)(place / kTileSize);
        return (list[tile >> log_tiles] << log_tiles) + (tile & ((1u << log_tiles) - 1));
    }

    // Returns the address of the first key of a page.
    __device__ __forceinline__ u64 key_address(const ElementArray& array, u32 page) const {
        return (u64)(columns(array, page >= array_pages).keys + page * page_size());
    }

    // Stores an element in a page.
    __device__ __forceinline__ void store(
        const ElementArray& array, u32 page, u32 in_page, const Element& element) const {
        if constexpr (kPagesHoldPairs) {
            const u32 tile_in_page = in_page / kTileSize;
            tile(array, (page << log_tiles) + tile_in_page).store(in_page - tile_in_page * kTileSize, element);
        } else {
            columns(array, page >= array_pages).store_ordered(page * page_size() + in_page, element);
        }
    }

    // Returns the elements of a tile.
    __device__ __forceinline__ PageTile tile(const ElementArray& array, u32 number) const {
        const bool is_beside = number >> log_tiles >= array_pages;
        return PageTile{columns(array, is_beside).from((u64)number * kTileSize)};
    }

  private:
    __device__ __forceinline__ ElementArray columns(const ElementArray& array, bool is_beside) const {
        return is_beside ? ElementArray{beside_keys, beside_payloads} : array;
    }
};

// Elements of a pass that lie in pages. The places of the pass follow the order of reading.
struct FromPages {
    const ElementArray& array;
    const Pages& pages;

    __device__ __forceinline__ u64 begin(const Tile& tile) const { return pages.find_tile(tile.begin); }

    __device__ __forceinline__ void load(
        const Pass&, const Tile& tile, u64 begin, Element (&elements)[kDistributionItems]) const {
        const PageTile source = pages.tile(array, (u32)begin);
        load_tile(Tile{tile.segment, 0, tile.count}, elements, [&](u64 base, u32 offset) {
            return source.load((u32)base + offset);
        });
    }

    // The keys in pages are ready to be compared.
    __device__ __forceinline__ void order(const Pass&, Element (&)[kDistributionItems]) const {}

    // These pages are not written while others are read.
    __device__ __forceinline__ u32 count_loaded(const Tile&) const { return 0; }
    __device__ __forceinline__ void release(const Tile&, u32) const {}
};

// The room of a region. The small sort of the previous region reads from it until it has ended. So a pass that writes
// there begins during that sort, and waits for its end before it writes.
struct ToRoom {
    static constexpr bool kHasRooms = true;

    const ToArray room;

    template <u32 kShare>
    using Outlook = ToArray::Outlook<kShare>;
    using Begun = ToArray::Begun;

    template <u32 kShare>
    __device__ __forceinline__ Outlook<kShare> look_ahead(const Pass&) const {
        return {};
    }

    template <typename Shared, u32 kShare>
    __device__ __forceinline__ Begun
    publish(const Shared& shared, const Pass& pass, const u64 (&places)[kShare], const Outlook<kShare>& outlook) const {
        return room.publish(shared, pass, places, outlook);
    }

    __device__ __forceinline__ void write(const ScatterShared& shared, const Begun& begun) const {
        wait_for_previous_kernel();
        room.write(shared, begun);
    }

    __device__ __forceinline__ void copy(
        const Pass& pass, const Tile& tile, u8 kind, const Element (&elements)[kDistributionItems]) const {
        wait_for_previous_kernel();
        room.copy(pass, tile, kind, elements);
    }
};
