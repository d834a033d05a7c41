// The keys of a row as one string of bits, whose order is that of the row: a mark for each column that may have nulls,
// the narrowed bits of numbers, the bytes of strings of one length. Strings of any length begin with a new byte.
#pragma once
#include "columns/parts/key_columns.cuh"

// Collects up to 64 bits in a word.
struct WordOfBits {
    u64 bits = 0;

    __device__ __forceinline__ void add(u64 value, u32 width) { bits = width == 64 ? value : bits << width | value; }
};

// Writes bits as bytes, the first one as the most significant one. Several threads may go through the same bits while
// only one of them writes.
struct BytesOfBits {
    u8* at;
    bool is_writing;
    u32 pending = 0;
    u32 pending_bits = 0;

    __device__ __forceinline__ BytesOfBits(u8* at, bool is_writing) : at(at), is_writing(is_writing) {}

    __device__ __forceinline__ void put(u32 byte) {
        if (is_writing) {
            *at = (u8)byte;
        }
        ++at;
    }

    __device__ __forceinline__ void add(u64 value, u32 width) {
        while (pending_bits + width >= 8) {
            const u32 taken = 8 - pending_bits;
            width -= taken;
            put(pending << taken | ((u32)(value >> width) & ((1u << taken) - 1)));
            pending = 0;
            pending_bits = 0;
        }
        pending = pending << width | ((u32)value & ((1u << width) - 1));
        pending_bits += width;
    }

    // Fills up the last byte.
    __device__ __forceinline__ void end_byte() {
        if (pending_bits > 0) {
            put(pending << (8 - pending_bits));
            pending = 0;
            pending_bits = 0;
        }
    }
};

// Adds the bits of a column whose number is the same for each row.
template <typename Bits>
__device__ __forceinline__ void add_fixed_bits(const KeyColumn& column, u64 row, bool is_null, Bits& bits) {
    if (column.validity != nullptr) {
        bits.add(is_null ? column.null_mark : 1 - column.null_mark, 1);
    }
    if (column.has_numbers()) {
        if (column.width > 0) {
            bits.add(is_null ? 0 : (number_bits(column, row) - column.least) >> column.zeros, (u32)column.width);
        }
    } else if (!column.has_strings()) {
        const u32 inverted = column.is_descending != 0 ? 0xff : 0;
        for (u64 i = 0; i < column.value_bytes; ++i) {
            bits.add(is_null ? 0 : column.values[row * column.value_bytes + i] ^ inverted, 8);
        }
    }
}
