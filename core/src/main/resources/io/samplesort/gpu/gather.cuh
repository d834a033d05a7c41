// Sorting by index: sort keys made from elements of any size and place, and at the end each column gathered once.
#pragma once

extern "C" __global__ void make_sort_keys(const unsigned char* elements, u64 element_bytes, Key* keys, u64 count) {
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        keys[i] = make_sort_key(elements + i * element_bytes, (u32)i);
    }
}

// Units of an element are what one thread copies at once, neighbouring ones in neighbouring threads.
template <typename Unit>
__device__ void gather_units(const Key* keys, const Unit* from, Unit* to, u64 count, u32 element_units) {
    // Few enough elements for a block at a time that 32 bits number their units.
    const u32 tile_elements = max_of<u32>(1, 4096 / element_units);
    for (u64 begin = (u64)blockIdx.x * tile_elements; begin < count; begin += (u64)gridDim.x * tile_elements) {
        const u32 elements = (u32)min_of<u64>(tile_elements, count - begin);
        for (u32 i = threadIdx.x; i < elements * element_units; i += blockDim.x) {
            const u32 element = i / element_units;
            const u64 source = index_of(keys[begin + element]);
            to[begin * element_units + i] = from[source * element_units + (i - element * element_units)];
        }
    }
}

// Column element i becomes the one of the i-th smallest sort key. `unit_bytes` divides element_bytes and both addresses.
extern "C" __global__ void gather(
    const Key* keys, const unsigned char* from, unsigned char* to, u64 count, u64 element_bytes, u64 unit_bytes) {
    const u32 units = (u32)(element_bytes / unit_bytes);
    switch (unit_bytes) {
        case 16:
            gather_units(keys, (const uint4*)from, (uint4*)to, count, units);
            break;
        case 8:
            gather_units(keys, (const u64*)from, (u64*)to, count, units);
            break;
        case 4:
            gather_units(keys, (const u32*)from, (u32*)to, count, units);
            break;
        case 2:
            gather_units(keys, (const u16*)from, (u16*)to, count, units);
            break;
        default:
            gather_units(keys, from, to, count, units);
    }
}

// The indexes themselves, as ints or longs.
extern "C" __global__ void write_permutation(const Key* keys, unsigned char* permutation, u64 count, u64 index_bytes) {
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        const u32 index = index_of(keys[i]);
        if (index_bytes == sizeof(u32)) {
            ((u32*)permutation)[i] = index;
        } else {
            ((u64*)permutation)[i] = index;
        }
    }
}
