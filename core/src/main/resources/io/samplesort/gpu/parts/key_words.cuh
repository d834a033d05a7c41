// Keys of 8 or 16 bits, sixteen bytes at a time. There are so few values that a sort need not move keys: count_values
// counts how often each value occurs, scan_values finds where each value belongs, and fill_values writes the keys of
// the result. Equal keys are the same bit by bit, so the result is the same as if keys had been moved. If keys have
// payloads, their bytes are counted instead (count_bytes), and payloads are moved (byte_scatter.cuh).
//
// Values are counted by their bits and written by their rank in the order of the sort.
#pragma once
#include "parts/key_values.cuh"

constexpr u32 kKeysAWord = sizeof(uint4) / sizeof(Key);

// How often each value occurs, in global memory. With fewer than 2^32 keys of 16 bits, two values share a word, with
// the even value in its lower half, so that one atomic counts for both. A half may temporarily fall below 0 and borrow
// from the other: a word is the sum of all that is added, and both halves are right in the end.
struct ValueTotals {
    u64* words;
    bool are_shared;

    __device__ __forceinline__ void add(u32 value, u64 times) const {
        if (are_shared) {
            atomicAdd(&words[value / 2], times << value % 2 * 32);
        } else {
            atomicAdd(&words[value], times);
        }
    }

    // Adds to the totals of an even value and of the next one.
    __device__ __forceinline__ void add_two(u32 value, u32 times, u32 times_next) const {
        if ((times | times_next) == 0) {
            return;
        }
        if (are_shared) {
            atomicAdd(&words[value / 2], times + ((u64)times_next << 32));
        } else {
            atomicAdd(&words[value], (u64)times);
            atomicAdd(&words[value + 1], (u64)times_next);
        }
    }

    __device__ __forceinline__ u64 of(u32 value) const {
        return are_shared ? words[value / 2] >> value % 2 * 32 & 0xffffffff : words[value];
    }
};

// An array of keys as the whole words in it, and the keys before and after these.
struct KeyWords {
    Key* keys;
    u64 count;
    u64 head;  // keys before the first word
    u64 words;

    __device__ __forceinline__ KeyWords(Key* array, u64 size) : keys(array), count(size) {
        const u64 beyond = (u64)array % sizeof(uint4) / sizeof(Key);
        head = min_of<u64>(beyond == 0 ? 0 : kKeysAWord - beyond, size);
        words = (size - head) / kKeysAWord;
    }

    __device__ __forceinline__ uint4* word(u64 index) const { return (uint4*)(keys + head) + index; }

    // Calls `use` with the places of all keys that are in no word. One warp does this.
    template <typename Use>
    __device__ __forceinline__ void for_each_other(const Use& use) const {
        static_assert(kKeysAWord <= kWarpSize);
        const u64 tail = head + words * kKeysAWord;
        const u32 lane = threadIdx.x % kWarpSize;
        if (lane < head) {
            use((u64)lane);
        }
        if (tail + lane < count) {
            use(tail + lane);
        }
    }
};

// Returns key `index` of a word, as bits. The index must be a constant for the compiler.
__device__ __forceinline__ u32 key_of_word(const uint4& word, u32 index) {
    const u32 place = index * (u32)sizeof(Key);
    const u32 part = place / 4 == 0 ? word.x : place / 4 == 1 ? word.y : place / 4 == 2 ? word.z : word.w;
    return part >> place % 4 * 8 & (kValueCount - 1);
}

// Returns a word of four bytes filled with keys of one value.
__device__ __forceinline__ u32 repeat_value(u32 value) {
    return value * (sizeof(Key) == 1 ? 0x01010101u : 0x00010001u);
}

// Words that a thread loads at once. Counters of values of 16 bits leave room for half as many threads.
constexpr int kCountedWords = sizeof(Key) == 1 || HAS_PAYLOAD ? 2 : 4;

// Calls `use` with every word of a thread, from `begin` on.
template <typename Use>
__device__ __forceinline__ void for_each_word(const KeyWords& keys, u64 begin, u64 stride, const Use& use) {
    for (u64 first = begin; first < keys.words; first += kCountedWords * stride) {
        uint4 words[kCountedWords];
#pragma unroll
        for (int i = 0; i < kCountedWords; ++i) {
            if (first + i * stride < keys.words) {
                words[i] = __ldcs(keys.word(first + i * stride));
            }
        }
#pragma unroll
        for (int i = 0; i < kCountedWords; ++i) {
            if (first + i * stride < keys.words) {
                use(words[i]);
            }
        }
    }
}
