// Selects the first or the last elements of each segment of an array, each warp those of one segment.
//
// The warp keeps in shared memory what may be wanted. Once that is full, the warp sorts it and forgets all but the
// wanted number. The worst of these is the bound that later elements have to beat, so most are only read and compared.
#pragma once
#include "parts/short_segments.cuh"

// What a warp has kept. All lanes make the same calls.
class KeptItems {
  public:
    __device__ __forceinline__ KeptItems(const WarpSlots& slots, u32 room, u32 most, bool is_last)
        : slots_(slots), room_(room), most_(most), is_last_(is_last) {}

    __device__ __forceinline__ const WarpSlots& slots() const { return slots_; }
    __device__ __forceinline__ u32 count() const { return count_; }

    // Whether lanes that each know the best of some items can tell a bound, and it is of use for so many items.
    __device__ __forceinline__ bool needs_first_bound(u32 size) const {
        return kOrderIsTrusted && most_ <= kWarpSize && size > room_;
    }

    __device__ __forceinline__ bool comes_before(const SmallSortItem& a, const SmallSortItem& b) const {
        return is_last_ ? less(b, a) : less(a, b);
    }

    // Makes a bound of the best item of each lane: as many of them as are wanted are no worse.
    __device__ __forceinline__ void set_first_bound(const SmallSortItem& best) {
        u32 before = 0;
#pragma unroll 4
        for (u32 lane = 0; lane < kWarpSize; ++lane) {
            before += comes_before(shuffle(best, lane), best) ? 1 : 0;
        }
        const u32 last = warp_max(before < most_ ? before : 0);
        bound_ = shuffle(best, (u32)__ffs((int)__ballot_sync(kAllLanes, before == last)) - 1);
        has_bound_ = true;
    }

    // Whether an item may be among those that are wanted.
    __device__ __forceinline__ bool may_be_wanted(const SmallSortItem& item) const {
        return !has_bound_ || comes_before(item, bound_) || (!is_bound_kept_ && !comes_before(bound_, item));
    }

    // Keeps the items of these lanes, unless there is no room for all of them.
    __device__ __forceinline__ bool add(const SmallSortItem& item, u32 lanes) {
        const u32 lane = threadIdx.x % kWarpSize;
        const u32 added = (u32)__popc(lanes);
        if (count_ + added > room_) {
            return false;
        }
        if ((lanes >> lane & 1) != 0) {
            slots_[count_ + (u32)__popc(lanes & (1u << lane) - 1)] = item;
        }
        count_ += added;
        return true;
    }

    // Sorts the items, and forgets those that are not wanted.
    __device__ __forceinline__ void reduce() {
        __syncwarp();
        sort_warp(slots_, count_);
        __syncwarp();
        if (count_ < most_) {
            return;
        }
        if (is_last_) {
            move_to_front(count_ - most_);
        }
        count_ = most_;
        bound_ = slots_[is_last_ ? 0 : most_ - 1];
        has_bound_ = true;
        is_bound_kept_ = true;
        __syncwarp();
    }

  private:
    // Moves the last items to the front, in the order in which no lane overwrites what is still to be moved.
    __device__ __forceinline__ void move_to_front(u32 surplus) {
        for (u32 base = 0; base < most_; base += kWarpSize) {
            const u32 place = base + threadIdx.x % kWarpSize;
            const SmallSortItem item = slots_[min_of(place, most_ - 1) + surplus];
            __syncwarp();
            if (place < most_) {
                slots_[place] = item;
            }
            __syncwarp();
        }
    }

    WarpSlots slots_;
    u32 room_;
    u32 most_;
    bool is_last_;
    u32 count_ = 0;
    bool has_bound_ = false;
    // Whether there are as many items as are wanted, and the bound is one of them.
    bool is_bound_kept_ = false;
    SmallSortItem bound_;
};

// As for kSegmentBlocks, with registers for a few more items.
constexpr u32 kSelectBlocks = sizeof(SmallSortItem) == 4 ? 7 : 1;

// No segment has 2^31 elements or more. `room` is how many items a warp keeps at most: a power of two, at least twice
// `most` and at most what a warp sorts.
extern "C" __global__ void __launch_bounds__(kSegmentThreads, kSelectBlocks) select_of_segments(
    ElementArray in, UserSegments segments, UserSegments results, Key* target, u64 most, u64 room, u64 is_last) {
    constexpr u32 kAhead = sizeof(SmallSortItem) <= 4 ? 16 : sizeof(SmallSortItem) <= 16 ? 8 : 4;
    follow_previous_kernel();
    const u32 warp = threadIdx.x / kWarpSize;
    const u32 lane = threadIdx.x % kWarpSize;
    const u64 segment = blockIdx.x * (u64)(kSegmentThreads / kWarpSize) + warp;
    if (segment >= segments.segment_count) {
        return;
    }
    const u32 slot_bytes = align_16(WarpSlots::count_for((u32)room) * (u32)sizeof(SmallSortItem));
    KeptItems kept(WarpSlots{(SmallSortItem*)(shared_memory + warp * slot_bytes)}, (u32)room, (u32)most, is_last != 0);
    const u64 begin = segments.offset(segment);
    const u32 size = (u32)(segments.offset(segment + 1) - begin);
    u32 next = 0;
    do {
        for (bool has_room = true; has_room && next < size;) {
            const u32 first = next + lane;
            SmallSortItem items[kAhead];
#pragma unroll
            for (u32 i = 0; i < kAhead; ++i) {
                items[i] = first + i * kWarpSize < size ? in.load(begin + first + i * kWarpSize) : SmallSortItem{};
            }
            if (next == 0 && kept.needs_first_bound(size)) {
                SmallSortItem best = items[0];
#pragma unroll
                for (u32 i = 1; i < kAhead; ++i) {
                    if (first + i * kWarpSize < size && kept.comes_before(items[i], best)) {
                        best = items[i];
                    }
                }
                kept.set_first_bound(best);
            }
            // What there is no room for is read again once there is.
#pragma unroll
            for (u32 i = 0; i < kAhead; ++i) {
                const bool is_kept = first + i * kWarpSize < size && kept.may_be_wanted(items[i]);
                const u32 lanes = __ballot_sync(kAllLanes, is_kept);
                has_room = has_room && kept.add(items[i], lanes);
                next += has_room ? kWarpSize : 0;
            }
        }
        kept.reduce();
    } while (next < size);
    const ElementArray out{target, nullptr};
    for (u32 place = lane; place < kept.count(); place += kWarpSize) {
        out.store(results.offset(segment) + place, kept.slots()[place]);
    }
}
