// How splitters are chosen: a random sample of each segment is drawn and sorted, and the splitters are taken from it at
// equal distances. This also gives the buckets their room, unless a larger sample is counted only for that.
#pragma once
#include "parts/rooms.cuh"
#include "parts/sample.cuh"
#include "parts/splitter_tree.cuh"

// Returns how many sampled keys bucket `bucket` would take if they were distributed like the elements. The splitters
// are sample keys, so this is the number of keys up to the bucket's splitter minus those up to the splitter before.
// Equal splitters share their keys between the bucket before and the equality bucket (splitter_tree.cuh).
__device__ __forceinline__ u32 sampled_size(const RankRange* ranks, u32 sample_count, u32 bucket, u32 bucket_count) {
    const auto equal_splitters = [&](u32 first) {
        return first + 2 < bucket_count && ranks[first].less == ranks[first + 1].less;
    };
    const bool is_equality = bucket > 0 && equal_splitters(bucket - 1);
    if (is_equality && bucket > 1 && equal_splitters(bucket - 2)) {
        return 0;
    }
    const u32 begin = bucket == 0 ? 0 : is_equality ? ranks[bucket - 1].less : ranks[bucket - 1].not_greater;
    const u32 end = bucket + 1 == bucket_count    ? sample_count
        : is_equality || !equal_splitters(bucket) ? ranks[bucket].not_greater
                                                  : ranks[bucket].less;
    return end > begin ? end - begin : 0;
}

// Returns the kind of a segment, from the ranks of all its splitters.
__device__ __forceinline__ SegmentKind kind_of_segment(const RankRange* ranks, u32 bucket_count) {
    bool any_equal = false;
    for (u32 index = threadIdx.x; index + 2 < bucket_count; index += kSampleThreads) {
        any_equal |= ranks[index].less == ranks[index + 1].less;
    }
    return __syncthreads_or(any_equal) ? kDistributeWithEqualityBuckets : kDistribute;
}

// Returns whether this block is the last of the `part_count` blocks that come here with their splitters' ranks. In that
// case the ranks of all are in shared memory. Blocks pass them on in the buckets' write positions, which are not in use
// yet; the last bucket has no splitter, so the blocks count themselves there. All threads of a block must be done with
// their ranks.
__device__ __forceinline__ bool is_last_part(
    const SampleShared& shared, const Pass& pass, u64 first_bucket, u32 part_count) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    volatile u64* positions = pass.write_positions + first_bucket;
    bool is_last = false;
    if (threadIdx.x == 0) {
        __threadfence();
        is_last = atomicAdd((u64*)positions + bucket_count - 1, 1ull) == part_count - 1;
        __threadfence();
    }
    if (!__syncthreads_or(is_last)) {
        return false;
    }
    for (u32 index = threadIdx.x; index < bucket_count; index += kSampleThreads) {
        const u64 ranks = positions[index];
        shared.ranks[index] = __builtin_bit_cast(RankRange, ranks);
        // Cleared, as count_sample may count there.
        positions[index] = 0;
    }
    __syncthreads();
    return true;
}

// A block does part blockIdx.x % part_count of segment blockIdx.x / part_count. `key_at` returns the key at a place of
// the pass. All threads call `goes_on` once the block reads no more keys. If it returns false, nothing is chosen.
template <typename KeyAt, typename GoesOn>
__device__ __forceinline__ void choose_splitters(
    const KeyAt& key_at, const Pass& pass, u64 seed, u64 sample_count_limit, u64 parts, bool gives_room,
    const GoesOn& goes_on) {
    const SampleShared shared;
    const u32 part_count = (u32)parts;
    const u32 segment = blockIdx.x / part_count;
    const u32 part = blockIdx.x % part_count;
    const bool is_input = pass.is_of_input != 0;
    const u8 mark = pass.segment_marks[segment];
    const u64 begin = is_input ? 0 : pass.segment_begins[segment];
    const u64 size = !is_input ? pass.segment_offsets[segment + 1] - pass.segment_offsets[segment]
        : mark == kIsPlaced    ? 0
                               : pass.element_count;
    const u32 bucket_count = 1u << pass.log_bucket_count;
    const u64 first_bucket = (u64)segment << pass.log_bucket_count;
    const u32 sample_count = (u32)sample_count_limit;
    SegmentKind kind = (mark & kStays) != 0 ? kStay : kCopy;
    if (mark != 0 || size <= kSmallSortLimit) {
        if (!goes_on() || part != 0) {
            return;
        }
    } else {
        const Strata strata(size, sample_count);
        const u32 counter = ((u32)seed + segment) * SamplePart::Sort::capacity();
        const auto draw = [&](u32 index) { return key_at(begin + strata.random_place(index, counter + index)); };
        bool stops = false;
        const SamplePart sample = sort_sample(shared, part, part_count, sample_count, draw, [&]() {
            stops = !goes_on();
            return !stops;
        });
        if (stops) {
            return;
        }
        for (u32 index = threadIdx.x; index + 1 < bucket_count; index += kSampleThreads) {
            // This is not index * (sample_count / bucket_count): the remainder would all fall into the last bucket.
            const u32 place = (u32)((u64)(index + 1) * sample_count >> pass.log_bucket_count) - sample.begin;
            if (place < sample.count) {
                pass.splitter_trees[first_bucket + splitter_node(index, bucket_count)] = sample.keys[place];
                const RankRange ranks{sample.less_than(place), sample.not_greater_than(place)};
                if (part_count == 1) {
                    shared.ranks[index] = ranks;
                } else {
                    const u64 bits = __builtin_bit_cast(u64, ranks);
                    *(volatile u64*)(pass.write_positions + first_bucket + index) = bits;
                }
            }
        }
        __syncthreads();
        if (part_count > 1 && !is_last_part(shared, pass, first_bucket, part_count)) {
            return;
        }
        kind = kind_of_segment(shared.ranks, bucket_count);
    }
    if (!is_input && kind == kCopy && room_bound(pass, segment, true) - room_bound(pass, segment, false) < size) {
        // The segment's group is larger than its part of the sample suggests, and had no room left.
        kind = kStay;
    }
    if (threadIdx.x == 0) {
        pass.segment_kinds[segment] = kind;
        if (is_input) {
            pass.segment_offsets[0] = 0;
            pass.segment_offsets[1] = size;
            pass.segment_moved[0] = 0;
        }
    }
    if (gives_room) {
        __syncthreads();
        const double elements_a_key = (double)size / sample_count;
        assign_rooms(pass, segment, shared.warp_totals, [&](u32 bucket) {
            if (kind >= kCopy) {
                return room_of_copy(kind, bucket, size);
            }
            return bucket_room(
                pass, sampled_size(shared.ranks, sample_count, bucket, bucket_count), elements_a_key, size);
        });
    }
}
