// Key columns in global memory, and the bits of their values, which have the order of the column.
#pragma once
#include "parts/float_order.cuh"
#include "strings/parts/text.cuh"

// The host writes all fields as eight bytes each, by the same names (KernelStructs.KeyColumn).
struct KeyColumn {
    const u8* values;  // numbers, strings of one length, or the bytes of strings of any length
    u64 value_bytes;   // of a number or a string of one length
    u64 is_text;       // whether these are strings of one length
    u64 sign;          // the sign bit of numbers that have one, else 0
    u64 is_floating;
    u64 is_descending;
    const u8* validity;  // a bit for each row, 0 if it is null; null if no row is
    u64 null_mark;       // the bit that null rows begin with; others begin with the other bit
    const u8* offsets;   // of strings of any length, else null
    u64 offset_bytes;
    u64 byte_count;
    u64 count;
    u64 is_terminated;  // whether strings of any length are escaped and terminated
    u64 least;          // the least number of the column, which is subtracted
    u64 zeros;          // how many of the lowest bits are then zero in all rows
    u64 width;          // how many bits are left

    __device__ __forceinline__ bool has_strings() const { return offsets != nullptr; }

    __device__ __forceinline__ bool has_numbers() const { return offsets == nullptr && is_text == 0; }

    __device__ __forceinline__ bool is_null(u64 row) const {
        return validity != nullptr && (validity[row / 8] >> row % 8 & 1) == 0;
    }

    __device__ __forceinline__ Text text() const {
        return Text{values, byte_count, offsets, offset_bytes, count, 0, 0, 0};
    }
};

// The range of a column's numbers. The host reads it by the same names (KernelStructs.ColumnRange).
struct ColumnRange {
    u64 least;
    u64 greatest;
    u64 differing;  // the bits in which any row differs from row 0
    u64 wrong;      // of strings: 0, or how far from the end the first string is whose offsets are wrong
};

// Returns bits of the number of a row whose unsigned order is that of the column.
__device__ __forceinline__ u64 number_bits(const KeyColumn& column, u64 row) {
    u64 bits;
    if (column.is_floating != 0) {
        bits = column.value_bytes == sizeof(float) ? order_key(((const float*)column.values)[row])
                                                   : order_key(((const double*)column.values)[row]);
    } else {
        switch (column.value_bytes) {
            case 1: bits = column.values[row]; break;
            case 2: bits = ((const u16*)column.values)[row]; break;
            case 4: bits = ((const u32*)column.values)[row]; break;
            default: bits = ((const u64*)column.values)[row]; break;
        }
        bits ^= column.sign;
    }
    return column.is_descending != 0 ? ~bits : bits;
}

// A string with something after it in the row is terminated by a zero byte, and each of its bytes up to kEscape becomes
// two: kEscape, and the byte plus one. So a string sorts before all others that begin with it.
constexpr u32 kEscape = 1;

// Returns how many bytes of a string are escaped, in the words of eight bytes from byte `first` on that are `step`
// bytes apart.
__device__ __forceinline__ u64 escaped_bytes(const TextReader& text, Span span, u64 first, u64 step) {
    constexpr u64 kLowBits = 0x7f7f7f7f7f7f7f7full;
    u64 escaped = 0;
    for (u64 at = span.begin + first; at < span.end; at += step) {
        u64 word = text.raw_bytes(at, span.end);
        if (span.end - at < kWordBytes) {
            word |= ~0ull << 8 * (span.end - at);
        }
        // Finds bytes that are zero except for their lowest bit.
        word &= ~(kLowBits / 0x7f);
        escaped += __popcll(~(((word & kLowBits) + kLowBits) | word | kLowBits));
    }
    return escaped;
}
