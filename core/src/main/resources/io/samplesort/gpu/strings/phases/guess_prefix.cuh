// Before the first round: many inputs have a beginning that all strings share, such as "https://www.".
#pragma once

// Finds how many bytes a sample of strings shares with the first string. One block.
extern "C" __global__ void guess_prefix(const Text strings, TieState* state) {
    const TextReader text(strings);
    u32* smallest = (u32*)shared_memory;
    if (threadIdx.x == 0) {
        *smallest = kMostShared;
    }
    __syncthreads();
    const u64 i = strings.count / blockDim.x * threadIdx.x + strings.count % blockDim.x * threadIdx.x / blockDim.x;
    const Span first = text.span(0);
    const Span span = text.span(i);
    const u64 most = min_of(first.length(), span.length());
    atomicMin(smallest, (u32)min_of<u64>(common_bytes(text, first.begin, span.begin, most, kMostShared), kMostShared));
    __syncthreads();
    if (threadIdx.x == 0) {
        state->guessed_prefix = *smallest;
        state->prefix = *smallest;
    }
}
