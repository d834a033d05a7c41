// Merges two runs in shared memory by many lanes (merge path, see merge_path.cuh), with almost no bank conflicts. Each
// lane makes as many outputs as it has registers for items.
//
// A lane's part of the merge is some items of run a and some of run b. Those of a upwards followed by those of b
// downwards are a bitonic sequence, which the lane sorts in its registers; unlike in a serial merge, no load waits for
// a comparison. The sequence stays bitonic when it is rotated, so register i takes the item at place i of a lane's
// items in a, or at place i from the end in b. Each item belongs to one part. So of the lanes that take from a, no two
// take from the same lane's items, and the same holds for b; and both take from consecutive lanes. Therefore at most
// two lanes of a warp collide in a bank.
#pragma once
#include "parts/lane_networks.cuh"

// Items in shared memory, with one slot left free after each kItems: threads that read or write runs of kItems then use
// different banks.
template <int kItems, typename Item>
struct PaddedItems {
    Item* slots;
    u32 offset;

    __device__ __forceinline__ static constexpr u32 slot(u32 position) { return position + position / kItems; }

    __device__ __forceinline__ Item& operator[](u32 index) const { return slots[slot(offset + index)]; }

    __device__ __forceinline__ PaddedItems from(u32 begin) const { return PaddedItems{slots, offset + begin}; }
};

template <int kItems, typename Item>
struct RotatedMerge {
    using Items = PaddedItems<kItems, Item>;

    // Makes the calling lane's kItems outputs of merging its two runs of `width` lanes, or what is left of them: the
    // items are those of lane_count lanes. All lanes of a warp call this; those from lane_count on get items of others.
    __device__ static __forceinline__ void merge_part(
        const Items& items, u32 lane_count, u32 width, Item (&run)[kItems]) {
        const u32 a_first = min_of(threadIdx.x & ~(2 * width - 1), lane_count);
        const u32 b_first = min_of(a_first + width, lane_count);
        const u32 last_lane = min_of(2 * width, kWarpSize) - 1;
        const bool is_last = (threadIdx.x & last_lane) == last_lane;
        merge_part(items, lane_count, a_first, b_first, min_of(a_first + 2 * width, lane_count), is_last, run);
    }

    // Does the same for two runs of any number of lanes: one up to lane b_first, the other up to lane b_end. `is_last`
    // says that the next lane of the warp has no part of them, or there is none.
    __device__ static __forceinline__ void merge_part(
        const Items& items, u32 lane_count, u32 a_first, u32 b_first, u32 b_end, bool is_last, Item (&run)[kItems]) {
        const u32 a_lanes = b_first - a_first;
        const u32 b_lanes = b_end - b_first;
        const u32 diagonal = min_of(threadIdx.x - a_first, a_lanes + b_lanes);
        const PartBegin begin(items, a_first, a_lanes, b_first, b_lanes, diagonal, 0, a_lanes);
        // The part from run a ends where the next lane's part begins. The last lane has no next one and searches for
        // the end itself.
        u32 a_end = __shfl_down_sync(kAllLanes, begin.from_a(), 1);
        if (is_last) {
            const u32 next = min_of(diagonal + 1, a_lanes + b_lanes);
            a_end = PartBegin(items, a_first, a_lanes, b_first, b_lanes, next, begin.lane, begin.lane + 2).from_a();
        }
        const u32 a_count = a_end - begin.from_a();
        // Bit i says that register i takes from a.
        const u64 rotated = ((1ull << a_count) - 1) << begin.item;
        const u32 takes_a = (u32)rotated | (u32)(rotated >> kItems);
        // Bit i says that register i takes from the second of two lanes. The part begins at begin.item of one lane's
        // items in a and ends as far into those of the next lane; in b both are counted from the ends. A lane without a
        // part reads only from the first lane, which has items.
        const u32 is_second = threadIdx.x < lane_count ? ~(takes_a ^ (u32)((1ull << begin.item) - 1)) : 0;
        const u32 a_place = lane_place(items, a_first + begin.lane);
        const u32 b_place = lane_end(items, b_first + diagonal - begin.lane) - kLaneBytes;
#pragma unroll
        for (u32 i = 0; i < kItems; ++i) {
            u32 place = sum(b_place, 0u - i * kItem);
            sum_if_any(takes_a & 1u << i, place, a_place, i * kItem);
            sum_if_any(is_second & 1u << i, place, place, kLaneBytes);
            run[i] = at_shared_address<Item>(place);
        }
        merge_registers(run, kItems);
    }

  private:
    static constexpr u32 kItem = sizeof(Item);
    // The bytes of a lane's items in shared memory, with the slot that is left free.
    static constexpr u32 kLaneBytes = (kItems + 1) * kItem;

    // These two return the addresses of the first and the last item of a lane.
    __device__ __forceinline__ static u32 lane_place(const Items& items, u32 lane) {
        return shared_address(items.slots) + lane * kLaneBytes;
    }

    __device__ __forceinline__ static u32 lane_end(const Items& items, u32 lane) {
        return lane_place(items, lane) + (kItems - 1) * kItem;
    }

    // The begin of a part of a merge: merge_path() for runs that lanes have made, with a lane's first output as the
    // diagonal. The search first compares only the first and last items of lanes, which are in different banks. Then
    // only the items of one lane of a and of one lane of b are left. Neither has a free slot among its items, so their
    // distances are those of the items.
    struct PartBegin {
        u32 lane;  // of a
        u32 item;  // of that lane, at most kItems

        // The caller knows that the part begins between the items of lanes `least` and `most` of a.
        __device__ __forceinline__ PartBegin(
            const Items& items, u32 a_first, u32 a_lanes, u32 b_first, u32 b_lanes, u32 diagonal, u32 least, u32 most)
            : lane(max_of(least, diagonal > b_lanes ? diagonal - b_lanes : 0)), item(0) {
            const u32 a_begin = lane_place(items, a_first);
            const u32 b_last = lane_end(items, b_first + diagonal - 1);
            u32 end = min_of(min_of(most, diagonal), a_lanes);
#pragma unroll 1
            while (end - lane > 1) {
                const u32 middle = (lane + end) / 2;
                if (takes_a(a_begin + middle * kLaneBytes, b_last - middle * kLaneBytes)) {
                    lane = middle;
                } else {
                    end = middle;
                }
            }
            if (lane < end) {
                const u32 begin = a_begin + lane * kLaneBytes;
                u32 a = begin;
                u32 b = b_last - lane * kLaneBytes;
#pragma unroll
                for (u32 step = kItems / 2; step > 0; step /= 2) {
                    if (takes_a(a + (step - 1) * kItem, b - (step - 1) * kItem)) {
                        a += step * kItem;
                        b -= step * kItem;
                    }
                }
                item = (a - begin) / kItem + (takes_a(a, b) ? 1 : 0);
            }
        }

        __device__ __forceinline__ u32 from_a() const { return lane * kItems + item; }

        __device__ __forceinline__ static bool takes_a(u32 a, u32 b) {
            return !less(at_shared_address<Item>(b), at_shared_address<Item>(a));
        }
    };
};
