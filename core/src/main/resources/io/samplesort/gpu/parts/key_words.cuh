// Keys of 8 or 16 bits by themselves, sixteen bytes at a time. There are so few values that a sort need not move keys:
// count_values counts how often each value occurs, scan_values finds where each value belongs, and fill_values writes
// the result. Equal keys are the same bit by bit, so nobody can tell that it is not the keys that were moved.
//
// A value is the bits of a key. Values are counted by their bits and written by their rank in the order of the sort.
#pragma once

static_assert(!HAS_PAYLOAD && !SORTS_INDEXES && !kKeysAreMapped && kEqualElementsAreIdentical);

constexpr u32 kValueCount = 1u << 8 * sizeof(Key);
constexpr u32 kKeysAWord = sizeof(uint4) / sizeof(Key);

// Returns the value of a rank, or the rank of a value. The first value of an order and the last have opposite bits, and
// counting up from the first changes its bits one by one, whether keys have a sign or not and in both directions.
__device__ __forceinline__ u32 value_of_rank(u32 rank) {
    return rank ^ (~(u32)greatest_key() & (kValueCount - 1));
}

// An array of keys as the whole words in it, and the keys before and behind these.
struct KeyWords {
    Key* keys;
    u64 count;
    u64 head;  // keys before the first word
    u64 words;

    __device__ __forceinline__ KeyWords(Key* array, u64 size)
        : keys(array), count(size) {
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

// Returns key `index` of a word, as bits. The index has to be known to the compiler.
__device__ __forceinline__ u32 key_of_word(const uint4& word, u32 index) {
    const u32 place = index * (u32)sizeof(Key);
    const u32 part = place / 4 == 0 ? word.x : place / 4 == 1 ? word.y : place / 4 == 2 ? word.z : word.w;
    return part >> place % 4 * 8 & (kValueCount - 1);
}

// Returns four bytes full of keys of one value.
__device__ __forceinline__ u32 repeat_value(u32 value) {
    return value * (sizeof(Key) == 1 ? 0x01010101u : 0x00010001u);
}
