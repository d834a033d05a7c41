// Phase 1 of a distribution pass (paper, Section 4): one block a segment draws a random sample, sorts it and takes the
// splitters from it at equal distances. In the fast layout it also gives the buckets their room.
#pragma once

__device__ __forceinline__ u64 random_bits(u64 seed) {
    // SplitMix64 (Steele, Lea, Flood 2014): a counter in, random bits out, so samples need no state.
    u64 z = seed * 0x9e3779b97f4a7c15ull + 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// A random place within stratum `index` of `sample_count` equal strata of `size` elements (more strata than elements draw
// some of them several times): as random as independent
// draws for any input, and better for presorted ones.
__device__ __forceinline__ u64 sample_position(u64 seed, u64 index, u64 sample_count, u64 size) {
    const u64 begin = index * size / sample_count;
    const u64 end = (index + 1) * size / sample_count;
    return begin + __umul64hi(random_bits(seed), end - begin);
}

// How many sampled keys bucket `bucket` would take, were they distributed like the elements. The splitters are sample keys,
// so this is the number of them up to the bucket's splitter, less those up to the one before; equal splitters share theirs
// between the bucket before and the equality bucket (splitter_tree.cuh).
template <typename Sample, typename Splitter>
__device__ u32 sampled_size(
    const Sample& sample, u32 sample_count, const Splitter& splitter, u32 bucket, u32 bucket_count) {
    const auto rank = [&](const OrderedKey& key, bool with_equal) {
        u32 low = 0;
        u32 high = sample_count;
        while (low < high) {
            const u32 middle = (low + high) / 2;
            if (with_equal ? !less(key, sample[middle]) : less(sample[middle], key)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    };
    const auto equal_splitters = [&](u32 first) {
        return first + 2 < bucket_count && !less(splitter(first), splitter(first + 1));
    };
    const bool is_equality = bucket > 0 && equal_splitters(bucket - 1);
    if (is_equality && bucket > 1 && equal_splitters(bucket - 2)) {
        return 0;
    }
    const u32 begin = bucket == 0 ? 0 : rank(splitter(bucket - 1), !is_equality);
    const u32 end = bucket + 1 == bucket_count
        ? sample_count
        : rank(splitter(bucket), is_equality || !equal_splitters(bucket));
    return end > begin ? end - begin : 0;
}

// The room for a bucket that has `sampled` of the sample_count keys sampled of `size`: the size of buckets with so many
// is spread around sampled * size / sample_count like a gamma distribution. kBucketSlack standard deviations more, and
// half the square of that for the longer tail where `sampled` is small; with 6, one bucket in 10^9 needs more.
__device__ __forceinline__ u64 bucket_room(u32 sampled, u32 sample_count, u64 size) {
    constexpr float kSlack = kBucketSlack;
    const float sampled_with_slack = (float)sampled + kSlack * sqrtf((float)sampled) + kSlack * kSlack / 2;
    return min_of(size, (u64)((double)sampled_with_slack * (double)size / sample_count) + 1);
}

// Gives out the room of a segment: bucket b gets what room(b) says.
template <typename Room>
__device__ void give_room(const Pass& pass, u64 segment, u64* warp_totals, const Room& room) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    const u64 first_bucket = segment << pass.log_bucket_count;
    const u64 end = room_begin(pass, segment + 1);
    u64 begin = room_begin(pass, segment);
    for (u32 base = 0; base < bucket_count; base += kSampleThreads) {
        const u32 bucket = base + threadIdx.x;
        u64 total;
        const u64 before = block_exclusive_scan<u64>(bucket < bucket_count ? room(bucket) : 0, warp_totals, total);
        if (bucket < bucket_count) {
            // The host made the room of the segment large enough for any sample; the minimum is for orders that are none.
            const u64 bucket_begin = min_of(begin + before, end);
            pass.bucket_begins[first_bucket + bucket] = bucket_begin;
            pass.write_positions[first_bucket + bucket] = bucket_begin;
        }
        begin += total;
        __syncthreads();
    }
    if (segment + 1 == pass.segment_count && threadIdx.x == 0) {
        pass.bucket_begins[first_bucket + bucket_count] = end;
    }
}

extern "C" __global__ void __launch_bounds__(kSampleThreads, 1) select_splitters(
    ElementArray in, Pass pass, u64 seed, u64 sample_count_limit) {
    using Sort = BlockSort<kSampleItems, OrderedKey, kSampleBuffers>;
    u64* warp_totals = (u64*)(shared_memory + Sort::shared_bytes());
    follow_previous_kernel();
    if (overflowed(pass.overflows, pass.index)) {
        return;
    }
    if (pass.index == 0) {
        // The whole input is the one segment.
        if (threadIdx.x == 0) {
            pass.segment_offsets[0] = 0;
            pass.segment_offsets[1] = pass.element_count;
        }
        __syncthreads();
    }
    const u64 segment = blockIdx.x;
    const u64 begin = pass.segment_begins[segment];
    const u64 size = pass.segment_offsets[segment + 1] - pass.segment_offsets[segment];
    if (pass.segment_equality[segment] || size <= kSmallSortLimit) {
        if (threadIdx.x == 0) {
            pass.segment_kinds[segment] = kCopy;
        }
        if (pass.room != 0) {
            give_room(pass, segment, warp_totals, [&](u32 bucket) { return bucket == 0 ? size : 0; });
        }
        return;
    }

    const u32 bucket_count = 1u << pass.log_bucket_count;
    const u32 sample_count = (u32)sample_count_limit;
    const auto sample = Sort::sort((OrderedKey*)shared_memory, sample_count, [&](u32 base, u32 offset) {
        const u64 draw = (seed + segment) * Sort::capacity() + base + offset;
        return in.key(begin + sample_position(draw, base + offset, sample_count, size), pass.index != 0);
    });

    OrderedKey* tree = pass.splitter_trees + (segment << pass.log_bucket_count);
    // Not i * (sample_count / bucket_count): the remainder would all fall into the last bucket.
    const auto splitter = [&](u32 index) { return sample[(u32)((u64)(index + 1) * sample_count / bucket_count)]; };
    bool any_equal = false;
    for (u32 index = threadIdx.x; index + 1 < bucket_count; index += kSampleThreads) {
        tree[splitter_node(index, bucket_count)] = splitter(index);
        any_equal |= index + 2 < bucket_count && !less(splitter(index), splitter(index + 1));
    }
    any_equal = __syncthreads_or(any_equal);
    if (threadIdx.x == 0) {
        pass.segment_kinds[segment] = any_equal ? kDistributeWithEqualityBuckets : kDistribute;
    }
    if (pass.room != 0) {
        give_room(pass, segment, warp_totals, [&](u32 bucket) {
            const u32 sampled = sampled_size(sample, sample_count, splitter, bucket, bucket_count);
            return bucket_room(sampled, sample_count, size);
        });
    }
}
