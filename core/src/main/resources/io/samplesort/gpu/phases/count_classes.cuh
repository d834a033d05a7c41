// Counts how many elements of one GPU each class of an exchange has, so that send_elements knows where each element
// goes before the first one is sent.
#pragma once
#include "parts/border_classes.cuh"

// The elements that a thread counts at a time.
constexpr int kCountItems = 8;

struct CountClassesShared {
    // The class behind the last one is for threads without an element.
    u64 counts[kExchangeWarps][kMaxClasses + 1];
    alignas(16) OrderedKey splitters[kMaxBorderSplitters];
};

// counts[c * gridDim.x + b] becomes how many elements of class c block b has.
extern "C" __global__ void __launch_bounds__(kExchangeThreads)
    count_classes(ElementArray in, u64 count, ElementArray splitters, u64 splitter_count, u64* counts) {
    CountClassesShared& shared = *(CountClassesShared*)shared_memory;
    const BorderClasses classes(shared.splitters, (u32)splitter_count);
    classes.load(splitters);
    const u32 lane = threadIdx.x % kWarpSize;
    u64* own = shared.counts[threadIdx.x / kWarpSize];
    for (u32 c = lane; c <= classes.count(); c += kWarpSize) {
        own[c] = 0;
    }
    __syncthreads();
    const ExchangePart part(count, blockIdx.x, gridDim.x);
    for (u64 tile = part.begin; tile < part.end; tile += kCountItems * kExchangeThreads) {
#pragma unroll
        for (int i = 0; i < kCountItems; ++i) {
            const u64 index = tile + i * kExchangeThreads + threadIdx.x;
            const u32 found = index < part.end ? classes.find(in, index) : classes.count();
            const u32 lanes = lanes_of_class(found, classes.bits());
            // One lane counts for all of its class, so no two lanes write in one place.
            if (lane == (u32)__ffs((int)lanes) - 1) {
                own[found] += __popc(lanes);
            }
            __syncwarp();
        }
    }
    __syncthreads();
    for (u32 c = threadIdx.x; c < classes.count(); c += kExchangeThreads) {
        u64 sum = 0;
        for (u32 warp = 0; warp < kExchangeWarps; ++warp) {
            sum += shared.counts[warp][c];
        }
        counts[c * gridDim.x + blockIdx.x] = sum;
    }
}

// Turns the counts of one class, which is that of this block, into how many elements of the class are in the blocks
// before each block. The blocks are sent in pieces: sums[c * piece_count + p] becomes how many elements of class c are
// in all pieces up to piece p.
extern "C" __global__ void __launch_bounds__(kExchangeThreads)
    scan_classes(u64* counts, u64 block_count, u64* sums, u64 piece_count) {
    u64* warp_totals = (u64*)shared_memory;
    u64* own = counts + blockIdx.x * block_count;
    u64 before = 0;
    for (u64 begin = 0; begin < block_count; begin += kExchangeThreads) {
        const u64 i = begin + threadIdx.x;
        const u64 in_block = i < block_count ? own[i] : 0;
        u64 total;
        const u64 in_round = block_exclusive_scan<u64>(in_block, warp_totals, total);
        if (i < block_count) {
            own[i] = before + in_round;
            for (u64 piece = 0; piece < piece_count; ++piece) {
                if ((piece + 1) * block_count / piece_count == i + 1) {
                    sums[blockIdx.x * piece_count + piece] = before + in_round + in_block;
                }
            }
        }
        before += total;
        __syncthreads();
    }
}
