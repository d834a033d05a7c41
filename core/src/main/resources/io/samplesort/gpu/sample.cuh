// A sorted random sample of a segment. One block sorts a small one. Of a large one each of several blocks sorts a part: all
// draw the same keys, agree on bounds between the parts, and each takes the keys within its own. So no block waits for
// another, and the sample is the same however many sort it.
#pragma once

__device__ __forceinline__ u64 random_bits(u64 seed) {
    // SplitMix64 (Steele, Lea, Flood 2014): a counter in, random bits out, so samples need no state.
    u64 z = seed * 0x9e3779b97f4a7c15ull + 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// A random place within stratum `index` of `sample_count` equal strata of `size` elements (more strata than elements draw
// some of them several times): as random as independent draws for any input, and better for presorted ones.
__device__ __forceinline__ u64 sample_position(u64 seed, u64 index, u64 sample_count, u64 size) {
    const u64 begin = index * size / sample_count;
    const u64 end = (index + 1) * size / sample_count;
    return begin + __umul64hi(random_bits(seed), end - begin);
}

// Where the keys equal to one of a sample lie in the sorted sample: behind so many less ones, up to so many not greater ones.
struct alignas(8) RankRange {
    u32 less;
    u32 not_greater;
};

// Keys that say where one part ends and the next begins are a sample of the sample, so many for each part.
constexpr u32 kBoundOversampling = 8;

// A block's part of the sorted sample.
struct SamplePart {
    using Sort = BlockSort<kSampleItems, OrderedKey, kSampleBuffers>;

    Sort::Items keys;
    u32 begin;  // the rank of keys[0] in the whole sample
    u32 count;
    // Of the whole sample, as keys equal to these may be in other parts.
    u32 less_than_first;
    u32 not_greater_than_last;

    // How many sampled keys are less than keys[index].
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

    // How many sampled keys are not greater than keys[index].
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
    OrderedKey* bounds;   // [2]: of this part, below and above
    u32* bound_indexes;   // [2]: which sampled keys these are
    u64* warp_totals;
    RankRange* ranks;     // of the splitters

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
};

// Draws the whole sample, key i as draw(i), and sorts it.
template <typename Draw>
__device__ __forceinline__ SamplePart sort_sample(const SampleShared& shared, u32 sample_count, const Draw& draw) {
    const auto keys =
        SamplePart::Sort::sort(shared.slots, sample_count, [&](u32 base, u32 offset) { return draw(base + offset); });
    return SamplePart{keys, 0, sample_count, 0, sample_count};
}

// Draws the whole sample and sorts part `part` of `part_count`, at most a kBoundOversampling-th of the block's threads and of
// the sample. No part is empty: each has candidates for bounds.
template <typename Draw>
__device__ __forceinline__ SamplePart sort_sample_part(
    const SampleShared& shared, u32 part, u32 part_count, u32 sample_count, const Draw& draw) {
    // Keys at equal distances are candidates for bounds; which ones are is a matter of their ranks. Of equal keys the one drawn
    // first comes first, so that parts are of one size whatever the keys.
    const u32 candidate_count = part_count * kBoundOversampling;
    const u32 distance = sample_count / candidate_count;
    if (threadIdx.x < candidate_count) {
        shared.slots[threadIdx.x] = draw(threadIdx.x * distance);
    }
    OrderedKey drawn[kSampleItems];
#pragma unroll
    for (u32 i = 0; i < kSampleItems; ++i) {
        drawn[i] = draw(min_of(threadIdx.x + i * kSampleThreads, sample_count - 1));
    }
    __syncthreads();
    if (threadIdx.x < candidate_count) {
        const OrderedKey own = shared.slots[threadIdx.x];
        u32 rank = 0;
#pragma unroll 8
        for (u32 other = 0; other < candidate_count; ++other) {
            const OrderedKey key = shared.slots[other];
            rank += other < threadIdx.x ? !less(own, key) : less(key, own);
        }
        const u32 bound = rank / kBoundOversampling - part;
        if (rank % kBoundOversampling == 0 && bound < 2) {
            shared.bounds[bound] = own;
            shared.bound_indexes[bound] = threadIdx.x * distance;
        }
    }
    __syncthreads();

    const bool has_bound_below = part != 0;
    const bool has_bound_above = part + 1 != part_count;
    const OrderedKey below = shared.bounds[0];
    const OrderedKey above = has_bound_above ? shared.bounds[1] : below;
    const u32 below_index = shared.bound_indexes[0];
    const u32 above_index = has_bound_above ? shared.bound_indexes[1] : 0;
    // Four counts in one word: of keys in this part, in those before, less than the bound below, not greater than that above.
    constexpr u32 kCountBits = 16;
    static_assert(kSampleThreads * kSampleItems < 1u << kCountBits, "four counts share a word");
    u64 counts = 0;
    u32 is_mine = 0;
#pragma unroll
    for (u32 i = 0; i < kSampleItems; ++i) {
        const u32 index = threadIdx.x + i * kSampleThreads;
        if (index < sample_count) {
            const bool is_less = has_bound_below && less(drawn[i], below);
            const bool is_not_greater = has_bound_above && !less(above, drawn[i]);
            const bool is_before = is_less || (has_bound_below && !less(below, drawn[i]) && index < below_index);
            const bool is_behind =
                has_bound_above && (!is_not_greater || (!less(drawn[i], above) && index >= above_index));
            is_mine |= (u32)(!is_before && !is_behind) << i;
            counts += (u64)is_before << kCountBits;
            counts += (u64)is_less << 2 * kCountBits;
            counts += (u64)is_not_greater << 3 * kCountBits;
        }
    }
    u64 total;
    u32 place = (u32)block_exclusive_scan<u64>(counts + __popc(is_mine), shared.warp_totals, total) % (1u << kCountBits);
    const auto count_of = [&](u32 which) { return (u32)(total >> which * kCountBits) % (1u << kCountBits); };
    // Where the warp that loads them for sorting writes its merged runs, and no other.
    const SamplePart::Sort::Items gathered{shared.slots + SamplePart::Sort::slot_bytes() / sizeof(OrderedKey), 0};
#pragma unroll
    for (u32 i = 0; i < kSampleItems; ++i) {
        if (is_mine >> i & 1) {
            gathered[place] = drawn[i];
            ++place;
        }
    }
    __syncthreads();

    const u32 count = count_of(0);
    const auto keys =
        SamplePart::Sort::sort(shared.slots, count, [&](u32 base, u32 offset) { return gathered[base + offset]; });
    const bool reaches_bound = has_bound_above && !less(keys[count - 1], above);
    // The first key is the bound below, or one equal to it.
    return SamplePart{keys, count_of(1), count, count_of(2), reaches_bound ? count_of(3) : count_of(1) + count};
}
