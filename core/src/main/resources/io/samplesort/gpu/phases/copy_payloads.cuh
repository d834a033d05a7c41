// Copies moved payloads to where they belong, if that is the array that they came from.
#pragma once
#include "parts/segments.cuh"

// Words that a thread has in flight at once.
constexpr u32 kCopiedWords = 4;
constexpr u32 kPayloadsAWord = sizeof(uint4) / sizeof(Payload);

// Both arrays begin at the same position within sixteen bytes. `mark` is the mark of the input.
extern "C" __global__ void __launch_bounds__(kFillThreads)
    copy_payloads(const Payload* from, Payload* to, u64 count, const u8* mark) {
    follow_previous_kernel();
    if (*mark == kIsPlaced) {
        return;
    }
    const u64 beyond = (u64)to % sizeof(uint4) / sizeof(Payload);
    const u64 head = min_of<u64>(beyond == 0 ? 0 : kPayloadsAWord - beyond, count);
    const u64 words = (count - head) / kPayloadsAWord;
    const uint4* source = (const uint4*)(from + head);
    uint4* target = (uint4*)(to + head);
    const u64 thread = blockIdx.x * (u64)kFillThreads + threadIdx.x;
    const u64 stride = gridDim.x * (u64)kFillThreads;
    for (u64 first = thread; first < words; first += kCopiedWords * stride) {
        uint4 copied[kCopiedWords];
#pragma unroll
        for (u32 i = 0; i < kCopiedWords; ++i) {
            if (first + i * stride < words) {
                copied[i] = __ldcs(source + first + i * stride);
            }
        }
#pragma unroll
        for (u32 i = 0; i < kCopiedWords; ++i) {
            if (first + i * stride < words) {
                __stcs(target + first + i * stride, copied[i]);
            }
        }
    }
    // The first and the last payloads may lie in no whole word.
    if (thread < head) {
        to[thread] = from[thread];
    }
    const u64 tail = head + words * kPayloadsAWord;
    if (tail + thread < count) {
        to[tail + thread] = from[tail + thread];
    }
}
