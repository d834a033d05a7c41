// Counters of cells that have one number each (cell_sort.cuh). Items of such cells are in order as soon as they are
// placed.
//
// If each counter has a word, lanes that count in the same one do not wait for each other: the instruction that adds
// one and returns nothing adds for all of them at once. They wait only when they take places. If there are more
// counters, two share a word, and lanes wait in both steps.
//
// Counters that are multiples of 32 apart, as those of powers modulo a power of two often are, would all lie in one
// bank of shared memory. So rows of four words are permuted within each 32 words, differently in each of eight
// neighbours.
#pragma once
#include "parts/basics.cuh"

template <bool kHalves>
struct OwnCounters {
    static constexpr bool kHaveHalves = kHalves;

    // Adds one to a counter and returns what it was.
    __device__ __forceinline__ static u32 add(u32* words, u32 counter) {
        if constexpr (kHalves) {
            const u32 shift = counter % 2 * 16;
            return atomicAdd(&words[place_of_word(counter / 2)], 1u << shift) >> shift & 0xffff;
        } else {
            return atomicAdd(&words[place_of_word(counter)], 1u);
        }
    }

    __device__ __forceinline__ static u32 place_of_row(u32 row) { return row ^ row / 8 % 8; }

  private:
    __device__ __forceinline__ static u32 place_of_word(u32 word) { return word ^ word / 32 % 8 * 4; }
};
