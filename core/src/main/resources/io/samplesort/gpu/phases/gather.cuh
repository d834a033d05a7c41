// Sorting by index: sort keys are made from elements of any size and alignment, and at the end each column is gathered
// once.
#pragma once
#include "parts/user_indexes.cuh"

// The shared memory of a block that makes sort keys: a key for each thread.
constexpr u32 kStagedKeyBytes = kGatherThreads * sizeof(Key);

// Keys are staged in shared memory, so that neighbouring threads write neighbouring words whatever the size of a key.
extern "C" __global__ void make_sort_keys(const unsigned char* elements, u64 element_bytes, Key* keys, u64 count) {
    constexpr u32 kWords = sizeof(Key) / sizeof(u32);
    Key* staged = (Key*)shared_memory;
    for (u64 begin = (u64)blockIdx.x * blockDim.x; begin < count; begin += (u64)gridDim.x * blockDim.x) {
        const u64 i = begin + threadIdx.x;
        if (i < count) {
            staged[threadIdx.x] = make_sort_key(elements + i * element_bytes, (u32)i);
        }
        __syncthreads();
        const u32 words = (u32)min_of<u64>(blockDim.x, count - begin) * kWords;
        for (u32 w = threadIdx.x; w < words; w += blockDim.x) {
            ((u32*)(keys + begin))[w] = ((const u32*)staged)[w];
        }
        __syncthreads();
    }
}

// Numbers sort keys anew: key i gets index i.
extern "C" __global__ void number_keys(Key* keys, u64 count) {
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        keys[i] = with_index(keys[i], (u32)i);
    }
}

// Makes elements from their sort keys, if these hold whole elements.
extern "C" __global__ void restore_elements(const Key* keys, unsigned char* elements, u64 element_bytes, u64 count) {
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        restore_element(keys[i], elements + i * element_bytes);
    }
}

// The units that a thread has in flight at once: reads at random places wait for memory, so many of them must wait
// together.
constexpr int kGatherItems = 8;
// The shared memory of a block that gathers: a place for each unit of a tile.
constexpr u32 kGatherSharedBytes = kGatherTileUnits * sizeof(u64);

// Element i of `to` becomes element source(i) of `from`. Elements are one unit.
template <typename Unit, typename Source>
__device__ void gather_single_units(const Source& source, const Unit* from, Unit* to, u64 count) {
    const u64 tile = (u64)kGatherItems * blockDim.x;
    for (u64 begin = blockIdx.x * tile + threadIdx.x; begin < count; begin += gridDim.x * tile) {
        u64 sources[kGatherItems];
        Unit values[kGatherItems];
#pragma unroll
        for (int k = 0; k < kGatherItems; ++k) {
            const u64 i = begin + k * blockDim.x;
            sources[k] = i < count ? source(i) : 0;
        }
#pragma unroll
        for (int k = 0; k < kGatherItems; ++k) {
            values[k] = from[sources[k]];
        }
#pragma unroll
        for (int k = 0; k < kGatherItems; ++k) {
            const u64 i = begin + k * blockDim.x;
            if (i < count) {
                to[i] = values[k];
            }
        }
    }
}

// Does the same for elements of several units. A thread copies one unit at a time, and neighbouring threads copy
// neighbouring units.
template <typename Unit, typename Source>
__device__ void gather_units(const Source& source, const Unit* from, Unit* to, u64 count, u32 element_units) {
    if (element_units == 1) {
        gather_single_units(source, from, to, count);
        return;
    }
    u64* sources = (u64*)shared_memory;
    const u32 tile_elements = max_of<u32>(1, kGatherTileUnits / element_units);
    const u32 element_step = blockDim.x / element_units;
    const u32 unit_step = blockDim.x % element_units;
    for (u64 begin = (u64)blockIdx.x * tile_elements; begin < count; begin += (u64)gridDim.x * tile_elements) {
        const u32 elements = (u32)min_of<u64>(tile_elements, count - begin);
        for (u32 e = threadIdx.x; e < elements; e += blockDim.x) {
            sources[e] = source(begin + e) * element_units;
        }
        __syncthreads();
        const u32 units = elements * element_units;
        Unit* tile = to + begin * element_units;
        u32 element = threadIdx.x / element_units;
        u32 unit = threadIdx.x % element_units;
        for (u32 first = threadIdx.x; first < units; first += kGatherItems * blockDim.x) {
            Unit values[kGatherItems];
#pragma unroll
            for (int k = 0; k < kGatherItems; ++k) {
                if (first + k * blockDim.x < units) {
                    values[k] = from[sources[element] + unit];
                }
                element += element_step;
                unit += unit_step;
                if (unit >= element_units) {
                    unit -= element_units;
                    ++element;
                }
            }
#pragma unroll
            for (int k = 0; k < kGatherItems; ++k) {
                if (first + k * blockDim.x < units) {
                    tile[first + k * blockDim.x] = values[k];
                }
            }
        }
        __syncthreads();
    }
}

// Does the same for any unit: `unit_bytes` divides element_bytes and both addresses.
template <typename Source>
__device__ void gather_elements(
    const Source& source, const unsigned char* from, unsigned char* to, u64 count, u64 element_bytes, u64 unit_bytes) {
    const u32 units = (u32)(element_bytes / unit_bytes);
    switch (unit_bytes) {
        case 16: gather_units(source, (const uint4*)from, (uint4*)to, count, units); break;
        case 8: gather_units(source, (const u64*)from, (u64*)to, count, units); break;
        case 4: gather_units(source, (const u32*)from, (u32*)to, count, units); break;
        case 2: gather_units(source, (const u16*)from, (u16*)to, count, units); break;
        default: gather_units(source, from, to, count, units);
    }
}

// Element i of `to` becomes the element of the i-th smallest sort key.
extern "C" __global__ void gather(
    const Key* keys, const unsigned char* from, unsigned char* to, u64 count, u64 element_bytes, u64 unit_bytes) {
    gather_elements([&](u64 i) { return (u64)index_of(keys[i]); }, from, to, count, element_bytes, unit_bytes);
}

// Element i of `to` becomes element permutation[i] of `from`.
extern "C" __global__ void apply_permutation(
    const unsigned char* permutation, u64 index_bytes, const unsigned char* from, unsigned char* to, u64 count,
    u64 element_bytes, u64 unit_bytes) {
    gather_elements(Permutation{permutation, index_bytes}, from, to, count, element_bytes, unit_bytes);
}

// Checks that every index appears once: *wrong becomes count - i for the first i whose index is too large or has
// appeared before. (Of two equal indexes, either one may count as the first.) It stays 0 if there is none. `met` has
// one bit for each index, 0 at first.
extern "C" __global__ void check_permutation(
    const unsigned char* permutation, u64 index_bytes, u64 count, u32* met, u64* wrong) {
    const Permutation index_at{permutation, index_bytes};
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        const u64 index = index_at(i);
        if (index >= count || (atomicOr(&met[index / 32], 1u << index % 32) >> index % 32 & 1u) != 0) {
            atomicMax(wrong, count - i);
        }
    }
}

// Checks that elements are in order: *wrong becomes count - i for the first i whose element sorts before the one to its
// left. The sort keys have no indexes, which have 32 bits, so there may be any number of elements.
extern "C" __global__ void check_elements(const unsigned char* elements, u64 element_bytes, u64 count, u64* wrong) {
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 first = (u64)blockIdx.x * blockDim.x + threadIdx.x + 1; first < count; first += kGatherItems * stride) {
        u32 are_wrong = 0;
#pragma unroll
        for (int k = 0; k < kGatherItems; ++k) {
            const u64 i = first + k * stride;
            if (i < count) {
                const Key left = make_sort_key(elements + (i - 1) * element_bytes, 0);
                are_wrong |= (u32)less(make_sort_key(elements + i * element_bytes, 0), left) << k;
            }
        }
        if (are_wrong != 0) {
            atomicMax(wrong, count - first - (u32)(__ffs((int)are_wrong) - 1) * stride);
        }
    }
}

// Writes the indexes themselves, as ints or longs, each plus `first`.
extern "C" __global__ void write_permutation(
    const Key* keys, unsigned char* permutation, u64 count, u64 index_bytes, u64 first) {
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        store_index(permutation, index_bytes, i, first + index_of(keys[i]));
    }
}
