// GPU quicksort (Cederman and Tsigas 2008). At first many blocks divide each sequence, until there are enough sequences
// to keep the GPU busy with one block for each. Then each block sorts its sequence alone (block_quicksort.cuh), and the
// smallest parts by bitonic sort.
#include "config.cuh"

#include "block_quicksort.cuh"
#include "elements.cuh"
#include "key_range.cuh"
#include "networks.cuh"

// A sequence that is divided, and what is known about its parts. Keys are ordered bits.
struct Sequence {
    u64 begin;
    u64 count;
    u64 pivot;
    u64 below;           // elements not above the pivot, so far
    u64 above;           // elements above it, so far
    u64 greatest_below;  // 0 at first
    u64 lowest_above;    // all ones at first
};

// The part of a sequence that one block looks at.
struct Chunk {
    u64 sequence;
    u64 begin;
    u64 count;
};

// Each thread counts its elements on both sides of the pivot. Prefix sums give it its places among those of the block,
// and two atomic additions give the block its places in the sequence: elements that are not above the pivot fill the
// sequence from its begin, the others from its end.
extern "C" __global__ void __launch_bounds__(kThreads) divide_sequences(
    Key* from_keys, Payload* from_payloads, Key* to_keys, Payload* to_payloads, Sequence* sequences,
    const Chunk* chunks) {
    __shared__ u64 sums[kThreads];
    __shared__ u64 places[2];
    __shared__ u64 greatest_below;
    __shared__ u64 lowest_above;
    const ElementArray from = {from_keys, from_payloads};
    const ElementArray to = {to_keys, to_payloads};
    const Chunk chunk = chunks[blockIdx.x];
    Sequence& sequence = sequences[chunk.sequence];
    Key pivot;
    from_ordered_bits(sequence.pivot, pivot);
    if (threadIdx.x == 0) {
        greatest_below = 0;
        lowest_above = ~0ull;
    }
    __syncthreads();
    u64 my_greatest_below = 0;
    u64 my_lowest_above = ~0ull;
    // One word has both counts, because a chunk has fewer than 2^32 elements.
    u64 mine = 0;
    for (u64 i = threadIdx.x; i < chunk.count; i += kThreads) {
        const Key key = from_keys[chunk.begin + i];
        const u64 bits = ordered_bits(key);
        if (less(pivot, key)) {
            mine += 1ull << 32;
            my_lowest_above = min_of(my_lowest_above, bits);
        } else {
            ++mine;
            my_greatest_below = max_of(my_greatest_below, bits);
        }
    }
    atomicMax(&greatest_below, my_greatest_below);
    atomicMin(&lowest_above, my_lowest_above);
    u64 total;
    const u64 before = block_exclusive_scan(mine, sums, total);
    if (threadIdx.x == 0) {
        const u64 above = total >> 32;
        places[0] = sequence.begin + atomicAdd(&sequence.below, (u64)(u32)total);
        places[1] = sequence.begin + sequence.count - atomicAdd(&sequence.above, above) - above;
        atomicMax(&sequence.greatest_below, greatest_below);
        atomicMin(&sequence.lowest_above, lowest_above);
    }
    __syncthreads();
    u64 lower = places[0] + (u32)before;
    u64 upper = places[1] + (before >> 32);
    for (u64 i = threadIdx.x; i < chunk.count; i += kThreads) {
        const Element element = from.load(chunk.begin + i);
        to.store(less(pivot, element.key) ? upper++ : lower++, element);
    }
}

struct BitonicSort {
    __device__ void operator()(const SharedElements& elements, u64 count) const { bitonic_sort(elements, count); }
};

// Each sequence is sorted by one block, the largest one first.
extern "C" __global__ void __launch_bounds__(kThreads) sort_sequences(
    Key* result_keys, Payload* result_payloads, Key* auxiliary_keys, Payload* auxiliary_payloads, const Task* tasks) {
    __shared__ QuicksortShared<kThreads> shared;
    block_quicksort(
        ElementArray{result_keys, result_payloads}, ElementArray{auxiliary_keys, auxiliary_payloads}, tasks[blockIdx.x],
        shared, BitonicSort());
}
