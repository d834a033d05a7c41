// Prepares an input that fits the small sort: it is the one bucket of the queues. The small sort takes keys that have
// been moved, so the keys are mapped here in place as if they had been.
#pragma once

// The shared memory of a block: two counters for each queue.
constexpr u32 kPrepareSharedBytes = 2 * kSizeClassCount * sizeof(u32);

extern "C" __global__ void prepare(ElementArray elements, Queues queues, u64* offsets) {
    allow_next_kernel();
    u32* shared_sizes = (u32*)shared_memory;
    u32* shared_bases = shared_sizes + kSizeClassCount;
    const u64 size = threadIdx.x == 0 ? queues.element_count : 0;
    if (threadIdx.x == 0) {
        offsets[0] = 0;
        offsets[1] = queues.element_count;
    }
    if constexpr (kKeysAreMapped) {
        for (u64 index = threadIdx.x; index < queues.element_count; index += blockDim.x) {
            elements.store_ordered(index, elements.load(index));
        }
    }
    enqueue_bucket(queues, 0, size, false, 0, shared_sizes, shared_bases);
}
