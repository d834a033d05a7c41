// Cuts sorted parts that lie on several GPUs exactly at given places of the sorted whole array. So each GPU knows what
// it has to merge for its home, and all GPUs agree, since they find the same cuts.
#pragma once
#include "parts/gpu_parts.cuh"
#include "parts/run_search.cuh"

// With an order that contradicts itself, the search might never end. Consistent orders take far fewer rounds than this.
constexpr u32 kMostCutRounds = 64;

constexpr u32 kPartThreads = 512;

// With more compared keys of a part, the search would take one or two rounds less, but more reads over links.
constexpr u32 kMostCompared = 128;

static_assert(kPartThreads / kMaxGpus >= kMaxGpus + 2, "each round leaves less than before");

// The search for one place. The cut of each part lies from `low` to `high`. In each round keys at equal distances in
// between are compared with those of all other parts, which tells about how many elements are before each of them.
struct PartCut {
    OrderedKey keys[kPartThreads];  // of each part as many as it has threads
    u64 low[kMaxGpus];
    u64 high[kMaxGpus];
    u64 distance[kMaxGpus];   // between compared keys; 0 if the cut is known
    u32 compared[kMaxGpus];   // how many keys of each part are compared
    u32 sides[kPartThreads];  // for each compared key, on which side of the place it is

    static constexpr u32 kUnknown = 0;
    static constexpr u32 kBefore = 1;
    static constexpr u32 kBehind = 2;

    // Returns on which side of the given place a key is, which is number `own` of the keys of its part.
    __device__ __forceinline__ u32 side(u32 part, u32 own, u32 part_count, u32 share, u64 place) const {
        const OrderedKey key = keys[part * share + own];
        u64 least = 0;
        u64 most = 0;
        for (u32 other = 0; other < part_count; ++other) {
            if (other == part) {
                const u64 index = low[part] + (own + 1) * distance[part] - 1;
                least += index;
                most += index;
                continue;
            }
            const OrderedKey* others = keys + other * share;
            const u32 before = first_failing(0u, compared[other], [&](u32 i) {
                return other < part ? !less(key, others[i]) : less(others[i], key);
            });
            least += low[other] + before * distance[other];
            most += before == compared[other] ? high[other] : low[other] + (before + 1) * distance[other] - 1;
        }
        return most < place ? kBefore : least >= place ? kBehind : kUnknown;
    }

    // Narrows the range of a part's cut by the sides of its compared keys.
    __device__ __forceinline__ void narrow(u32 part, u32 share) {
        const u32* own = sides + part * share;
        const u32 before = first_failing(0u, compared[part], [&](u32 i) { return own[i] == kBefore; });
        const u32 behind = first_failing(before, compared[part], [&](u32 i) { return own[i] != kBehind; });
        high[part] = behind == compared[part] ? high[part] : low[part] + (behind + 1) * distance[part] - 1;
        low[part] += before * distance[part];
    }
};

// Cuts the parts into sections for merge_parts: block s finds the cuts at place first + count * s / sections. They are
// stored like those of cut_runs, and `search` becomes the input of merge_parts.
extern "C" __global__ void __launch_bounds__((int)kPartThreads)
    cut_parts(GpuParts parts, u64 first, u64 count, RunSearch* search, u64* cuts, u64 sections) {
    PartCut& cut = *(PartCut*)shared_memory;
    const u32 part_count = (u32)parts.part_count;
    const u32 share = min_of(kPartThreads / part_count, kMostCompared);
    const u64 section = blockIdx.x;
    const u64 place = first + count / sections * section + count % sections * section / sections;
    const u32 part = threadIdx.x / share;
    const u32 own = threadIdx.x % share;
    if (threadIdx.x < part_count) {
        cut.low[threadIdx.x] = 0;
        cut.high[threadIdx.x] = parts.counts[threadIdx.x];
    }
    for (u32 round = 0; round < kMostCutRounds; ++round) {
        __syncthreads();
        if (threadIdx.x < part_count) {
            const u64 left = cut.high[threadIdx.x] - cut.low[threadIdx.x];
            const u64 distance = ceil_div(left, share);
            cut.distance[threadIdx.x] = distance;
            cut.compared[threadIdx.x] = distance == 0 ? 0 : (u32)(left / distance);
        }
        __syncthreads();
        const bool is_compared = part < part_count && own < cut.compared[part];
        if (is_compared) {
            const u64 index = cut.low[part] + (own + 1) * cut.distance[part] - 1;
            cut.keys[threadIdx.x] = parts.key(GpuParts::place(part, index), true);
        }
        if (!__syncthreads_or(is_compared)) {
            break;
        }
        if (is_compared) {
            cut.sides[threadIdx.x] = cut.side(part, own, part_count, share, place);
        }
        __syncthreads();
        if (threadIdx.x < part_count) {
            cut.narrow(threadIdx.x, share);
        }
    }
    __syncthreads();
    if (threadIdx.x < part_count) {
        const u64 found = GpuParts::place(threadIdx.x, cut.low[threadIdx.x]);
        cuts[section * kMostRuns + threadIdx.x] = found;
        if (section == 0) {
            search->begins[threadIdx.x] = found;
        }
    }
    if (section == 0 && threadIdx.x == 0) {
        search->run_count = part_count;
        search->taken = 0;
    }
}
