// Counts how often each value occurs among keys of 8 or 16 bits. A block counts in shared memory, and adds up in global
// memory when it has seen its keys.
//
// Inputs that repeat few values must not have the lanes of a warp wait for each other. Of 8 bits there are so few values
// that each lane has counters of its own, in a bank of its own, for all warps of the block: whatever the keys are, no
// two lanes meet. Of 16 bits there is room for one counter of 16 bits for each value, two in a word.
#pragma once

constexpr u32 kCounterCopies = sizeof(Key) == 1 ? kWarpSize : 1;
constexpr u32 kCountBytes = sizeof(Key) == 1 ? kValueCount * kWarpSize * sizeof(u32) : kValueCount * sizeof(u16);

// Words that a thread loads at once.
constexpr int kCountedWords = sizeof(Key) == 1 ? 2 : 4;

// The values that a block counts: all of them, or a part where shared memory is too small for all.
struct CountedValues {
    u32 first;
    u32 count;
    u32* counters;
    u64* totals;

    // Counts a value `times` times.
    __device__ __forceinline__ void add(u32 value, u32 times) const {
        const u32 index = value - first;
        if (index >= count) {
            return;
        }
        if constexpr (sizeof(Key) == 1) {
            atomicAdd(&counters[index * kWarpSize + threadIdx.x % kWarpSize], times);
        } else {
            // A counter that overflows carries into the upper counter of its word, or out of the word. Whoever sees it
            // puts the totals right, so nobody waits for anybody.
            const u32 shift = index % 2 * 16;
            const u32 added = times << shift;
            const u32 after = atomicAdd(&counters[place(index / 2)], added) + added;
            if ((after >> shift & 0xffff) < times) {
                atomicAdd(&totals[value], 1ull << 16);
                if (shift == 0) {
                    // The upper counter has one too many, and has overflowed itself if it is 0 now.
                    atomicAdd(&totals[value + 1], (after >> 16 == 0 ? 1ull << 16 : 0) - 1);
                }
            }
        }
    }

    __device__ __forceinline__ u32 counter_words() const {
        return sizeof(Key) == 1 ? count * kWarpSize : count / 2;
    }

    // Adds what the block has counted to the totals.
    __device__ __forceinline__ void publish() const {
        if constexpr (sizeof(Key) == 1) {
            for (u32 index = threadIdx.x / kWarpSize; index < count; index += kCountThreads / kWarpSize) {
                u32 sum = counters[index * kWarpSize + threadIdx.x % kWarpSize];
                for (u32 distance = kWarpSize / 2; distance > 0; distance /= 2) {
                    sum += __shfl_xor_sync(kAllLanes, sum, (int)distance);
                }
                publish(index, threadIdx.x % kWarpSize == 0 ? sum : 0);
            }
        } else {
            for (u32 word = threadIdx.x; word < count / 2; word += kCountThreads) {
                publish(2 * word, counters[place(word)] & 0xffff);
                publish(2 * word + 1, counters[place(word)] >> 16);
            }
        }
    }

    __device__ __forceinline__ u32* word_of(u32 value) const { return &counters[place((value - first) / 2)]; }

  private:
    // Returns where the counters of a word lie. Values at equal distances, such as multiples of 64, would otherwise have
    // all their counters in one bank.
    __device__ static __forceinline__ u32 place(u32 word) { return word ^ (word / kWarpSize % kWarpSize); }

    __device__ __forceinline__ void publish(u32 index, u32 times) const {
        if (times != 0) {
            atomicAdd(&totals[first + index], (u64)times);
        }
    }
};

// Counts the keys of a word. A word of one value is counted at once: where keys come in order, or are all the same,
// neighbouring lanes would wait for each other.
__device__ __forceinline__ void count_word(const CountedValues& values, const uint4& word) {
    if constexpr (sizeof(Key) > 1) {
        const u32 first = key_of_word(word, 0);
        const u32 repeated = repeat_value(first);
        if (word.x == repeated && word.y == repeated && word.z == repeated && word.w == repeated) {
            values.add(first, kKeysAWord);
            return;
        }
    }
#pragma unroll
    for (u32 i = 0; i < kKeysAWord; ++i) {
        values.add(key_of_word(word, i), 1);
    }
}

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

// Counts the keys of a word where some values are frequent.
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
            values.add(key_of_word(word, i), 1);
        }
    }
}

// `totals` has a counter for each value, by its bits, and is 0 before. The blocks of number b, b + parts, b + 2 parts
// and so on count part b of the values. There is
// shared memory for frequent values where they are sought, and at least a key for each thread.
extern "C" __global__ void __launch_bounds__(kCountThreads) count_values(
    Key* array, u64 count, u64* totals, u64 parts, u64 seeks_frequent) {
    allow_next_kernel();
    const u32 share = kValueCount / (u32)parts;
    const CountedValues values{blockIdx.x % (u32)parts * share, share, (u32*)shared_memory, totals};
    for (u32 word = threadIdx.x; word < values.counter_words(); word += kCountThreads) {
        values.counters[word] = 0;
    }
    __syncthreads();
    const KeyWords keys(array, count);
    const u64 block = blockIdx.x / (u32)parts;
    const u64 stride = gridDim.x / (u32)parts * (u64)kCountThreads;
    const FrequentValues frequent(shared_memory + kCountBytes);
    bool finds_frequent = false;
    if constexpr (sizeof(Key) > 1) {
        if (seeks_frequent != 0) {
            const u64 part = count / kCountThreads;
            const u32 value = (u32)array[threadIdx.x * part + blockIdx.x % part] & (kValueCount - 1);
            finds_frequent = frequent.find(value, values.word_of(value), value % 2 * 16);
        }
    }
    const u64 begin = block * kCountThreads + threadIdx.x;
    if (finds_frequent) {
        for_each_word(keys, begin, stride, [&](const uint4& word) { count_word(values, frequent, word); });
    } else {
        for_each_word(keys, begin, stride, [&](const uint4& word) { count_word(values, word); });
    }
    if (block == 0 && threadIdx.x < kWarpSize) {
        keys.for_each_other([&](u64 place) {
            values.add((u32)array[place] & (kValueCount - 1), 1);
        });
    }
    __syncthreads();
    values.publish();
    if (finds_frequent) {
        frequent.publish(totals);
    }
}
