// Rows as strings of bytes, for the sort of strings.
#pragma once
#include "columns/parts/row_bits.cuh"

// The bytes that a block writes at a time go through shared memory if they fit there, so that threads write
// neighbouring places.
constexpr u32 kEncodeSharedBytes = kRowStageBytes;

struct alignas(16) RowUnit {
    u64 low;
    u64 high;
};

// Adds a string.
__device__ __forceinline__ void add_string(const KeyColumn& column, const TextReader& text, Span span, u8*& at) {
    const u32 inverted = column.is_descending != 0 ? 0xff : 0;
    const bool is_terminated = column.is_terminated != 0;
    for (u64 from = span.begin; from < span.end; from += kWordBytes) {
        u64 word = text.raw_bytes(from, span.end);
        const u32 count = (u32)min_of<u64>(kWordBytes, span.end - from);
        for (u32 i = 0; i < count; ++i) {
            u32 byte = (u32)word & 0xff;
            word >>= 8;
            if (is_terminated && byte <= kEscape) {
                *at++ = (u8)(kEscape ^ inverted);
                ++byte;
            }
            *at++ = (u8)(byte ^ inverted);
        }
    }
    if (is_terminated) {
        *at++ = (u8)inverted;
    }
}

// Does the same with all lanes of a warp.
__device__ __forceinline__ void add_string_by_warp(const KeyColumn& column, const Text& text, Span span, u8*& at) {
    const u32 lane = threadIdx.x % kWarpSize;
    const u32 inverted = column.is_descending != 0 ? 0xff : 0;
    const bool is_terminated = column.is_terminated != 0;
    for (u64 from = span.begin; from < span.end; from += kWarpSize) {
        const bool exists = from + lane < span.end;
        const u32 byte = exists ? text.bytes[from + lane] : 0;
        const bool is_escaped = exists && is_terminated && byte <= kEscape;
        const u32 escaped = __ballot_sync(kAllLanes, is_escaped);
        u8* place = at + lane + __popc(escaped & ((1u << lane) - 1));
        if (is_escaped) {
            *place++ = (u8)(kEscape ^ inverted);
        }
        if (exists) {
            *place = (u8)((is_escaped ? byte + 1 : byte) ^ inverted);
        }
        at += min_of<u64>(kWarpSize, span.end - from) + __popc(escaped);
    }
    if (is_terminated) {
        if (lane == 0) {
            *at = (u8)inverted;
        }
        ++at;
    }
}

// Writes a row, by one thread or by all lanes of a warp.
template <bool kByWarp>
__device__ __forceinline__ void encode_row(const KeyColumn* columns, u64 column_count, u64 row, u8* at) {
    BytesOfBits bits(at, !kByWarp || threadIdx.x % kWarpSize == 0);
    for (u64 c = 0; c < column_count; ++c) {
        const KeyColumn& column = columns[c];
        const bool is_null = column.is_null(row);
        add_fixed_bits(column, row, is_null, bits);
        if (column.has_strings()) {
            bits.end_byte();
            if (!is_null) {
                const Text strings = column.text();
                const TextReader text(strings);
                if (kByWarp) {
                    add_string_by_warp(column, strings, text.span(row), bits.at);
                } else {
                    add_string(column, text, text.span(row), bits.at);
                }
            }
        }
    }
    bits.end_byte();
}

// Copies `begin..end` from shared memory to the same bytes of `target`, which is aligned to 16 bytes like the stage.
__device__ __forceinline__ void write_stage(const u8* stage, u64 begin, u64 end, u8* target) {
    for (u64 unit = (begin & ~15ull) + threadIdx.x * 16; unit < end; unit += kRowThreads * 16) {
        if (unit >= begin && unit + 16 <= end) {
            *(RowUnit*)(target + unit) = *(const RowUnit*)(stage + unit);
        } else {
            for (u64 i = max_of(unit, begin); i < min_of(unit + 16, end); ++i) {
                target[i] = stage[i];
            }
        }
    }
}

// Writes the bytes of rows, whose offsets are known.
extern "C" __global__ void encode_rows(const KeyColumn* columns, u64 column_count, const Text rows, u8* bytes) {
    const u32 warp = threadIdx.x / kWarpSize;
    const u64 tiles = ceil_div(rows.count, kRowThreads);
    for (u64 t = blockIdx.x; t < tiles; t += gridDim.x) {
        const u64 first = t * kRowThreads;
        const u64 last = min_of(first + kRowThreads, rows.count);
        const u64 begin = rows.offset(first);
        const u64 end = rows.offset(last);
        const u64 base = begin & ~15ull;
        if (end - base <= kRowStageBytes) {
            const u64 row = first + threadIdx.x;
            if (row < last) {
                encode_row<false>(columns, column_count, row, shared_memory + (rows.offset(row) - base));
            }
            __syncthreads();
            write_stage(shared_memory, begin - base, end - base, bytes + base);
            __syncthreads();
        } else {
            for (u64 row = first + warp; row < last; row += kRowThreads / kWarpSize) {
                encode_row<true>(columns, column_count, row, bytes + rows.offset(row));
            }
        }
    }
}
