// Strings in global memory: all their bytes one after another, and the begin of each string.
#pragma once
#include "parts/basics.cuh"
#include "parts/struct_keys.cuh"

// The host writes all fields as eight bytes each, by the same names (KernelStructs.Text).
struct Text {
    const u8* bytes;  // aligned to eight bytes
    u64 byte_count;
    const u8* offsets;  // count + 1 of them
    u64 offset_bytes;   // 4 or 8
    u64 count;
    u64 terminator_bytes;  // at the end of each string, which are not compared
    u64 ignores_case;      // whether a to z count as A to Z
    u64 is_reversed;

    __device__ __forceinline__ u64 offset(u64 i) const {
        return offset_bytes == sizeof(u32) ? ((const u32*)offsets)[i] : ((const u64*)offsets)[i];
    }
};

// The place of a string.
struct Span {
    u64 begin;
    u64 end;

    __device__ __forceinline__ u64 length() const { return end - begin; }
};

constexpr u32 kWordBytes = sizeof(u64);

// Returns eight bytes with the letters a to z replaced by their capitals.
__device__ __forceinline__ u64 capitals(u64 word) {
    constexpr u64 kHighBits = 0x8080808080808080ull;
    const u64 low = word & ~kHighBits;
    const u64 since_a = low + 0x1f1f1f1f1f1f1f1full;
    const u64 beyond_z = low + 0x0505050505050505ull;
    return word - ((since_a & ~beyond_z & ~word & kHighBits) >> 2);
}

// Reads strings. Any eight bytes lie in two words at multiples of eight bytes. These are read at once if they lie
// within the text; memory before and after the text must not be read.
struct TextReader {
    const Text& text;
    u64 text_begin;
    u64 text_end;

    __device__ __forceinline__ explicit TextReader(const Text& text)
        : text(text),
          text_begin(min_of(text.offset(0), text.byte_count)),
          text_end(min_of(text.offset(text.count), text.byte_count)) {}

    // Returns the part of a string that is compared. It lies within the bytes even if offsets are wrong.
    __device__ __forceinline__ Span span(u64 i) const {
        const u64 begin = min_of(text.offset(i), text.byte_count);
        const u64 end = min_of(max_of(text.offset(i + 1), begin), text.byte_count);
        return Span{begin, end - min_of(text.terminator_bytes, end - begin)};
    }

    // Returns whether string i ends before it begins, or beyond the bytes.
    __device__ __forceinline__ bool is_wrong(u64 i) const {
        const u64 end = text.offset(i + 1);
        return end < text.offset(i) || end > text.byte_count;
    }

    // Returns up to eight bytes before `end`, the first one in the least significant byte, followed by undefined bytes.
    __device__ __forceinline__ u64 raw_bytes(u64 at, u64 end) const {
        const u64 first = at & ~(u64)(kWordBytes - 1);
        const u32 skipped = (u32)(at - first);
        const bool is_one_word = end - first <= kWordBytes;
        if (first >= text_begin && first + (is_one_word ? kWordBytes : 2 * kWordBytes) <= text_end) {
            const u64* words = (const u64*)(text.bytes + first);
            const u64 low = words[0] >> 8 * skipped;
            return is_one_word || skipped == 0 ? low : low | words[1] << (64 - 8 * skipped);
        }
        u64 word = 0;
        for (u32 i = 0; i < min_of<u64>(kWordBytes, end - at); ++i) {
            word |= (u64)text.bytes[at + i] << 8 * i;
        }
        return word;
    }

    // Returns up to eight bytes before `end` as a number whose order is that of the bytes: the first byte is the most
    // significant one, and zeros stand for missing bytes.
    __device__ __forceinline__ u64 bytes(u64 at, u64 end) const {
        if (at >= end) {
            return 0;
        }
        const u64 raw = raw_bytes(at, end);
        u64 word = (u64)swap_bytes((u32)raw) << 32 | swap_bytes((u32)(raw >> 32));
        if (end - at < kWordBytes) {
            word &= ~0ull << (64 - 8 * (u32)(end - at));
        }
        return text.ignores_case != 0 ? capitals(word) : word;
    }
};
