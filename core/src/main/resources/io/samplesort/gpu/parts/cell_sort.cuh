// Sorts what fits the shared memory of one block, where keys are numbers. Between the least key of a bucket and its
// greatest one, the range of numbers is cut into equal cells, about as many as there are keys. Counting says where the
// items of each cell go. Few lie in one cell, so none is far from its place then, and a few rounds in which neighbours
// change places put all in order. An item costs the same however large the bucket is, and fewer instructions than in a
// network.
//
// Which cell a key falls into only has to be monotone; keys are compared by `less`. A cell with many items is divided
// by one of them into what comes before, what is equal and what comes behind, as most of them are equal where keys
// repeat. Of keys that are wider than their numbers, second numbers divide it, but not of sort keys of which a thread
// has many: they mostly hold words of strings, and their cells many different ones. Cells of `float` keys go by their
// values where these have many exponents. If keys are spread so unevenly that this does not sort them, the bucket is
// left to block_sort.cuh.
#pragma once
#include "parts/cell_kinds.cuh"
#include "parts/cell_rounds.cuh"
#include "parts/next_bucket.cuh"
#include "parts/second_cells.cuh"
#include "parts/spread_neighbours.cuh"

// Buckets with few different numbers are left to repeat_sort.cuh where `kLeavesFew`, and otherwise sorted as well, if
// more slowly.
template <int kItems, typename Item, u32 kCells, bool kLeavesFew>
struct CellSort {
    using Memory = CellMemory<kItems, Item, kCells>;
    using Items = BlockItems<kItems, Item>;
    using Rounds = CellRounds<kItems, Item, kCells>;
    using Kinds = CellKinds<kItems, Item, kCells, kLeavesFew>;
    using Number = typename Kinds::Number;

    static constexpr u32 kMostInCell = Rounds::kMostInCell;
    static constexpr bool kNumbersAreKeys = Kinds::kNumbersAreKeys;
    // Whether the outcome may be kOtherKind.
    static constexpr bool kMayRepeat = Kinds::kMayRepeat;

    // Whether a bucket counts as uneven as soon as one cell has many items.
    static constexpr bool kLeavesUneven = SORTS_INDEXES && !kTellsFewNumbers;

    // Whether warps look for equal neighbours. Random numbers of 24 bits, such as `float` values below 1, are often
    // equal.
    static constexpr bool kAreFloats = kNumbersAreKeys && kKeysAreMapped && sizeof(Number) == sizeof(u32);
    // Cells of evenly spread numbers have at most this many items.
    static constexpr u32 kRoundsOfRepeats = 8;

    Memory memory;

    __device__ __forceinline__ explicit CellSort(unsigned char* bytes) : memory(bytes) {}

    // Sorts items 0 to count - 1, item base + offset as load(base, offset), and leaves them in `slots`, where each warp
    // has the items that BlockSort::for_each() reads. If a cell has too many items, the memory needs clear()
    // afterwards. If there are few different numbers, which are left to repeat_sort.cuh, nothing is done, and the
    // outcome is kOtherKind. All threads of the block call this.
    //
    // Meanwhile the block finds the `next` bucket. At the end it is known, or at least its entry has been requested,
    // unless the outcome is kOtherKind.
    template <typename Load, typename Next>
    __device__ __forceinline__ CellOutcome sort(u32 count, const Load& load, Next& next) const {
        Items items(count, load);
        // The items are in flight meanwhile.
        memory.clear_cells();
        if constexpr (kAreFloats) {
            spread_neighbours(items, memory.slots);
        }
        Kinds maps;
        const CellKind kind = maps.classify(memory, items);
        if (kNumbersAreKeys && kind == CellKind::kAlike) {
            next.ask_for_entry();
            keep_items(items);
            return CellOutcome::kSorted;
        }
        if (kNumbersAreKeys && kind == CellKind::kOwnWords) {
            return sort_by_counters(items, maps.template counters<false>(), next);
        }
        if (kNumbersAreKeys && kind == CellKind::kOwnHalves) {
            return sort_by_counters(items, maps.template counters<true>(), next);
        }
        if (kMayRepeat && kind == CellKind::kFew) {
            // All threads have read the bounds after this.
            __syncthreads();
            memory.clear_bounds();
            __syncthreads();
            return CellOutcome::kOtherKind;
        }
        bool goes_by_value = Kinds::kMayHaveExponents && kind == CellKind::kByValue;
        const bool are_alike = !kNumbersAreKeys && !kMayRepeat && kind == CellKind::kAlike;
        u32 most = 0;
        if (goes_by_value) {
            most = memory.count(items, maps.by_value, next);
            // Too many items share a cell, for example if few values are near zero and some are far away.
            if (most > kMostInCell) {
                memory.clear_cells();
                __syncthreads();
                goes_by_value = false;
            }
        }
        if (are_alike) {
            next.ask_for_entry();
            next.ask_for_place();
        } else if (!goes_by_value) {
            most = memory.count(items, maps.even, next);
        }
        if (!kNumbersAreKeys && (are_alike || most > kMostInCell)) {
            if (kLeavesUneven) {
                // One thread has cleared the bounds, and the next sort may keep items there.
                __syncthreads();
                return CellOutcome::kUneven;
            }
            return sort_by_second_numbers(items, maps.even, are_alike);
        }
        if (goes_by_value) {
            memory.place(items, maps.by_value);
        } else {
            memory.place(items, maps.even);
        }
        const auto cell_at = [&](u32 border) {
            return goes_by_value ? memory.cell_at(border, maps.by_value) : memory.cell_at(border, maps.even);
        };
        // If numbers repeat, most items in the fullest cells are equal.
        return Rounds::finish(memory, count, most, most > kRoundsOfRepeats ? 0 : Rounds::kRoundsUnasked, cell_at, next);
    }

  private:
    // Sorts items whose numbers have a counter each.
    template <typename Map, typename Next>
    __device__ __forceinline__ CellOutcome
    sort_by_counters(const Items& items, const Map& map, const Next& next) const {
        memory.count(items, map, next);
        memory.place(items, map);
        return CellOutcome::kSorted;
    }

    // Sorts items by cells that second numbers divide, if all items have the same number (`are_alike`), or many have.
    // In the latter case the numbers have been counted.
    __device__ __forceinline__ CellOutcome
    sort_by_second_numbers(const Items& items, const NumberMap<CellMap<Number>>& even, bool are_alike) const {
        const SecondCells<kItems, Item, kCells> second{memory, kMayRepeat || even.cell_of.factor != ~0u};
        const NotedMap<kItems> notes = second.note(items, even, are_alike);
        NoNextBucket none;
        const u32 most = memory.count(items, notes, none);
        memory.place(items, notes);
        const auto cell_at = [&](u32 border) { return memory.cell_at(border, notes); };
        return Rounds::finish(memory, items.count, most, Rounds::kRoundsUnasked, cell_at, none);
    }

    // Leaves equal items where they are.
    __device__ __forceinline__ void keep_items(const Items& items) const {
        const auto places = memory.places().from(Items::first_place());
        items.for_each([&](const Item& item, int i) { places[i * kWarpSize] = item; });
        __syncthreads();
        memory.clear_bounds();
        __syncthreads();
    }
};
