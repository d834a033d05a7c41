// Puts wide items in order that are in their cells (cell_rounds.cuh), by words that stand for them: the upper bits of a
// word say where an item lies among those of its warp, and the lowest ones are its slot. Rounds in which neighbours
// change places move a word with two instructions, where items take more than ten. The items stay in their slots, and
// are read in the order of the words when they are stored.
//
// Words may agree in the upper bits, where keys are equal or nearly so. Then their items are compared, and words of
// which these are out of order change places.
#pragma once
#include "parts/cell_memory.cuh"
#include "parts/word_exchanges.cuh"

template <int kItems, typename Item, u32 kCells>
struct WordRounds {
    using Memory = CellMemory<kItems, Item, kCells>;
    using Slots = PaddedItems<kItems, Item>;
    using Exchanges = WordExchanges<kItems>;

    static constexpr u32 kWarpItems = kWarpSize * kItems;
    // A word has the slot of an item among those of a warp, and above it as much of its place as fits beside the
    // uppermost bit, which pads have.
    static constexpr u32 kSlotBits = 8;
    static constexpr u32 kPlaceBits = 31 - kSlotBits;
    static constexpr u32 kPad = 1u << 31;
    // Behind so many rounds a warp looks whether it needs more.
    static constexpr u32 kWordRoundsUnasked = 8;
    // Words are put in order in cells of so many items.
    static constexpr u32 kMostByWords = 2 * kWarpSize;
    // In cells with more items, words that are farther apart change places before neighbours do.
    static constexpr u32 kMostNear = 16;
    // Whether items are so wide that words pay. The slots are bytes, and those of a lane are whole words.
    static constexpr bool kHasWords = !KEEPS_ORDER && sizeof(Item) >= 12 && kItems == 8;

    // Finds the order of the items of each warp, where no more than `most` in a row are out of order. place_of(item) is
    // less, or the same, for an item that comes before another one. Nobody needs the counts of cells any more, whose
    // memory takes the order of the slots.
    template <typename PlaceOf>
    __device__ __forceinline__ static void order_neighbours(
        const Memory& memory, u32 count, u32 most, const PlaceOf& place_of) {
        const u32 warp_begin = threadIdx.x / kWarpSize * kWarpItems;
        if (warp_begin >= count) {
            return;
        }
        const u32 lane = threadIdx.x % kWarpSize;
        const u32 begin = warp_begin + lane * kItems;
        u32 words[kItems];
        u32 least = ~0u;
        u32 greatest = 0;
        // Lanes without an item read another one in its place. With a branch for each item, these would be read one
        // after the other.
        const u32 first = min_of(begin, (count - 1) / kItems * kItems);
        const Item* own = memory.slots + Slots::slot(first);
#pragma unroll
        for (u32 i = 0; i < kItems; ++i) {
            words[i] = place_of(own[first + i < count ? i : 0]);
            least = min_of(least, words[i]);
            greatest = max_of(greatest, words[i]);
        }
        least = ~warp_max(~least);
        const u32 range = warp_max(greatest) - least;
        const u32 bits = 32 - (u32)__clz((int)range);
        const u32 shift = max_of(bits, kPlaceBits) - kPlaceBits;
#pragma unroll
        for (u32 i = 0; i < kItems; ++i) {
            const u32 place = begin + i < count ? words[i] - least >> shift : kPad >> kSlotBits | lane * kItems + i;
            words[i] = place << kSlotBits | lane * kItems + i;
        }
        if (most > kMostNear) {
            Exchanges::far(words);
        }
#pragma unroll 1
        for (u32 round = 0; round < most; round += 2) {
            if (round >= kWordRoundsUnasked && !Exchanges::fall(words)) {
                break;
            }
            Exchanges::near(words);
        }
        if (are_some_alike(words)) {
            while (exchange_alike(words, memory.slots + Slots::slot(warp_begin))) {
            }
        }
        u32 order[kItems / 4];
#pragma unroll
        for (int i = 0; i < kItems / 4; ++i) {
            const u32 low = words[4 * i] % kWarpItems | words[4 * i + 1] % kWarpItems << 8;
            order[i] = low | words[4 * i + 2] % kWarpItems << 16 | words[4 * i + 3] << 24;
        }
        *((uint2*)order_of_warp(memory) + lane) = uint2{order[0], order[1]};
        __syncwarp();
    }

    // Hands on the items in order, as BlockSort::for_each() does.
    template <typename Store>
    __device__ __forceinline__ static void for_each_ordered(const Memory& memory, u32 count, const Store& store) {
        const u32 lane = threadIdx.x % kWarpSize;
        const u32 warp_begin = threadIdx.x / kWarpSize * kWarpItems;
        if (warp_begin >= count) {
            return;
        }
        const u32 last = min_of(count - warp_begin, kWarpItems) - 1;
        const Item* own = memory.slots + Slots::slot(warp_begin);
        const u8* order = order_of_warp(memory);
        // Lanes without an item read the last one, so that loads need not wait for branches.
        constexpr u32 kAtOnce = 4;
#pragma unroll
        for (u32 first = 0; first < kItems; first += kAtOnce) {
            Item items[kAtOnce];
#pragma unroll
            for (u32 i = 0; i < kAtOnce; ++i) {
                items[i] = own[Slots::slot(order[min_of(lane + (first + i) * kWarpSize, last)])];
            }
#pragma unroll
            for (u32 i = 0; i < kAtOnce; ++i) {
                if (lane + (first + i) * kWarpSize <= last) {
                    store(warp_begin + lane, (first + i) * kWarpSize, items[i]);
                }
            }
        }
        __syncwarp();
    }

  private:
    // The order of a warp lies among the cells that it clears for the next sort itself, so nobody else has to wait.
    __device__ __forceinline__ static u8* order_of_warp(const Memory& memory) {
        return (u8*)(memory.cells + threadIdx.x / kWarpSize * kWarpSize * kCells);
    }

    // Returns whether any words, which are in order, differ by their slots alone.
    __device__ __forceinline__ static bool are_some_alike(const u32 (&words)[kItems]) {
        // The first lane has none before its first word.
        const u32 before = __shfl_up_sync(kAllLanes, words[kItems - 1], 1);
        u32 least = threadIdx.x % kWarpSize == 0 ? ~0u : words[0] ^ before;
#pragma unroll
        for (int i = 0; i + 1 < kItems; ++i) {
            least = min_of(least, words[i + 1] ^ words[i]);
        }
        return __any_sync(kAllLanes, least < 1u << kSlotBits);
    }

    // Words of neighbours that differ by their slots alone change places if their items are out of order. Returns
    // whether any have done so in the warp.
    __device__ __forceinline__ static bool exchange_alike(u32 (&words)[kItems], const Item* items_of_warp) {
        bool is_changed = false;
        const auto are_wrong = [&](u32 first, u32 second) {
            bool are = false;
            if ((first ^ second) < 1u << kSlotBits) {
                const Item& item = items_of_warp[Slots::slot(first % kWarpItems)];
                are = less(items_of_warp[Slots::slot(second % kWarpItems)], item);
            }
            is_changed |= are;
            return are;
        };
#pragma unroll
        for (int i = 0; i + 1 < kItems; ++i) {
            if (are_wrong(words[i], words[i + 1])) {
                const u32 first = words[i];
                words[i] = words[i + 1];
                words[i + 1] = first;
            }
        }
        const u32 lane = threadIdx.x % kWarpSize;
        const u32 before = __shfl_up_sync(kAllLanes, words[kItems - 1], 1);
        const u32 behind = __shfl_down_sync(kAllLanes, words[0], 1);
        words[0] = lane != 0 && are_wrong(before, words[0]) ? before : words[0];
        u32& last = words[kItems - 1];
        last = lane != kWarpSize - 1 && are_wrong(last, behind) ? behind : last;
        return __any_sync(kAllLanes, is_changed);
    }
};
