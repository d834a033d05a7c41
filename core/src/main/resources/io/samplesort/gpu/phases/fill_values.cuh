// Writes the keys in order: each value as often as it was counted. A warp writes a part of the result and itself finds
// the value there, so the time does not depend on how often a value occurs.
#pragma once
#include "parts/key_words.cuh"
#include "parts/value_cursor.cuh"

// Rows of words, one for each lane, that a warp writes before it looks for its next part.
constexpr u32 kFillRows = 16;

// Returns the word of the result at a place, where `cursor` is, and moves the cursor on.
__device__ __forceinline__ uint4 word_at(ValueCursor& cursor, u64 place) {
    if (place + kKeysAWord <= cursor.end()) {
        const u32 repeated = repeat_value(cursor.value());
        return make_uint4(repeated, repeated, repeated, repeated);
    }
    u32 parts[4] = {0, 0, 0, 0};
#pragma unroll
    for (u32 i = 0; i < kKeysAWord; ++i) {
        cursor.go_to(place + i);
        parts[i * sizeof(Key) / 4] |= cursor.value() << i * sizeof(Key) % 4 * 8;
    }
    return make_uint4(parts[0], parts[1], parts[2], parts[3]);
}

extern "C" __global__ void __launch_bounds__(kFillThreads) fill_values(Key* array, u64 count, const u64* offsets) {
    wait_for_previous_kernel();
    const KeyWords keys(array, count);
    const u64 warp = (blockIdx.x * (u64)kFillThreads + threadIdx.x) / kWarpSize;
    const u64 warp_count = gridDim.x * (u64)kFillThreads / kWarpSize;
    const u64 part = kFillRows * kWarpSize;
    for (u64 begin = warp * part; begin < keys.words; begin += warp_count * part) {
        const u64 first = begin + threadIdx.x % kWarpSize;
        if (first < keys.words) {
            ValueCursor cursor(offsets, keys.head + first * kKeysAWord);
            const u64 end = min_of(begin + part, keys.words);
            for (u64 word = first; word < end; word += kWarpSize) {
                const u64 place = keys.head + word * kKeysAWord;
                cursor.go_to(place);
                __stcs(keys.word(word), word_at(cursor, place));
            }
        }
    }
    if (warp == 0) {
        keys.for_each_other([&](u64 place) { array[place] = (Key)ValueCursor(offsets, place).value(); });
    }
}
