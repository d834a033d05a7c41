// What a sort writes before its first phase: the whole input is one segment of the first pass, or, where it fits the
// small sort, the one bucket of the queues.
#pragma once

extern "C" __global__ void prepare(Queues queues, u64* offsets, u64 element_count, u64 pass_count) {
    u32* shared_sizes = (u32*)shared_memory;
    u32* shared_bases = shared_sizes + kQueueCount;
    if (threadIdx.x == 0) {
        offsets[0] = 0;
        offsets[1] = element_count;
    }
    if (pass_count == 0) {
        const u64 size = threadIdx.x == 0 ? element_count : 0;
        enqueue_bucket(queues, 0, size, false, shared_sizes, shared_bases);
        if (threadIdx.x == 0) {
            *queues.largest_bucket = size;
        }
    }
}
