// Strings in device memory as the benchmarks' sorts by CUB compare them, and the indexes that they sort.
#pragma once
#include <cstddef>
#include <cstdint>

namespace {

constexpr int kThreads = 256;
// CUB asks that its temporary memory be aligned to this.
constexpr size_t kAlignment = 256;

// The text is aligned to eight bytes, and 16 bytes after it can be read.
template <typename Offset>
struct Strings {
    const uint64_t* words;
    const Offset* offsets;

    // Returns the eight bytes at a place, the first of which is the most significant one; those from `end` on are zero.
    __device__ uint64_t bytes(uint64_t at, uint64_t end) const {
        if (at >= end) {
            return 0;
        }
        const unsigned shift = at % 8 * 8;
        const uint64_t low = words[at / 8] >> shift;
        const uint64_t raw = shift == 0 ? low : low | words[at / 8 + 1] << (64 - shift);
        const uint64_t word =
            (uint64_t)__byte_perm((uint32_t)raw, 0, 0x0123) << 32 | __byte_perm((uint32_t)(raw >> 32), 0, 0x0123);
        return end - at < 8 ? word & ~0ull << (64 - 8 * (end - at)) : word;
    }

    // Compares two strings from byte `from` on.
    __device__ bool is_less(uint32_t a, uint32_t b, uint64_t from) const {
        const uint64_t begin_a = offsets[a];
        const uint64_t begin_b = offsets[b];
        const uint64_t end_a = offsets[a + 1];
        const uint64_t end_b = offsets[b + 1];
        const uint64_t length_a = end_a - begin_a;
        const uint64_t length_b = end_b - begin_b;
        for (uint64_t at = from; at < min(length_a, length_b); at += 8) {
            const uint64_t word_a = bytes(begin_a + at, end_a);
            const uint64_t word_b = bytes(begin_b + at, end_b);
            if (word_a != word_b) {
                return word_a < word_b;
            }
        }
        return length_a < length_b;
    }
};

__global__ void make_indexes(uint32_t* indexes, long long count) {
    const long long i = (long long)blockIdx.x * kThreads + threadIdx.x;
    if (i < count) {
        indexes[i] = (uint32_t)i;
    }
}

}  // namespace
