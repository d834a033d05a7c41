// Quicksort in one thread block (Cederman and Tsigas 2008) with an explicit stack. The threads count the elements below
// and above a pivot, prefix sums tell each thread its places, and a second look at the elements writes them there, from
// one array to the other. Elements equal to the pivot are in their final places at once. Sequences of up to
// kSmallElements elements go through a sorting network in shared memory.
//
// The pivot is the median of a regular sample, which is found by comparisons alone. With the median of three, as in
// their paper, inputs that rise and then fall would take quadratic time.
#pragma once
#include "elements.cuh"

constexpr u32 kPivotSample = 31;
// After each division, the larger part waits and the smaller one is next, so the depth is at most the logarithm of the
// count.
constexpr u32 kStackEntries = 64;

// A sequence that a block sorts, and where it lies: in the array of the result or in the auxiliary one. A copy is a
// sequence that is sorted already and only has to be copied to the result.
enum TaskKind { kSortInResult = 0, kSortInAuxiliary = 1, kCopyFromAuxiliary = 2 };

struct Task {
    u64 begin;
    u64 count;
    u64 kind;
};

template <u32 kThreads>
struct QuicksortShared {
    u64 sums[kThreads];
    Task stack[kStackEntries];
    Element elements[kSmallElements];
    Key sample[kPivotSample];
    Key pivot;
};

template <u32 kThreads>
__device__ Key choose_pivot(const Key* keys, u64 count, QuicksortShared<kThreads>& shared) {
    const u32 index = threadIdx.x;
    if (index < kPivotSample) {
        shared.sample[index] = keys[(count - 1) * index / (kPivotSample - 1)];
    }
    __syncthreads();
    if (index < kPivotSample) {
        const Key mine = shared.sample[index];
        u32 rank = 0;
        for (u32 i = 0; i < kPivotSample; ++i) {
            const Key other = shared.sample[i];
            rank += less(other, mine) || (i < index && !less(mine, other)) ? 1 : 0;
        }
        if (rank == kPivotSample / 2) {
            shared.pivot = mine;
        }
    }
    __syncthreads();
    return shared.pivot;
}

// Divides a sequence at the pivot. Returns how many elements are below it; `above` becomes the number of those above
// it. Afterwards `to` has the elements below at the begin of the sequence and those above at its end, and `result` has
// the elements between them.
template <u32 kThreads>
__device__ u64 divide(
    const ElementArray& from, const ElementArray& to, const ElementArray& result, u64 begin, u64 count,
    QuicksortShared<kThreads>& shared, u64& above) {
    const Key pivot = choose_pivot(from.keys + begin, count, shared);
    // One word has both counts, because a block never sorts 2^32 elements.
    u64 mine = 0;
    for (u64 i = threadIdx.x; i < count; i += kThreads) {
        const Key key = from.keys[begin + i];
        mine += less(key, pivot) ? 1 : less(pivot, key) ? 1ull << 32 : 0;
    }
    u64 total;
    const u64 before = block_exclusive_scan(mine, shared.sums, total);
    const u64 below = (u32)total;
    above = total >> 32;
    // The threads take elements in turns. `seen` is how many elements the threads before this one take.
    const u64 seen = threadIdx.x * (count / kThreads) + min_of<u64>(threadIdx.x, count % kThreads);
    u64 lower = begin + (u32)before;
    u64 upper = begin + count - above + (before >> 32);
    u64 equal = begin + below + seen - (u32)before - (before >> 32);
    // Equal elements cannot go to the result yet if other threads still read there.
    const bool is_read = from.keys == result.keys;
    const ElementArray equal_to = is_read ? to : result;
    for (u64 i = threadIdx.x; i < count; i += kThreads) {
        const Element element = from.load(begin + i);
        if (less(element.key, pivot)) {
            to.store(lower++, element);
        } else if (less(pivot, element.key)) {
            to.store(upper++, element);
        } else {
            equal_to.store(equal++, element);
        }
    }
    __syncthreads();
    if (is_read) {
        for (u64 i = begin + below + threadIdx.x; i < begin + count - above; i += kThreads) {
            result.store(i, to.load(i));
        }
        __syncthreads();
    }
    return below;
}

// Sorts a task to the result. All kThreads threads of the block call this.
template <u32 kThreads, typename SmallSort>
__device__ void block_quicksort(
    const ElementArray& result, const ElementArray& auxiliary, Task task, QuicksortShared<kThreads>& shared,
    const SmallSort& small_sort) {
    if (task.kind == kCopyFromAuxiliary) {
        for (u64 i = threadIdx.x; i < task.count; i += kThreads) {
            result.store(task.begin + i, auxiliary.load(task.begin + i));
        }
        return;
    }
    u32 depth = 0;
    for (;;) {
        const ElementArray& from = task.kind == kSortInResult ? result : auxiliary;
        if (task.count > kSmallElements) {
            const ElementArray& to = task.kind == kSortInResult ? auxiliary : result;
            u64 above;
            const u64 below = divide(from, to, result, task.begin, task.count, shared, above);
            const u64 kind = task.kind == kSortInResult ? kSortInAuxiliary : kSortInResult;
            const Task lower = {task.begin, below, kind};
            const Task upper = {task.begin + task.count - above, above, kind};
            task = below < above ? lower : upper;
            if (threadIdx.x == 0) {
                shared.stack[depth] = below < above ? upper : lower;
            }
            ++depth;
        } else {
            const SharedElements small = {shared.elements};
            for (u64 i = threadIdx.x; i < task.count; i += kThreads) {
                small.store(i, from.load(task.begin + i));
            }
            __syncthreads();
            small_sort(small, task.count);
            for (u64 i = threadIdx.x; i < task.count; i += kThreads) {
                result.store(task.begin + i, small.load(i));
            }
            if (depth == 0) {
                return;
            }
            // This barrier also keeps threads from loading new elements before all old ones are stored.
            __syncthreads();
            task = shared.stack[--depth];
            __syncthreads();
        }
    }
}
