// Sorted parts of one array, each in the memory of a GPU, which kernels of any of them read where they are.
//
// The elements have places: the number of the part, and in the bits below the place within it. So what merges runs of
// one array merges parts as well, as it only goes from one place of a run to another.
#pragma once
#include "parts/primitives.cuh"

struct GpuParts {
    static constexpr u32 kPartShift = 48;

    u64 part_count;
    u64 counts[kMaxGpus];
    // In the user's form, or sort keys. Where a part has no elements, those of another one.
    ElementArray parts[kMaxGpus];

    __device__ __forceinline__ static u64 place(u32 part, u64 index) { return (u64)part << kPartShift | index; }

    __device__ __forceinline__ static u64 index_of(u64 place) { return place & ((1ull << kPartShift) - 1); }

    __device__ __forceinline__ const ElementArray& part_of(u64 place) const { return parts[place >> kPartShift]; }

    // The same calls as of one array of elements that have been moved. What is asked for is not ordered here. Indexes
    // in sort keys count in one part, so they say nothing of the order of equal elements of several.
    __device__ __forceinline__ OrderedKey key(u64 place, bool) const {
        const OrderedKey key = part_of(place).key(index_of(place), false);
#if SORTS_INDEXES
        return with_index(key, 0);
#else
        return key;
#endif
    }

    __device__ __forceinline__ Element load_ordered(u64 place) const { return part_of(place).load(index_of(place)); }

#if HAS_PAYLOAD
    __device__ __forceinline__ Payload payload(u64 place) const { return part_of(place).payload(index_of(place)); }
#endif
};
