// Builds the splitter tree of a first pass that several GPUs make together, each with its own elements. All GPUs have
// the same sorted sample and take the same keys of it, so that a bucket has the same bounds everywhere. Unlike
// select_splitters, this takes splitters at any distances, since the host wants some close to the borders between GPUs.
#pragma once
#include "parts/primitives.cuh"
#include "parts/splitter_tree.cuh"

// `sample` is sorted and in the user's form, and splitter i is the key at ranks[i]. The marks of the buckets then say
// which of them are equality buckets.
extern "C" __global__ void __launch_bounds__(kSampleThreads)
    plant_tree(ElementArray sample, const u32* ranks, Pass pass) {
    const u32 bucket_count = 1u << pass.log_bucket_count;
    bool any_equal = false;
    for (u32 index = threadIdx.x; index + 1 < bucket_count; index += kSampleThreads) {
        const OrderedKey key = sample.key(ranks[index], false);
        pass.splitter_trees[splitter_node(index, bucket_count)] = key;
        const bool is_equal = index + 2 < bucket_count && !less(key, sample.key(ranks[index + 1], false));
        pass.bucket_marks[index + 1] = is_equal ? kIsEquality : 0;
        any_equal |= is_equal;
    }
    const SegmentKind kind = __syncthreads_or(any_equal) ? kDistributeWithEqualityBuckets : kDistribute;
    if (threadIdx.x == 0) {
        pass.bucket_marks[0] = 0;
        pass.segment_kinds[0] = kind;
        pass.segment_offsets[0] = 0;
        pass.segment_offsets[1] = pass.element_count;
        pass.segment_moved[0] = 0;
    }
}
