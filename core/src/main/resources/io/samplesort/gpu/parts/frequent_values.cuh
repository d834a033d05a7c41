// Values that are so frequent that the lanes of a warp would wait for each other to count them, as with keys of 16 bits
// that have two random values, or are mostly equal. A block finds such values in a sample of the input, and counts them
// separately for each lane. Looking up a key takes longer than counting it, so this is done only if it pays.
#pragma once
#include "parts/key_words.cuh"

// A value is frequent if it is a sixteenth of the sample, to which each thread contributes one key. Lanes seldom
// collide on rarer values.
constexpr u32 kFrequentTimes = kCountThreads / 16;
constexpr u32 kMostFrequent = kCountThreads / kFrequentTimes;
// From here on a counter of 16 bits may overflow in a large input.
constexpr u32 kCommonTimes = kCountThreads / 64;
// Frequent values are worth it from this part of the sample on.
constexpr int kFrequentKeys = kCountThreads / 4;

struct FrequentValues {
    u8* slots;    // for each value its slot, from 1 on; 0 if it is not frequent
    u32* hits;    // for each slot and lane
    u32* values;  // for each slot; entry 0 is how many slots are taken

    __device__ __forceinline__ explicit FrequentValues(unsigned char* memory)
        : slots(memory), hits((u32*)(memory + kValueCount)), values(hits + (kMostFrequent + 1) * kWarpSize) {}

    static constexpr u32 kBytes =
        sizeof(Key) == 1 ? 0 : align_16(kValueCount + (kMostFrequent + 1) * (kWarpSize + 1) * (u32)sizeof(u32));

    // Looks for frequent values; returns whether there are enough. All threads of the block call this, each with a
    // value of the sample and with the counter of that value, which is 0 before and after: 16 bits of a word.
    // `finds_common` becomes true if there are values whose counters may overflow.
    __device__ bool find(u32 value, u32* word, u32 shift, bool& finds_common) const {
        atomicAdd(word, 1u << shift);
        __syncthreads();
        const u32 times = *word >> shift & 0xffff;
        finds_common = __syncthreads_or(times >= kCommonTimes);
        const bool is_frequent = times >= kFrequentTimes;
        const bool pays = __syncthreads_count(is_frequent) >= kFrequentKeys;
        atomicExch(word, 0u);
        if (pays) {
            for (u32 i = threadIdx.x; i < kBytes / sizeof(u32); i += kCountThreads) {
                ((u32*)slots)[i] = 0;
            }
        }
        __syncthreads();
        if (pays && is_frequent && (atomicOr(word, 1u << shift) >> shift & 1) == 0) {
            const u32 slot = atomicAdd(&values[0], 1u) + 1;
            values[slot] = value;
            slots[value] = (u8)slot;
        }
        __syncthreads();
        atomicExch(word, 0u);
        __syncthreads();
        return pays;
    }

    __device__ __forceinline__ void add(u32 slot) const {
        atomicAdd(&hits[slot * kWarpSize + threadIdx.x % kWarpSize], 1u);
    }

    // Adds what the block has counted to the totals. Each warp has a slot.
    __device__ __forceinline__ void publish(const ValueTotals& totals) const {
        static_assert(kMostFrequent <= kCountThreads / kWarpSize);
        const u32 slot = threadIdx.x / kWarpSize + 1;
        if (slot <= values[0]) {
            u32 sum = hits[slot * kWarpSize + threadIdx.x % kWarpSize];
            for (u32 distance = kWarpSize / 2; distance > 0; distance /= 2) {
                sum += __shfl_xor_sync(kAllLanes, sum, (int)distance);
            }
            if (threadIdx.x % kWarpSize == 0) {
                totals.add(values[slot], sum);
            }
        }
    }
};
