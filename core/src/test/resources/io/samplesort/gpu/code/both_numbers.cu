// What GpuBothNumbersTest asks the map of keys to cells.
#include "parts/both_numbers.cuh"

// Finds the places of keys that have `numbers` and `seconds`, and the cells of `cell_count` that these lie in, by the
// map of the keys whose least and greatest number and second number are `ends`, and whose numbers differ in ends[4].
extern "C" __global__ void find_both(
    const u32* ends, const u32* numbers, const u32* seconds, u64 key_count, u64 cell_count, u32* places, u32* cells) {
    const BothNumbers map(ends[0], ends[1], ends[4], ends[2], ends[3]);
    for (u64 i = threadIdx.x; i < key_count; i += blockDim.x) {
        places[i] = map.place(numbers[i], seconds[i]);
        cells[i] = BothNumbers::cell_at(places[i], (u32)cell_count);
    }
}
