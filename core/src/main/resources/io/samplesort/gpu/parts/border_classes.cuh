// The classes of an exchange between GPUs. The elements of all GPUs together are one array, and each GPU shall have as
// many of them in the end as it has now, in order. Some splitters, the same on all GPUs, divide the elements into
// classes: class 2j has those between splitter j - 1 and splitter j, and class 2j + 1 those that are equal to splitter
// j. What is equal need not be sorted, so it can be divided at any place; that is why no key that is frequent can
// overload a GPU.
#pragma once
#include "parts/primitives.cuh"

constexpr u32 kMaxBorderSplitters = 2 * (kMaxGpus - 1);
constexpr u32 kMaxClasses = 2 * kMaxBorderSplitters + 1;
constexpr u32 kExchangeTile = kExchangeThreads * kExchangeItems;
constexpr u32 kExchangeWarps = kExchangeThreads / kWarpSize;

// Which class a key belongs to.
class BorderClasses {
  public:
    // `splitters` lie in shared memory, with room for kMaxBorderSplitters.
    __device__ BorderClasses(OrderedKey* splitters, u32 splitter_count)
        : splitters_(splitters), splitter_count_(splitter_count) {}

    __device__ __forceinline__ u32 count() const { return 2 * splitter_count_ + 1; }

    // Returns how many bits the number of a class has, or of what stands behind all classes.
    __device__ __forceinline__ u32 bits() const { return 32 - (u32)__clz((int)count()); }

    // Loads the splitters, which are elements in the user's form. All threads of a block call this.
    __device__ __forceinline__ void load(const ElementArray& from) const {
        for (u32 i = threadIdx.x; i < splitter_count_; i += blockDim.x) {
            splitters_[i] = key(from, i);
        }
    }

    // Returns the class of element `index` of `in`, which is in the user's form. It follows from the key and the
    // splitters alone, so an order that contradicts itself gets the same answer each time.
    __device__ __forceinline__ u32 find(const ElementArray& in, u64 index) const {
        const OrderedKey key = BorderClasses::key(in, index);
        u32 below = 0;
        for (u32 i = 0; i < splitter_count_; ++i) {
            below += less(splitters_[i], key) ? 1 : 0;
        }
        return 2 * below + (below < splitter_count_ && !less(key, splitters_[below]) ? 1 : 0);
    }

  private:
    // Returns the key of an element. That of a sort by index has no index here, so equal elements have equal keys.
    __device__ static __forceinline__ OrderedKey key(const ElementArray& in, u64 index) {
#if SORTS_INDEXES
        return make_sort_key((const unsigned char*)in.keys + index * (u64)in.payloads, 0);
#else
        return in.key(index, false);
#endif
    }

    OrderedKey* splitters_;
    u32 splitter_count_;
};

// Returns the lanes of the warp whose class is that of this lane.
__device__ __forceinline__ u32 lanes_of_class(u32 own, u32 class_bits) {
    u32 lanes = kAllLanes;
    for (u32 bit = 0; bit < class_bits; ++bit) {
        const bool is_set = (own >> bit & 1) != 0;
        const u32 set = __ballot_sync(kAllLanes, is_set);
        lanes &= is_set ? set : ~set;
    }
    return lanes;
}

// The elements that one of `block_count` blocks of count_classes counts, and a block of send_elements sends. They lie
// next to each other, and the parts of the blocks come in the order of the blocks, so equal elements can keep their
// order.
struct ExchangePart {
    u64 begin;
    u64 end;

    __device__ ExchangePart(u64 count, u64 block, u64 block_count) {
        const u64 size = ceil_div(ceil_div(count, kExchangeTile), block_count) * kExchangeTile;
        begin = min_of(block * size, count);
        end = min_of(begin + size, count);
    }
};
