// The items of a block in registers, and counts of its cells (cell_sort.cuh) in shared memory.
#pragma once
#include "parts/block_sort.cuh"
#include "parts/both_numbers.cuh"

__device__ __forceinline__ auto number_of_item(const Element& element) { return number_of(element.key); }

__device__ __forceinline__ u64 second_number_of_item(const Element& element) { return second_number_of(element.key); }

template <int kItems, typename Item, u32 kCells>
struct CellCounts {
    using Items = PaddedItems<kItems, Item>;

    static constexpr u32 kWarpItems = kWarpSize * kItems;
    // Each thread adds up kCells cells, four of a row at a time.
    static constexpr u32 kRows = kCells / 4;

    struct Bounds {
        // The greatest word and the inverse of the least one: of the upper words of all numbers, of the lower ones, and
        // the same of second numbers. So all begin with 0, and two lanes raise both at once.
        u32 ends[8];
        u32 most;     // items in a cell
        u32 bits[2];  // in which numbers differ; or those that are 1 in any number, and those that are 0 in any

        // Returns in which bits words differ of which these are the bits that are 1 in any, and that are 0 in any.
        __device__ __forceinline__ static u32 differ(const u32* found) { return found[0] & found[1]; }

        __device__ __forceinline__ u32 least(u32 which) const { return ~ends[2 * which + 1]; }
        __device__ __forceinline__ u32 greatest(u32 which) const { return ends[2 * which]; }
    };

    Item* slots;
    u32* cells;  // counts of the items in each cell, then where these begin, then where they end; a 0 before all
    u32* warp_totals;
    Bounds* bounds;
    BothNumbers* kept;  // a copy, as registers are for items

    __host__ __device__ __forceinline__ static constexpr u32 slot_bytes(u32 threads) {
        return BlockSort<kItems, Item>::slot_bytes(threads);
    }

    __host__ __device__ __forceinline__ static constexpr u32 bytes(u32 threads) {
        return slot_bytes(threads) + threads * kCells * (u32)sizeof(u32) + 16 + kWarpSize * (u32)sizeof(u32)
            + align_16(sizeof(Bounds) + sizeof(BothNumbers));
    }

    __device__ __forceinline__ explicit CellCounts(unsigned char* memory) {
        slots = (Item*)memory;
        cells = (u32*)(memory + slot_bytes(blockDim.x)) + 4;
        warp_totals = cells + blockDim.x * kCells;
        bounds = (Bounds*)(warp_totals + kWarpSize);
        kept = (BothNumbers*)(bounds + 1);
    }

    // Makes the memory ready for a first sort, and for the next one after others have used it. The block sees this
    // after its next barrier.
    __device__ __forceinline__ void clear() const {
        if (threadIdx.x == 0) {
            cells[-1] = 0;
        }
        clear_bounds();
    }

    __device__ __forceinline__ void clear_bounds() const {
        if (threadIdx.x == 0) {
            *bounds = Bounds{};
        }
    }

    // Each thread clears the cells that it adds up.
    __device__ __forceinline__ void clear_cells() const {
#pragma unroll
        for (u32 row = 0; row < kRows; ++row) {
            ((uint4*)cells)[first_row() + row * kWarpSize] = uint4{0, 0, 0, 0};
        }
    }

    // Returns the first row of four cells of the calling thread, which has every kWarpSize-th one from there.
    __device__ __forceinline__ static u32 first_row() {
        return threadIdx.x / kWarpSize * kRows * kWarpSize + threadIdx.x % kWarpSize;
    }

    // Returns where item i of the calling thread comes from.
    __device__ __forceinline__ static u32 place_of_item(int i) {
        return threadIdx.x / kWarpSize * kWarpItems + threadIdx.x % kWarpSize + i * kWarpSize;
    }

    // Calls use(i) for the items of a thread. Nobody asks for single items where a warp has all.
    template <typename Use>
    __device__ __forceinline__ static void for_each_item(u32 count, const Use& use) {
        const u32 base = threadIdx.x / kWarpSize * kWarpItems + threadIdx.x % kWarpSize;
        if (base - threadIdx.x % kWarpSize + kWarpItems <= count) {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                use(i);
            }
        } else {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                if (base + i * kWarpSize < count) {
                    use(i);
                }
            }
        }
    }

    // Neighbouring lanes have neighbouring items, and a warp's items lie together.
    //
    // What is no item is set to nothing. Else its registers would hold what they held for the piece before, and could
    // not be used for anything in between.
    template <typename Load>
    __device__ __forceinline__ static void load_items(u32 count, const Load& load, Item (&items)[kItems]) {
        const u32 base = threadIdx.x / kWarpSize * kWarpItems + threadIdx.x % kWarpSize;
        if (base - threadIdx.x % kWarpSize + kWarpItems <= count) {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                items[i] = load(base, i * kWarpSize);
            }
        } else {
#pragma unroll
            for (int i = 0; i < kItems; ++i) {
                items[i] = base + i * kWarpSize < count ? load(base, i * kWarpSize) : Item{};
            }
        }
    }

    // Finds the range of words that word_of(item) returns, of all items of the block. This is a barrier.
    template <typename WordOf>
    __device__ __forceinline__ void find_bounds(
        const Item (&items)[kItems], u32 count, u32 which, u32& least, u32& greatest, const WordOf& word_of) const {
        add_bounds(items, count, which, word_of);
        __syncthreads();
        least = bounds->least(which);
        greatest = bounds->greatest(which);
    }

    // Does the part of the calling warp in find_bounds(). The bounds can be read behind a barrier.
    template <typename WordOf>
    __device__ __forceinline__ void add_bounds(
        const Item (&items)[kItems], u32 count, u32 which, const WordOf& word_of) const {
        u32 least = ~0u;
        u32 greatest = 0;
        for_each_item(count, [&](int i) {
            const u32 word = word_of(items[i]);
            least = min_of(least, word);
            greatest = max_of(greatest, word);
        });
        const u32 inverse = warp_max(~least);
        greatest = warp_max(greatest);
        const u32 lane = threadIdx.x % kWarpSize;
        if (lane < 2) {
            atomicMax(&bounds->ends[2 * which + lane], lane == 0 ? greatest : inverse);
        }
    }

    // Returns the bits in which the numbers of all items of the block differ from one of them. This is a barrier.
    __device__ __forceinline__ u32 find_differing_bits(const Item (&items)[kItems], u32 count, u32 number) const {
        u32 differ = 0;
        for_each_item(count, [&](int i) { differ |= (u32)number_of_item(items[i]) ^ number; });
        differ = warp_or(differ);
        if (threadIdx.x % kWarpSize == 0) {
            atomicOr(&bounds->bits[0], differ);
        }
        __syncthreads();
        return bounds->bits[0];
    }

    // Finds the bits that are 1 in any of the words that word_of(item) returns, and those that are 0 in any, of the
    // items of the calling warp, and adds them to `found`.
    template <typename WordOf>
    __device__ __forceinline__ static void add_bits(
        const Item (&items)[kItems], u32 count, u32* found, const WordOf& word_of) {
        u32 ones = 0;
        u32 zeros = 0;
        for_each_item(count, [&](int i) {
            const u32 word = word_of(items[i]);
            ones |= word;
            zeros |= ~word;
        });
        ones = warp_or(ones);
        zeros = warp_or(zeros);
        const u32 lane = threadIdx.x % kWarpSize;
        if (lane < 2) {
            atomicOr(&found[lane], lane == 0 ? ones : zeros);
        }
    }

    // Turns the counts of all cells into where their items begin, and returns the greatest one.
    __device__ __forceinline__ u32 find_starts() const {
        return find_starts<false>([](u32 row) { return row; });
    }

    // The same where row_of(i) says where the i-th row of four words is. If `kHalves`, each word has the counts of two
    // cells; a block has less than 2^16 items.
    template <bool kHalves, typename RowOf>
    __device__ __forceinline__ u32 find_starts(const RowOf& row_of) const {
        const u32 lane = threadIdx.x % kWarpSize;
        const u32 warp = threadIdx.x / kWarpSize;
        u32 most = 0;
        const auto row_at = [&](u32 row) -> uint4& { return ((uint4*)cells)[row_of(first_row() + row * kWarpSize)]; };
        const auto sum_of_row = [&](u32 row) {
            const uint4 four = row_at(row);
            most = max_of(most, max_of(max_of(four.x, four.y), max_of(four.z, four.w)));
            const u32 sum = four.x + four.y + four.z + four.w;
            return kHalves ? (sum & 0xffff) + (sum >> 16) : sum;
        };
        u32 before[kRows];
        u32 total = 0;
#pragma unroll
        for (u32 row = 0; row < kRows; row += 2) {
            // Two rows at once, in the halves of a word.
            const bool has_two = row + 1 < kRows;
            const u32 sums = sum_of_row(row) | (has_two ? sum_of_row(row + 1) : 0) << 16;
            const u32 inclusive = warp_inclusive_scan(sums);
            const u32 all = __shfl_sync(kAllLanes, inclusive, kWarpSize - 1);
            before[row] = total + (inclusive - sums & 0xffff);
            total += all & 0xffff;
            if (has_two) {
                before[row + 1] = total + (inclusive - sums >> 16);
                total += all >> 16;
            }
        }
        most = warp_max(most);
        if (lane == 0) {
            warp_totals[warp] = total;
            atomicMax(&bounds->most, most);
        }
        __syncthreads();
        most = bounds->most;
        const u32 base = warp_sum(lane < warp ? warp_totals[lane] : 0);
#pragma unroll
        for (u32 row = 0; row < kRows; ++row) {
            const uint4 four = row_at(row);
            u32 place = base + before[row];
            // Returns where the items begin that a word has counted.
            const auto next = [&](u32 counts) {
                const u32 first = place;
                const u32 second = first + (counts & 0xffff);
                place = kHalves ? second + (counts >> 16) : first + counts;
                return kHalves ? first | second << 16 : first;
            };
            const u32 x = next(four.x);
            const u32 y = next(four.y);
            const u32 z = next(four.z);
            row_at(row) = uint4{x, y, z, next(four.w)};
        }
        __syncthreads();
        // All have read them.
        clear_bounds();
        return most;
    }
};
