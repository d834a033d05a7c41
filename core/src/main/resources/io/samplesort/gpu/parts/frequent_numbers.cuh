// Cells for first numbers that are frequent among the splitters of a segment, if keys are wider than their numbers
// (wide_map.cuh). Ordinary cells would hold many of these splitters, however they are cut. So each frequent number has
// cells of its own in between, and second numbers choose among these.
#pragma once
#include "parts/splitter_tree.cuh"

struct FrequentNumber {
    u64 number;
    u32 least_second;  // the upper word of the least second number among its splitters
    u32 greatest_second;
    u32 factor;  // cells for each second number, in units of 2^-32
    u32 cells;

    // Returns how many of the number's own cells lie before a key. This never falls from a key to the next one.
    __device__ __forceinline__ u32 cells_before(const OrderedKey& key) const {
        const u64 first = number_of(key);
        const u32 second = (u32)(second_number_of(key) >> 32);
        const u32 before = __umulhi(min_of(max_of(second, least_second), greatest_second) - least_second, factor);
        return first == number ? before : first > number ? cells : 0;
    }
};

struct FrequentNumbers {
    static constexpr u32 kMost = 2;

    FrequentNumber at[kMost];
    u32 count;
    u32 cells;  // of all frequent numbers

    // Finds the most frequent first numbers, if more than `few` splitters have them, and gives each a share of the
    // cells equal to its share of the buckets. Uses two words of shared memory. All threads of a block call this, and
    // it begins and ends with a barrier.
    __device__ __forceinline__ static FrequentNumbers of(
        const OrderedKey* tree, u32 bucket_count, u32 few, u32 cell_count, u32* words) {
        const u32 splitter_count = bucket_count - 1;
        const auto number_at = [&](u32 index) -> u64 { return number_of(tree[splitter_node(index, bucket_count)]); };
        FrequentNumbers numbers{};
#pragma unroll 1
        for (u32 which = 0; which < kMost; ++which) {
            __syncthreads();
            if (threadIdx.x == 0) {
                words[which] = 0;
            }
            __syncthreads();
            for (u32 index = threadIdx.x; index + few < splitter_count; index += blockDim.x) {
                const u64 number = number_at(index);
                const bool is_first = index == 0 || number_at(index - 1) != number;
                const bool is_other = which == 0 || index != words[0] % kLength;
                if (is_first && is_other && number_at(index + few) == number) {
                    atomicMax(&words[which], count_alike(number_at, index, splitter_count) * kLength + index);
                }
            }
        }
        __syncthreads();
#pragma unroll
        for (u32 which = 0; which < kMost; ++which) {
            const u32 first = words[which] % kLength;
            const u32 length = words[which] / kLength;
            if (length != 0) {
                const OrderedKey& least = tree[splitter_node(first, bucket_count)];
                const OrderedKey& greatest = tree[splitter_node(first + length - 1, bucket_count)];
                FrequentNumber& number = numbers.at[which];
                number.number = number_of(least);
                number.least_second = (u32)(second_number_of(least) >> 32);
                number.greatest_second = (u32)(second_number_of(greatest) >> 32);
                number.cells = cell_count * length / bucket_count;
                const u32 range = number.greatest_second - number.least_second;
                // The margin keeps rounding from producing a cell beyond the last.
                const float all = (float)number.cells * 4294967296.0f * (1.0f - 1.0f / (1 << 20));
                number.factor = range < number.cells ? ~0u : (u32)(all / ((float)range + 1.0f));
                numbers.cells += number.cells;
                numbers.count = which + 1;
            }
        }
        __syncthreads();
        return numbers;
    }

  private:
    // A word has the begin of a run of splitters, and its length in units of this.
    static constexpr u32 kLength = 1u << 16;

    // Returns how many splitters from `index` on have the same number.
    template <typename NumberAt>
    __device__ __forceinline__ static u32 count_alike(const NumberAt& number_at, u32 index, u32 splitter_count) {
        const u64 number = number_at(index);
        u32 end = index + 1;
        u32 limit = splitter_count;
        while (end < limit) {
            const u32 middle = (end + limit) / 2;
            if (number_at(middle) == number) {
                end = middle + 1;
            } else {
                limit = middle;
            }
        }
        return end - index;
    }
};
