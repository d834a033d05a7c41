// Sorted parts of one array, each in the memory of one GPU. Kernels on any of these GPUs read them where they are.
//
// The place of an element has the number of its part, and in the bits below the place within the part. So code that
// merges runs of one array can merge parts as well, as it only steps from one place of a run to another.
#pragma once
#include "parts/primitives.cuh"

struct GpuParts {
    static constexpr u32 kPartShift = 48;

    u64 part_count;
    u64 counts[kMaxGpus];
    // In the user's form, or sort keys. An empty part has the elements of another one here.
    ElementArray parts[kMaxGpus];

    __device__ __forceinline__ static u64 place(u32 part, u64 index) { return (u64)part << kPartShift | index; }

    __device__ __forceinline__ static u64 index_of(u64 place) { return place & ((1ull << kPartShift) - 1); }

    __device__ __forceinline__ const ElementArray& part_of(u64 place) const { return parts[place >> kPartShift]; }

    // These calls are those of one array of moved elements. Keys in the user's form are mapped here. Indexes in sort
    // keys count within one part, so they say nothing about the order of equal elements of different parts.
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
