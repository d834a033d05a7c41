// Writes the keys in order: each value as often as it was counted. A warp writes a part of the result and looks for the
// value there by itself, so nothing depends on how often a value occurs.
#pragma once
#include "parts/key_words.cuh"

// Rows of words, one for each lane, that a warp writes before it looks for its next part.
constexpr u32 kFillRows = 16;

// The value of a place in the result, for places that only grow.
class ValueCursor {
  public:
    __device__ __forceinline__ ValueCursor(const u64* offsets, u64 place)
        : offsets_(offsets) {
        search(place, 0, kValueCount);
    }

    // Goes to a place.
    __device__ __forceinline__ void go_to(u64 place) {
        if (place >= end_) {
            // The next value that occurs is mostly near.
            u32 low = rank_ + 1;
            u32 step = 1;
            while (low + step < kValueCount && offsets_[low + step] <= place) {
                low += step;
                step *= 2;
            }
            search(place, low, min_of(low + step, kValueCount));
        }
    }

    __device__ __forceinline__ u32 value() const { return value_of_rank(rank_); }
    __device__ __forceinline__ u64 end() const { return end_; }  // of the value

  private:
    // Finds the last value from `low` on and before `high` that begins at `place` or before.
    __device__ __forceinline__ void search(u64 place, u32 low, u32 high) {
        while (high - low > 1) {
            const u32 middle = (low + high) / 2;
            if (offsets_[middle] <= place) {
                low = middle;
            } else {
                high = middle;
            }
        }
        rank_ = low;
        end_ = offsets_[low + 1];
    }

    const u64* offsets_;
    u32 rank_;
    u64 end_;
};

// Returns the word of the result that begins at a place where `cursor` is, and moves it on.
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
