// Writes the keys of elements whose payloads have been moved by value, in order. A block writes a part of the result,
// and keeps the begins of the values of one high byte in shared memory. Searching for them in global memory, as
// fill_values does, takes some 30 us if there are few keys for each value of 16 bits.
#pragma once
#include "parts/key_words.cuh"
#include "parts/last_begin.cuh"
#include "parts/segments.cuh"
#include "parts/value_cursor.cuh"

// How many high bytes there are; one if keys have only one byte.
constexpr u32 kHighBytes = kValueCount / kByteValues;

struct FillShared {
    u64 segments[kHighBytes + 1];  // where the keys of each high byte begin
    u64 begins[kByteValues + 1];   // where the keys of each value of one high byte begin
};

// Returns the word at the place where the keys of value `byte` of the current high byte begin. Its last keys may have
// another high byte.
__device__ __forceinline__ uint4
mixed_word(const FillShared& shared, const u64* offsets, u32 segment, u32 byte, u64 place) {
    u32 parts[4] = {0, 0, 0, 0};
#pragma unroll
    for (u32 i = 0; i < kKeysAWord; ++i) {
        while (byte < kByteValues && shared.begins[byte + 1] <= place + i) {
            ++byte;
        }
        const u32 value =
            byte < kByteValues ? value_of_rank(segment * kByteValues + byte) : ValueCursor(offsets, place + i).value();
        parts[i * sizeof(Key) / 4] |= value << i * sizeof(Key) % 4 * 8;
    }
    return make_uint4(parts[0], parts[1], parts[2], parts[3]);
}

// `offsets` are the begins of the keys of each value, by its rank, and after them the number of all keys. `mark` is the
// mark of the input.
extern "C" __global__ void __launch_bounds__(kFillThreads)
    fill_bytes(Key* array, u64 count, const u64* offsets, const u8* mark) {
    wait_for_previous_kernel();
    if (*mark == kIsPlaced) {
        return;
    }
    FillShared& shared = *(FillShared*)shared_memory;
    const KeyWords keys(array, count);
    const auto place_of = [&](u64 word) { return keys.head + word * kKeysAWord; };
    u64 word = keys.words * blockIdx.x / gridDim.x;
    const u64 end = keys.words * (blockIdx.x + 1) / gridDim.x;
    for (u32 high = threadIdx.x; high <= kHighBytes; high += kFillThreads) {
        shared.segments[high] = offsets[high * kByteValues];
    }
    __syncthreads();
    u32 segment = last_begin(shared.segments, kHighBytes, place_of(word));
    while (word < end) {
        while (shared.segments[segment + 1] <= place_of(word)) {
            ++segment;
        }
        for (u32 byte = threadIdx.x; byte <= kByteValues; byte += kFillThreads) {
            shared.begins[byte] = offsets[segment * kByteValues + byte];
        }
        __syncthreads();
        // Takes the words that begin in the segment.
        const u64 last = min_of(end, ceil_div(shared.segments[segment + 1] - keys.head, kKeysAWord));
        u32 byte = 0;
        u64 byte_end = 0;
        for (u64 index = word + threadIdx.x; index < last; index += kFillThreads) {
            const u64 place = place_of(index);
            if (place >= byte_end) {
                byte = last_begin(shared.begins, kByteValues, place);
                byte_end = shared.begins[byte + 1];
            }
            if (place + kKeysAWord <= byte_end) {
                const u32 repeated = repeat_value(value_of_rank(segment * kByteValues + byte));
                __stcs(keys.word(index), make_uint4(repeated, repeated, repeated, repeated));
            } else {
                __stcs(keys.word(index), mixed_word(shared, offsets, segment, byte, place));
            }
        }
        word = last;
        __syncthreads();
    }
    if (blockIdx.x == 0 && threadIdx.x < kWarpSize) {
        keys.for_each_other([&](u64 place) { array[place] = (Key)ValueCursor(offsets, place).value(); });
    }
}
