// Cuts of two sorted arrays where the tiles of their merge begin (merge_path.cuh), and the parts of a tile that threads
// merge.
//
// Set operations pair the r-th of equal elements of the first array with the r-th of the second, so their cuts are
// moved to where no pair is cut, and where what comes before has as many of both as it can (balanced path: Green,
// McColl, Bader 2012). So each tile and each part can be combined by itself.
//
// Cuts of arrays that are not sorted, or of an order that contradicts itself, may not fit together. Then the elements
// of the first array come before those of the second, so that none is lost.
#pragma once
#include "parts/merge_path.cuh"
#include "parts/run_search.cuh"
#include "parts/sorted_tile.cuh"

// A place in both arrays.
template <typename Index>
struct CutOf {
    Index a;
    Index b;

    // Whether a part of at most this many elements ends at another cut.
    __device__ __forceinline__ bool fits(const CutOf& end, Index most) const {
        return a <= end.a && b <= end.b && end.a - a + (end.b - b) <= most;
    }
};

typedef CutOf<u64> SortedCut;

// Returns the cut of a merge.
template <typename Index>
__device__ __forceinline__ CutOf<Index> merge_cut(
    const Elements& first, Index first_count, const Elements& second, Index second_count, Index place) {
    const Index a = merge_path(first, first_count, second, second_count, place);
    return CutOf<Index>{a, place - a};
}

// Returns the cut of a set operation for that of a merge, which is at most one place before it.
template <typename Index>
__device__ __forceinline__ CutOf<Index> balanced_cut(
    const Elements& first, Index first_count, const Elements& second, Index second_count, const CutOf<Index>& cut) {
    // Elements that are equal to the last one before the cut are taken from the first array first.
    if (cut.a == 0) {
        return cut;
    }
    const ComparedKey key = first[cut.a - 1];
    if (cut.b != 0 && less(key, second[cut.b - 1])) {
        // The first array has no such element.
        return cut;
    }
    const bool is_cut_in_second = cut.b != 0 && !less(second[cut.b - 1], key);
    const Index a_begin = run_begin(first, cut.a - 1);
    const Index b_begin = is_cut_in_second ? run_begin(second, cut.b - 1) : cut.b;
    const Index taken = cut.a - a_begin + (cut.b - b_begin);
    const Index pairs = (taken + 1) / 2;
    if (cut.a - a_begin < pairs) {
        return cut;
    }
    const Index b_end = first_failing(
        b_begin, min_of(b_begin + pairs, second_count), [&](Index place) { return !less(key, second[place]); });
    const Index b_taken = b_end - b_begin;
    return CutOf<Index>{a_begin + (b_taken == pairs ? pairs : taken - b_taken), b_end};
}

// Returns a cut, or that of one array behind the other if cuts do not fit together.
__device__ __forceinline__ SortedCut
fitting_cut(const SortedCut* cuts, u64 tile, u64 first_count, u64 count, const SortedProgress* progress) {
    const SortedCut cut = cuts[tile];
    if (progress->misfits == 0) {
        return cut;
    }
    const u64 place = min_of(tile * kSortedTile, count);
    const u64 a = min_of(place, first_count);
    return SortedCut{a, place - a};
}

// The tile of a block, whose elements are loaded.
struct MergedTile {
    SortedCut begin;
    SortedTile tile;

    __device__ __forceinline__
    MergedTile(const Elements& first, const Elements& second, const SortedCut& begin, const SortedCut& end)
        : begin(begin),
          tile(first.from(begin.a), (u32)(end.a - begin.a), second.from(begin.b), (u32)(end.b - begin.b)) {}
};

// The part of a tile that a thread merges or combines, which has at most one element more than the thread's share.
struct MergedPart {
    CutOf<u32> begin;
    CutOf<u32> end;

    // All threads of the block call this.
    __device__ __forceinline__ MergedPart(const SortedTile& tile, bool is_balanced) {
        const u32 b_count = tile.count - tile.a_count;
        const u32 place = min_of(threadIdx.x * kSortedItems, tile.count);
        const bool is_last = threadIdx.x + 1 == kSortedThreads;
        begin = merge_cut(tile.a, tile.a_count, tile.b, b_count, place);
        if (is_balanced) {
            begin = balanced_cut(tile.a, tile.a_count, tile.b, b_count, begin);
        }
        u32* cuts = (u32*)tile_places();
        cuts[threadIdx.x] = begin.a << 16 | begin.b;
        __syncthreads();
        end = CutOf<u32>{tile.a_count, b_count};
        if (!is_last) {
            const u32 next = cuts[threadIdx.x + 1];
            end = CutOf<u32>{next >> 16, next & 0xffff};
        }
        if (!__syncthreads_and(begin.fits(end, kSortedItems + 1))) {
            const u32 next_place = is_last ? tile.count : min_of(place + kSortedItems, tile.count);
            begin.a = min_of(place, tile.a_count);
            begin.b = place - begin.a;
            end.a = min_of(next_place, tile.a_count);
            end.b = next_place - end.a;
        }
    }

    __device__ __forceinline__ u32 place() const { return begin.a + begin.b; }
    __device__ __forceinline__ u32 count() const { return end.a + end.b - place(); }
};

// Where a thread has come to in its part, and the elements there. Behind each piece in shared memory there is a pad,
// which compares like any element. So steps have no branches, except that elements in global memory have no pads and
// that orders of the user's are only asked about elements.
struct PartWalk {
    static constexpr bool kHasPads = kStagesElements && kOrderIsTrusted;

    const SortedTile& tile;
    CutOf<u32> end;
    CutOf<u32> at;
    LoadedElement a;
    LoadedElement b;

    __device__ __forceinline__ PartWalk(const SortedTile& tile, const MergedPart& part)
        : tile(tile), end(part.end), at(part.begin) {
        load(tile.a.from(at.a), has_a(), a);
        load(tile.b.from(at.b), has_b(), b);
    }

    __device__ __forceinline__ bool has_a() const { return at.a < end.a; }
    __device__ __forceinline__ bool has_b() const { return at.b < end.b; }

    // Whether the next element of the merge is that of the second array. This is false at the end of the part.
    __device__ __forceinline__ bool takes_b() const {
        if constexpr (kHasPads) {
            return has_b() & (!has_a() | less(b.key, a.key));
        } else {
            return has_b() && (!has_a() || less(b.key, a.key));
        }
    }

    // Whether the element of the second array is equal to that of the first, which is the next one.
    __device__ __forceinline__ bool is_pair() const {
        if constexpr (kHasPads) {
            return has_b() & !less(a.key, b.key);
        } else {
            return has_b() && !less(a.key, b.key);
        }
    }

    // Passes the element of one array. One load is enough for the lanes that pass either.
    __device__ __forceinline__ void pass(bool is_b) {
        at.a += is_b ? 0 : 1;
        at.b += is_b ? 1 : 0;
        LoadedElement next;
        load(is_b ? tile.b.from(at.b) : tile.a.from(at.a), is_b ? has_b() : has_a(), next);
        a = is_b ? a : next;
        b = is_b ? next : b;
    }

    // Passes the elements of either array, or of both, or none.
    __device__ __forceinline__ void pass(bool passes_a, bool passes_b) {
        at.a += passes_a ? 1 : 0;
        at.b += passes_b ? 1 : 0;
        load(tile.a.from(at.a), passes_a && has_a(), a);
        load(tile.b.from(at.b), passes_b && has_b(), b);
    }

    static __device__ __forceinline__ void load(const Elements& from, bool is_needed, LoadedElement& loaded) {
        if (kHasPads || is_needed) {
            loaded = from.load(0);
        }
    }
};
