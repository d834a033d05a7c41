// A sorted random sample of a segment. One block sorts a small sample. Of a large one, each of several blocks sorts a
// part: all draw the same keys, agree on bounds between the parts, and each takes the keys within its own bounds. So no
// block waits for another, and the sample is the same however many blocks sort it.
#pragma once
#include "parts/block_sort.cuh"

// Turns a counter into random bits, so samples need no state: the last steps of MurmurHash3 (Appleby 2011).
__device__ __forceinline__ u32 random_bits(u32 counter) {
    counter = (counter ^ counter >> 16) * 0x85ebca6bu;
    counter = (counter ^ counter >> 13) * 0xc2b2ae35u;
    return counter ^ counter >> 16;
}

// `size` elements are divided into `count` strata that lie next to each other and whose sizes differ by at most one
// element. (With more strata than elements, some elements are drawn several times.) A random place in each stratum is
// as good as independent draws for any input, and better for presorted ones. The numbers are fixed-point, since a
// 64-bit division for each key would be many instructions.
class Strata {
  public:
    __device__ __forceinline__ Strata(u64 size, u32 count)
        : whole_(size / count), part_((size % count << 32) / count) {}

    __device__ __forceinline__ u64 random_place(u32 stratum, u32 counter) const {
        const u64 first = begin(stratum);
        return first + ((begin(stratum + 1) - first) * random_bits(counter) >> 32);
    }

  private:
    __device__ __forceinline__ u64 begin(u32 stratum) const { return stratum * whole_ + (stratum * part_ >> 32); }

    u64 whole_;
    u64 part_;  // the fraction of an element, in units of 2^-32
};

// The places of the keys equal to a sampled key in the sorted sample: this many keys are less, and this many are not
// greater.
struct alignas(8) RankRange {
    u32 less;
    u32 not_greater;
};

// A block's part of the sorted sample.
struct SamplePart {
    using Sort = BlockSort<kSampleItems, OrderedKey, kSampleBuffers>;

    Sort::Items keys;
    u32 begin;  // the rank of keys[0] in the whole sample
    u32 count;
    // These counts cover the whole sample, since keys equal to the first and the last may be in other parts.
    u32 less_than_first;
    u32 not_greater_than_last;

    // Returns how many sampled keys are less than keys[index].
    __device__ __forceinline__ u32 less_than(u32 index) const {
        const OrderedKey key = keys[index];
        if (index != 0 && less(keys[index - 1], key)) {
            return begin + index;
        }
        u32 low = 0;
        u32 high = index;
        while (low < high) {
            const u32 middle = (low + high) / 2;
            if (less(keys[middle], key)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? less_than_first : begin + low;
    }

    // Returns how many sampled keys are not greater than keys[index].
    __device__ __forceinline__ u32 not_greater_than(u32 index) const {
        const OrderedKey key = keys[index];
        if (index + 1 != count && less(key, keys[index + 1])) {
            return begin + index + 1;
        }
        u32 low = index + 1;
        u32 high = count;
        while (low < high) {
            const u32 middle = (low + high) / 2;
            if (less(key, keys[middle])) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low == count ? not_greater_than_last : begin + low;
    }
};

struct SampleShared {
    OrderedKey* slots;
    OrderedKey* bounds;  // [2]: the bounds of this part, below and above
    u32* bound_indexes;  // [2]: which sampled keys the bounds are
    u64* warp_totals;
    RankRange* ranks;  // of the splitters

    __device__ SampleShared() {
        unsigned char* end = shared_memory + SamplePart::Sort::shared_bytes();
        slots = (OrderedKey*)shared_memory;
        bounds = (OrderedKey*)end;
        end += align_16(2 * sizeof(OrderedKey));
        bound_indexes = (u32*)end;
        end += align_16(2 * sizeof(u32));
        warp_totals = (u64*)end;
        end += kWarpSize * sizeof(u64);
        ranks = (RankRange*)end;
    }

    __host__ __device__ static constexpr u32 bytes() {
        return SamplePart::Sort::bytes(kSampleThreads) + align_16(2 * sizeof(OrderedKey)) + align_16(2 * sizeof(u32))
            + kWarpSize * sizeof(u64) + kMaxBucketCount * sizeof(RankRange);
    }
};

// Counts the keys of each kind that matter to a part, four counts in one word.
class KeyCounts {
  public:
    __device__ __forceinline__ void add(bool is_in_part, bool is_before, bool is_less, bool is_not_greater) {
        word_ += (u64)is_in_part + ((u64)is_before << kBits) + ((u64)is_less << 2 * kBits)
            + ((u64)is_not_greater << 3 * kBits);
    }

    // Turns the counts of this thread into those of the block. Returns how many keys of the part belong to earlier
    // threads.
    __device__ __forceinline__ u32 add_up(u64* warp_totals) {
        return (u32)block_exclusive_scan<u64>(word_, warp_totals, word_) & kMost;
    }

    __device__ __forceinline__ u32 in_part() const { return (u32)word_ & kMost; }
    __device__ __forceinline__ u32 before() const { return (u32)(word_ >> kBits) & kMost; }
    __device__ __forceinline__ u32 less_than_bound() const { return (u32)(word_ >> 2 * kBits) & kMost; }
    __device__ __forceinline__ u32 not_greater_than_bound() const { return (u32)(word_ >> 3 * kBits); }

  private:
    static constexpr u32 kBits = 16;
    static constexpr u32 kMost = (1u << kBits) - 1;
    static_assert(kSampleThreads * kSampleItems <= kMost, "a count has 16 bits");

    u64 word_ = 0;
};

// Draws the whole sample, key i as draw(i), and sorts part `part` of `part_count`. There is one part, or with two
// buffers at most the number for which the block's threads and the sample have room, with kBoundOversampling for each.
// No part is empty, since each has candidates for bounds. All threads call `goes_on` once the block draws no more. If
// it returns false, the part stays as it is.
template <typename Draw, typename GoesOn>
__device__ __forceinline__ SamplePart sort_sample(
    const SampleShared& shared, u32 part, u32 part_count, u32 sample_count, const Draw& draw, const GoesOn& goes_on) {
    SamplePart sample{{shared.slots, 0}, 0, sample_count, 0, sample_count};
    if constexpr (kSampleBuffers == 1) {
        sample.keys = SamplePart::Sort::sort(
            shared.slots, sample_count, [&](u32 base, u32 offset) { return draw(base + offset); });
        goes_on();
        return sample;
    } else {
        // The candidates for the bounds are one random key from each of this many strata of the sample. Which of them
        // become bounds depends on their ranks. At equal distances, all of them could come from the same places of an
        // input that repeats itself.
        const u32 candidate_count = part_count * kBoundOversampling;
        const u32 distance = sample_count / candidate_count;
        const u32 candidate = threadIdx.x * distance + (u32)((u64)random_bits(threadIdx.x) * distance >> 32);
        if (part_count > 1 && threadIdx.x < candidate_count) {
            // The emulated GPU does not see a store that a function call makes through its result, so the key has a
            // variable.
            const OrderedKey key = draw(candidate);
            shared.slots[threadIdx.x] = key;
        }
        // The thread draws the keys that it would load for sorting.
        const u32 first = threadIdx.x / kWarpSize * SamplePart::Sort::kWarpItems + threadIdx.x % kWarpSize;
        OrderedKey drawn[kSampleItems];
#pragma unroll
        for (u32 i = 0; i < kSampleItems; ++i) {
            drawn[i] = draw(min_of(first + i * kWarpSize, sample_count - 1));
        }
        // A part is gathered in the second buffer. The warp that loads items there for sorting also writes its merged
        // items there.
        const SamplePart::Sort::Items gathered{shared.slots + SamplePart::Sort::slot_bytes() / sizeof(OrderedKey), 0};
        OrderedKey above;
        u32 not_greater_than_above;
        if (part_count > 1) {
            __syncthreads();
            if (threadIdx.x < candidate_count) {
                // Among equal keys the one drawn first comes first, so the sizes of parts do not depend on the keys.
                const OrderedKey own = shared.slots[threadIdx.x];
                u32 rank = 0;
#pragma unroll 4
                for (u32 other = 0; other < candidate_count; ++other) {
                    const OrderedKey key = shared.slots[other];
                    rank += other < threadIdx.x ? !less(own, key) : less(key, own);
                }
                const u32 bound = rank / kBoundOversampling - part;
                if (rank % kBoundOversampling == 0 && bound < 2) {
                    shared.bounds[bound] = own;
                    shared.bound_indexes[bound] = candidate;
                }
            }
            __syncthreads();
            const bool has_bound_below = part != 0;
            const bool has_bound_above = part + 1 != part_count;
            const OrderedKey below = shared.bounds[0];
            above = shared.bounds[has_bound_above];
            const u32 below_index = shared.bound_indexes[0];
            const u32 above_index = shared.bound_indexes[has_bound_above];
            KeyCounts counts;
            u32 is_in_part = 0;
#pragma unroll
            for (u32 i = 0; i < kSampleItems; ++i) {
                const u32 index = first + i * kWarpSize;
                if (index < sample_count) {
                    const bool is_less = has_bound_below && less(drawn[i], below);
                    const bool is_not_greater = has_bound_above && !less(above, drawn[i]);
                    const bool is_before =
                        is_less || (has_bound_below && index < below_index && !less(below, drawn[i]));
                    const bool is_behind =
                        has_bound_above && (!is_not_greater || (index >= above_index && !less(drawn[i], above)));
                    const bool is_mine = !is_before && !is_behind;
                    is_in_part |= (u32)is_mine << i;
                    counts.add(is_mine, is_before, is_less, is_not_greater);
                }
            }
            u32 place = counts.add_up(shared.warp_totals);
            if (!goes_on()) {
                return sample;
            }
#pragma unroll
            for (u32 i = 0; i < kSampleItems; ++i) {
                if (is_in_part >> i & 1) {
                    gathered[place] = drawn[i];
                    ++place;
                }
            }
            __syncthreads();
            // The first key is the lower bound, or a key equal to it.
            sample.begin = counts.before();
            sample.count = counts.in_part();
            sample.less_than_first = counts.less_than_bound();
            not_greater_than_above = has_bound_above ? counts.not_greater_than_bound() : sample_count;
        }
        sample.keys = SamplePart::Sort::sort(shared.slots, sample.count, [&](u32 base, u32 offset) {
            return part_count > 1 ? gathered[base + offset] : drawn[offset / kWarpSize];
        });
        if (part_count == 1) {
            goes_on();
        } else {
            const bool reaches_bound = part + 1 != part_count && !less(sample.keys[sample.count - 1], above);
            sample.not_greater_than_last = reaches_bound ? not_greater_than_above : sample.begin + sample.count;
        }
        return sample;
    }
}
