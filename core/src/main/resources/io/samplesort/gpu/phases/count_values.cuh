// Counts how often each value occurs among keys of 8 or 16 bits. A block counts in shared memory, and adds up in global
// memory when it has seen its keys.
//
// Inputs that repeat few values must not make the lanes of a warp wait for each other. Values of 8 bits are so few that
// each lane has counters of its own, in a bank of its own, which all warps of the block share: whatever the keys are,
// no two lanes of a warp collide. For values of 16 bits there is room for one counter of 16 bits each, two in a word.
//
// A counter of 16 bits may overflow. Checking each counter after every addition takes longer, so a block first counts
// without checks. An overflow then shows in the sum of all counters, and the block counts once more with checks.
#pragma once
#include "parts/frequent_values.cuh"
#include "parts/sample.cuh"

constexpr u32 kCounterBytes = sizeof(Key) == 1 ? kValueCount * kWarpSize * sizeof(u32) : kValueCount * sizeof(u16);
// The shared memory of a block: the counters, and a number for each warp.
constexpr u32 kCountBytes = kCounterBytes + kWarpSize * sizeof(u32);

// The values that a block counts: all of them, or a part if shared memory is too small for all.
struct CountedValues {
    u32 first;
    u32 count;
    u32* counters;
    ValueTotals totals;

    // Counts a value `times` times. With checks (kLooks) it corrects the totals if a counter overflows, and only counts
    // the values of this block; without checks a block counts all values.
    template <bool kLooks>
    __device__ __forceinline__ void add(u32 value, u32 times) const {
        const u32 index = value - first;
        if (kLooks && index >= count) {
            return;
        }
        if constexpr (sizeof(Key) == 1) {
            atomicAdd(&counters[index * kWarpSize + threadIdx.x % kWarpSize], times);
        } else {
            const u32 shift = index % 2 * 16;
            const u32 added = times << shift;
            const u32 before = atomicAdd(&counters[place(index / 2)], added);
            // A counter that overflows carries into the upper counter of its word, or out of the word. The thread that
            // sees this corrects the totals, so no thread waits for another.
            if constexpr (kLooks) {
                const u32 after = before + added;
                if ((after >> shift & 0xffff) < times) {
                    totals.add(value, 1ull << 16);
                    if (shift == 0) {
                        // The upper counter has one too many, and has overflowed itself if it is 0 now.
                        totals.add(value + 1, (after >> 16 == 0 ? 1ull << 16 : 0) - 1);
                    }
                }
            }
        }
    }

    // Does the same as add<false>() once for each of two neighbouring keys of 16 bits. More instructions would take
    // longer than the counting itself, so two shifts turn a key into the address of its counter.
    __device__ __forceinline__ void add_both(u32 keys) const {
        constexpr u32 kWordBytes = (kValueCount / 2 - 1) * sizeof(u32);
        constexpr u32 kBankBytes = (kWarpSize - 1) * sizeof(u32);
        unsigned char* const bytes = (unsigned char*)counters;
        const u32 low = (keys << 1 & kWordBytes) ^ (keys >> 4 & kBankBytes);
        const u32 high = (keys >> 15 & kWordBytes) ^ (keys >> 20 & kBankBytes);
        const u32 high_is_odd = keys & 1u << 16;
        atomicAdd((u32*)(bytes + low), (keys & 1) * 0xffff + 1);
        atomicAdd((u32*)(bytes + high), high_is_odd - (high_is_odd >> 16) + 1);
    }

    // Sets all counters to 0. All threads of the block call this.
    __device__ __forceinline__ void clear() const {
        for (u32 word = threadIdx.x; word < counter_words(); word += kCountThreads) {
            counters[word] = 0;
        }
        __syncthreads();
    }

    // Returns whether no counter of 16 bits has overflowed, if each thread has counted `counted` keys of these values:
    // each overflow takes 65535 or 65536 from the sum of all counters. All threads of the block call this.
    __device__ __forceinline__ bool hold(u32 counted) const {
        u32* differences = counters + kCounterBytes / sizeof(u32);
        __syncthreads();
        u32 difference = counted;
        for (u32 word = threadIdx.x; word < counter_words(); word += kCountThreads) {
            difference -= (counters[word] & 0xffff) + (counters[word] >> 16);
        }
        difference = warp_sum(difference);
        if (threadIdx.x % kWarpSize == 0) {
            differences[threadIdx.x / kWarpSize] = difference;
        }
        __syncthreads();
        return warp_sum(differences[threadIdx.x % kWarpSize]) == 0;
    }

    __device__ __forceinline__ u32 counter_words() const { return sizeof(Key) == 1 ? count * kWarpSize : count / 2; }

    // Adds what the block has counted to the totals. Each block begins at a different value, as blocks that add to the
    // same word wait for each other.
    __device__ __forceinline__ void publish() const {
        if constexpr (sizeof(Key) == 1) {
            for (u32 index = threadIdx.x / kWarpSize; index < count; index += kCountThreads / kWarpSize) {
                const u32 sum = warp_sum(counters[index * kWarpSize + threadIdx.x % kWarpSize]);
                if (threadIdx.x % kWarpSize == 0 && sum != 0) {
                    totals.add(first + index, sum);
                }
            }
        } else {
            const u32 words = counter_words();
            const u32 begin = (u32)((u64)words * blockIdx.x / gridDim.x) / kWarpSize * kWarpSize;
            for (u32 number = threadIdx.x; number < words; number += kCountThreads) {
                const u32 word = number + begin < words ? number + begin : number + begin - words;
                const u32 both = counters[place(word)];
                totals.add_two(first + 2 * word, both & 0xffff, both >> 16);
            }
        }
    }

    __device__ __forceinline__ u32* word_of(u32 value) const { return &counters[place((value - first) / 2)]; }

  private:
    static __device__ __forceinline__ u32 warp_sum(u32 value) {
        for (u32 distance = kWarpSize / 2; distance > 0; distance /= 2) {
            value += __shfl_xor_sync(kAllLanes, value, (int)distance);
        }
        return value;
    }

    // Returns the place of a word of counters. Otherwise values at equal distances, such as multiples of 64, would have
    // all their counters in one bank.
    __device__ static __forceinline__ u32 place(u32 word) { return word ^ (word / kWarpSize % kWarpSize); }
};

// Counts the keys of a word. A word of one value is counted at once: if keys come in order, or are all the same,
// neighbouring lanes would otherwise wait for each other.
template <bool kLooks>
__device__ __forceinline__ void count_word(const CountedValues& values, const uint4& word) {
    if constexpr (sizeof(Key) > 1) {
        const u32 first = key_of_word(word, 0);
        const u32 repeated = repeat_value(first);
        if (word.x == repeated && word.y == repeated && word.z == repeated && word.w == repeated) {
            values.add<kLooks>(first, kKeysAWord);
            return;
        }
    }
    if constexpr (sizeof(Key) > 1 && !kLooks) {
        values.add_both(word.x);
        values.add_both(word.y);
        values.add_both(word.z);
        values.add_both(word.w);
        return;
    }
#pragma unroll
    for (u32 i = 0; i < kKeysAWord; ++i) {
        values.add<kLooks>(key_of_word(word, i), 1);
    }
}

// Counts the keys of a word if some values are frequent.
__device__ __forceinline__ void count_word(
    const CountedValues& values, const FrequentValues& frequent, const uint4& word) {
    u32 slots[kKeysAWord];
#pragma unroll
    for (u32 i = 0; i < kKeysAWord; ++i) {
        slots[i] = frequent.slots[key_of_word(word, i)];
    }
#pragma unroll
    for (u32 i = 0; i < kKeysAWord; ++i) {
        if (slots[i] != 0) {
            frequent.add(slots[i]);
        } else {
            values.add<true>(key_of_word(word, i), 1);
        }
    }
}

// Makes a block count its keys: `count_word(word)` counts those of a word, and the words of a block are those from
// `block` on, one for each thread. The first block also counts the keys that are in no word. Returns how many keys the
// thread has counted.
template <bool kLooks, typename CountWord>
__device__ __forceinline__ u32
count_keys(const CountedValues& values, const KeyWords& keys, u64 block, u64 stride, const CountWord& count_word) {
    u32 counted = 0;
    for_each_word(keys, block * kCountThreads + threadIdx.x, stride, [&](const uint4& word) {
        count_word(word);
        counted += kKeysAWord;
    });
    if (block == 0 && threadIdx.x < kWarpSize) {
        keys.for_each_other([&](u64 place) {
            values.add<kLooks>((u32)keys.keys[place] & (kValueCount - 1), 1);
            ++counted;
        });
    }
    return counted;
}

// `total_words` are 0 before. The blocks of number b, b + parts, b + 2 parts and so on count part b of the values. If
// frequent values are sought, there is shared memory for them, and at least one key for each thread.
extern "C" __global__ void __launch_bounds__(kCountThreads)
    count_values(Key* array, u64 count, u64* total_words, u64 totals_are_shared, u64 parts, u64 seeks_frequent) {
    allow_next_kernel();
    const u32 share = kValueCount / (u32)parts;
    const ValueTotals totals{total_words, totals_are_shared != 0};
    const CountedValues values{blockIdx.x % (u32)parts * share, share, (u32*)shared_memory, totals};
    values.clear();
    const KeyWords keys(array, count);
    const u64 block = blockIdx.x / (u32)parts;
    const u64 stride = gridDim.x / (u32)parts * (u64)kCountThreads;
    const FrequentValues frequent(shared_memory + kCountBytes);
    bool finds_frequent = false;
    if constexpr (sizeof(Key) == 1) {
        if (parts == 1) {
            count_keys<false>(values, keys, block, stride, [&](const uint4& word) { count_word<false>(values, word); });
        } else {
            count_keys<true>(values, keys, block, stride, [&](const uint4& word) { count_word<true>(values, word); });
        }
    } else {
        // Blocks that count a part of the values do not know how many keys they have counted.
        bool looks = parts != 1;
        if (seeks_frequent != 0) {
            // Places at equal distances could miss values that repeat at such a distance.
            const Strata strata(count, kCountThreads);
            const u64 place = strata.random_place(threadIdx.x, blockIdx.x * kCountThreads + threadIdx.x);
            const u32 value = (u32)array[place] & (kValueCount - 1);
            finds_frequent = frequent.find(value, values.word_of(value), value % 2 * 16, looks);
        }
        if (finds_frequent) {
            count_keys<true>(
                values, keys, block, stride, [&](const uint4& word) { count_word(values, frequent, word); });
        } else {
            if (!looks) {
                const u32 counted = count_keys<false>(
                    values, keys, block, stride, [&](const uint4& word) { count_word<false>(values, word); });
                looks = !values.hold(counted);
                if (looks) {
                    __syncthreads();
                    values.clear();
                }
            }
            if (looks) {
                count_keys<true>(
                    values, keys, block, stride, [&](const uint4& word) { count_word<true>(values, word); });
            }
        }
    }
    __syncthreads();
    values.publish();
    if (finds_frequent) {
        frequent.publish(totals);
    }
}
