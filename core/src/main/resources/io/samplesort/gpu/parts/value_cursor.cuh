// Looks up which value belongs at a place of the result.
#pragma once
#include "parts/key_values.cuh"

// The value of a place in the result, for places that only grow.
class ValueCursor {
  public:
    __device__ __forceinline__ ValueCursor(const u64* offsets, u64 place) : offsets_(offsets) {
        search(place, 0, kValueCount);
    }

    // Moves to a place.
    __device__ __forceinline__ void go_to(u64 place) {
        if (place >= end_) {
            // The next value that occurs is usually near.
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
    // Finds the last value from `low` to just before `high` that begins at `place` or before.
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
