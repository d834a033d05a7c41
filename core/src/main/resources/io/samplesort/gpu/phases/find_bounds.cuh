// Finds how many sorted elements come before each of many queries. A block whose queries are in order searches only
// between the bounds of the first and of the last of them, so sorted queries find their elements in the cache.
#pragma once
#include "parts/run_search.cuh"
#include "parts/sorted_tile.cuh"
#include "parts/user_indexes.cuh"

constexpr u32 kQueryTile = 8 * kSortedThreads;

// Queries as they are.
struct PlainQueries {
    const u8* queries;

    __device__ __forceinline__ ComparedKey key(u64 query) const { return Elements{queries}[query]; }
    __device__ __forceinline__ u64 place(u64 query) const { return query; }
};

// The sort keys of queries. The bound of each goes where its query is.
struct IndexedQueries {
    const Key* queries;

    __device__ __forceinline__ ComparedKey key(u64 query) const { return without_index(queries[query]); }
    __device__ __forceinline__ u64 place(u64 query) const { return index_of(queries[query]); }
};

// Returns `low` plus how many of the places up to `high` pass a test, which the first ones pass and the others do not.
// The lanes of a warp try 32 places at a time. All of them call this.
template <typename Passes>
__device__ __forceinline__ u64 first_failing_of_warp(u64 low, u64 high, const Passes& passes) {
    const u32 lane = threadIdx.x % kWarpSize;
    while (low < high) {
        const u64 step = (high - low) / (kWarpSize + 1) + 1;
        const u64 place = low + (lane + 1) * step - 1;
        const u32 passed = (u32)__popc(__ballot_sync(kAllLanes, place < high && passes(place)));
        high = min_of(high, low + (passed + 1) * step - 1);
        low += passed * step;
    }
    return low;
}

// The elements, and which of them come before a query.
template <bool kIsUpper>
struct SearchedElements {
    Elements elements;

    __device__ __forceinline__ bool comes_before(u64 place, const ComparedKey& query) const {
        return kIsUpper ? !less(query, elements[place]) : less(elements[place], query);
    }

    __device__ __forceinline__ u64 bound_of_warp(u64 count, const ComparedKey& query) const {
        return first_failing_of_warp(0, count, [&](u64 place) { return comes_before(place, query); });
    }

    __device__ __forceinline__ u64 bound(u64 low, u64 high, const ComparedKey& query) const {
        if (high - low < 1ull << 31) {
            const SearchedElements near{elements.from(low)};
            return low
                + first_failing(0u, (u32)(high - low), [&](u32 place) { return near.comes_before(place, query); });
        }
        return first_failing(low, high, [&](u64 place) { return comes_before(place, query); });
    }
};

template <bool kIsUpper, typename Queries>
__device__ __forceinline__ void find_all_bounds(
    const SearchedElements<kIsUpper>& searched, u64 count, const Queries& queries, u64 query_count, u8* bounds,
    u64 bound_bytes) {
    u64* limits = (u64*)shared_memory;
    const u32 warp = threadIdx.x / kWarpSize;
    for (u64 begin = (u64)blockIdx.x * kQueryTile; begin < query_count; begin += (u64)gridDim.x * kQueryTile) {
        const u64 end = min_of(begin + kQueryTile, query_count);
        bool is_sorted = true;
        for (u64 query = begin + threadIdx.x; query + 1 < end; query += kSortedThreads) {
            is_sorted = is_sorted && !less(queries.key(query + 1), queries.key(query));
        }
        u64 low = 0;
        u64 high = count;
        if (__syncthreads_and(is_sorted)) {
            if (warp < 2) {
                const u64 bound = searched.bound_of_warp(count, queries.key(warp == 0 ? begin : end - 1));
                if (threadIdx.x % kWarpSize == 0) {
                    limits[warp] = bound;
                }
            }
            __syncthreads();
            low = limits[0];
            high = max_of(low, limits[1]);
        }
        for (u64 query = begin + threadIdx.x; query < end; query += kSortedThreads) {
            store_index(bounds, bound_bytes, queries.place(query), searched.bound(low, high, queries.key(query)));
        }
        __syncthreads();
    }
}

extern "C" __global__ void __launch_bounds__(kSortedThreads) find_bounds(
    const unsigned char* elements, u64 count, const unsigned char* queries, u64 query_count, unsigned char* bounds,
    u64 bound_bytes, u64 is_upper) {
    const PlainQueries plain{queries};
    if (is_upper != 0) {
        find_all_bounds(SearchedElements<true>{elements}, count, plain, query_count, bounds, bound_bytes);
    } else {
        find_all_bounds(SearchedElements<false>{elements}, count, plain, query_count, bounds, bound_bytes);
    }
}

// Does the same for sorted sort keys of the queries.
extern "C" __global__ void __launch_bounds__(kSortedThreads) find_indexed_bounds(
    const unsigned char* elements, u64 count, const Key* queries, u64 query_count, unsigned char* bounds,
    u64 bound_bytes, u64 is_upper) {
    const IndexedQueries indexed{queries};
    if (is_upper != 0) {
        find_all_bounds(SearchedElements<true>{elements}, count, indexed, query_count, bounds, bound_bytes);
    } else {
        find_all_bounds(SearchedElements<false>{elements}, count, indexed, query_count, bounds, bound_bytes);
    }
}
