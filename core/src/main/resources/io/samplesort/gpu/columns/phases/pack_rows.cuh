// Writes rows whose keys have at most 64 bits as words.
#pragma once
#include "columns/parts/row_bits.cuh"

extern "C" __global__ void pack_rows(const KeyColumn* columns, u64 column_count, u64 count, u64* words) {
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 row = (u64)blockIdx.x * blockDim.x + threadIdx.x; row < count; row += stride) {
        WordOfBits word;
        for (u64 c = 0; c < column_count; ++c) {
            const KeyColumn& column = columns[c];
            add_fixed_bits(column, row, column.is_null(row), word);
        }
        words[row] = word.bits;
    }
}
