// The exchange between GPUs: each element goes to the memory of the GPU that will sort it, by a store over the link
// where that is another one, or to memory of its own GPU from where it is copied. The order of the elements of a class
// is kept.
//
// A tile is first put in the order of its classes, and then written a class after the other: so neighbouring threads
// write neighbouring elements, which memory and link carry best.
#pragma once
#include "parts/border_classes.cuh"

// Where the elements of one GPU go. A place counts in the array of all GPUs together, in the order of the classes.
struct ExchangePlan {
    u64 class_starts[kMaxClasses];   // the place of the first element of each class that this GPU sends
    u64 staged_starts[kMaxClasses];  // where it comes among all elements of this GPU, in the order of the classes
    u64 owner_count;
    u64 owner_begins[kMaxGpus];  // owner o receives the places from here to where the next owner's begin
};

// One column of the elements. Elements for an owner whose bit is set in `staged` are laid out by where they come among
// the elements of this GPU, all others by their places.
struct ExchangeColumn {
    const unsigned char* from;  // null for what is made here: indexes, and sort keys
    u64 element_bytes;
    u64 unit_bytes;   // of 1, 2, 4, 8 and 16, what divides the size and all addresses
    u64 first_index;  // of the elements of this GPU
    u64 staged;
    u64 to[kMaxGpus];  // the address that the first of all elements or places would have, by owner
};

constexpr u32 kExchangeRows = kExchangeItems * kExchangeWarps;
static_assert(kExchangeRows <= kWarpSize && kExchangeRows % 2 == 0, "each lane scans one row of a class");
static_assert(kMaxClasses < 2 * kWarpSize, "each lane scans two classes");

// So many blocks of send_elements shall fit a multiprocessor: reads wait for memory, so many of them must wait
// together.
constexpr int kSendBlocks = 3;

struct SendShared {
    u64 targets[kExchangeTile];  // addresses, of the elements of the tile in the order of their classes
    u64 owner_begins[kMaxGpus];
    u64 class_places[kMaxClasses + 1];   // the place of the next element of each class
    u64 staged_shifts[kMaxClasses + 1];  // of each class, the difference between places and where staged elements come
    u32 starts[kMaxClasses + 1];         // where each class begins in the tile
    u32 totals[2 * kWarpSize];
    u16 rows[kMaxClasses + 1][kExchangeRows];  // of each class: what each row of the tile has, then what is before it
    u16 sources[kExchangeTile];                // which element of the tile it is
    alignas(16) OrderedKey splitters[kMaxBorderSplitters];
};

// The units that a thread has on their way at once.
template <typename Unit>
constexpr u32 kSendUnits = sizeof(Unit) > sizeof(u32) ? 4 : 8;

// Writes one column of the tile. The lanes of a warp, or of an equal part of it, copy an element together: some of them
// have nothing to do, and no lane has to find out where it is. All loads of a thread are on their way before its first
// store.
template <typename Unit>
__device__ __forceinline__ void send_units(
    const SendShared& shared, const ExchangeColumn& column, u64 tile, u32 count) {
    constexpr u32 kUnits = kSendUnits<Unit>;
    const u32 units = (u32)(column.element_bytes / sizeof(Unit));
    const u32 log_lanes = units == 1 ? 0 : min_of<u32>(32 - (u32)__clz((int)units - 1), 5);
    const u32 lanes = 1u << log_lanes;
    const u32 step = kExchangeThreads >> log_lanes;
    const Unit* from = (const Unit*)column.from + tile * units;
#pragma unroll 1
    for (u32 first = threadIdx.x >> log_lanes; first < count; first += kUnits * step) {
#pragma unroll 1
        for (u32 unit = threadIdx.x % lanes; unit < units; unit += lanes) {
            Unit values[kUnits];
#pragma unroll
            for (u32 i = 0; i < kUnits; ++i) {
                const u32 element = first + i * step;
                if (element < count) {
                    values[i] = from[shared.sources[element] * units + unit];
                }
            }
#pragma unroll
            for (u32 i = 0; i < kUnits; ++i) {
                const u32 element = first + i * step;
                if (element < count) {
                    ((Unit*)shared.targets[element])[unit] = values[i];
                }
            }
        }
    }
}

template <typename Index>
__device__ __forceinline__ void send_indexes(
    const SendShared& shared, const ExchangeColumn& column, u64 tile, u32 count) {
    for (u32 i = threadIdx.x; i < count; i += kExchangeThreads) {
        *(Index*)shared.targets[i] = (Index)(column.first_index + tile + shared.sources[i]);
    }
}

__device__ __forceinline__ void send_column(
    const SendShared& shared, const ExchangeColumn& column, u64 tile, u32 count) {
    if (column.from == nullptr) {
        if (column.element_bytes == sizeof(u32)) {
            send_indexes<u32>(shared, column, tile, count);
        } else {
            send_indexes<u64>(shared, column, tile, count);
        }
        return;
    }
    switch (column.unit_bytes) {
        case 16: send_units<uint4>(shared, column, tile, count); break;
        case 8: send_units<u64>(shared, column, tile, count); break;
        case 4: send_units<u32>(shared, column, tile, count); break;
        case 2: send_units<u16>(shared, column, tile, count); break;
        default: send_units<u8>(shared, column, tile, count);
    }
}

// Turns the counts of rows into what is before each row, and finds where the classes begin in the tile.
__device__ __forceinline__ void scan_rows(SendShared& shared, u32 class_count) {
    const u32 lane = threadIdx.x % kWarpSize;
    const u32 warp = threadIdx.x / kWarpSize;
    for (u32 c = warp; c <= class_count; c += kExchangeWarps) {
        const u32 own = lane < kExchangeRows ? shared.rows[c][lane] : 0;
        const u32 inclusive = warp_inclusive_scan(own);
        if (lane < kExchangeRows) {
            shared.rows[c][lane] = (u16)(inclusive - own);
        }
        if (lane == kWarpSize - 1) {
            shared.totals[c] = inclusive;
        }
    }
    __syncthreads();
    if (warp == 0) {
        const u32 first = 2 * lane <= class_count ? shared.totals[2 * lane] : 0;
        const u32 both = first + (2 * lane < class_count ? shared.totals[2 * lane + 1] : 0);
        const u32 before = warp_inclusive_scan(both) - both;
        if (2 * lane <= class_count) {
            shared.starts[2 * lane] = before;
        }
        if (2 * lane < class_count) {
            shared.starts[2 * lane + 1] = before + first;
        }
    }
    __syncthreads();
}

__device__ __forceinline__ u32 owner_of(const SendShared& shared, u32 owner_count, u64 place) {
    u32 owner = 0;
    for (u32 o = 1; o < owner_count; ++o) {
        owner += shared.owner_begins[o] <= place ? 1 : 0;
    }
    return owner;
}

// Returns where an element of a class goes.
__device__ __forceinline__ u64
target_of(const SendShared& shared, const ExchangeColumn& column, u32 owner, u64 place, u32 found) {
    const bool is_staged = (column.staged >> owner & 1) != 0;
    const u64 position = is_staged ? place - shared.staged_shifts[found] : place;
    return column.to[owner] + position * column.element_bytes;
}

// `before` is what scan_classes has left of all `block_count` blocks, of which these are those from `first_block` on.
// The columns follow each other, those of sort keys last.
extern "C" __global__ void __launch_bounds__(kExchangeThreads, kSendBlocks) send_elements(
    ElementArray in, u64 count, ElementArray splitters, u64 splitter_count, const u64* before, u64 first_block,
    u64 block_count, const ExchangePlan* plan, const ExchangeColumn* columns, u64 column_count) {
    SendShared& shared = *(SendShared*)shared_memory;
    const BorderClasses classes(shared.splitters, (u32)splitter_count);
    classes.load(splitters);
    const u32 class_count = classes.count();
    const u32 owner_count = (u32)plan->owner_count;
    const u64 block = first_block + blockIdx.x;
    for (u32 c = threadIdx.x; c < class_count; c += kExchangeThreads) {
        shared.class_places[c] = plan->class_starts[c] + before[c * block_count + block];
        shared.staged_shifts[c] = plan->class_starts[c] - plan->staged_starts[c];
    }
    for (u32 o = threadIdx.x; o < owner_count; o += kExchangeThreads) {
        shared.owner_begins[o] = plan->owner_begins[o];
    }
    const u32 lane = threadIdx.x % kWarpSize;
    const ExchangePart part(count, block, block_count);
    for (u64 tile = part.begin; tile < part.end; tile += kExchangeTile) {
        const u32 tile_count = (u32)min_of<u64>(kExchangeTile, part.end - tile);
        u32* rows = (u32*)shared.rows;
        for (u32 i = threadIdx.x; i < (class_count + 1) * (kExchangeRows / 2); i += kExchangeThreads) {
            rows[i] = 0;
        }
        __syncthreads();
        u32 found[kExchangeItems];
        u32 ranks[kExchangeItems];
#pragma unroll
        for (int i = 0; i < kExchangeItems; ++i) {
            const u32 index = i * kExchangeThreads + threadIdx.x;
            found[i] = index < tile_count ? classes.find(in, tile + index) : class_count;
            const u32 lanes = lanes_of_class(found[i], classes.bits());
            ranks[i] = __popc(lanes & ((1u << lane) - 1));
            if (ranks[i] == 0) {
                shared.rows[found[i]][index / kWarpSize] = (u16)__popc(lanes);
            }
        }
        __syncthreads();
        scan_rows(shared, class_count);
#pragma unroll
        for (int i = 0; i < kExchangeItems; ++i) {
            const u32 index = i * kExchangeThreads + threadIdx.x;
            if (index < tile_count) {
                ranks[i] += shared.rows[found[i]][index / kWarpSize];
                shared.sources[shared.starts[found[i]] + ranks[i]] = (u16)index;
            }
        }
#if SORTS_INDEXES
        // The index of a sort key counts in what its owner receives.
        const u32 moved_columns = (u32)column_count - 1;
#pragma unroll
        for (int i = 0; i < kExchangeItems; ++i) {
            const u32 index = i * kExchangeThreads + threadIdx.x;
            if (index < tile_count) {
                const u64 place = shared.class_places[found[i]] + ranks[i];
                const u32 owner = owner_of(shared, owner_count, place);
                const unsigned char* element = (const unsigned char*)in.keys + (tile + index) * (u64)in.payloads;
                *(Key*)target_of(shared, columns[moved_columns], owner, place, found[i]) =
                    make_sort_key(element, (u32)(place - shared.owner_begins[owner]));
            }
        }
#else
        const u32 moved_columns = (u32)column_count;
#endif
        for (u32 c = 0; c < moved_columns; ++c) {
            // What the last column has read is overwritten.
            __syncthreads();
#pragma unroll
            for (int i = 0; i < kExchangeItems; ++i) {
                const u32 index = i * kExchangeThreads + threadIdx.x;
                if (index < tile_count) {
                    const u64 place = shared.class_places[found[i]] + ranks[i];
                    const u32 owner = owner_of(shared, owner_count, place);
                    shared.targets[shared.starts[found[i]] + ranks[i]] =
                        target_of(shared, columns[c], owner, place, found[i]);
                }
            }
            __syncthreads();
            send_column(shared, columns[c], tile, tile_count);
        }
        __syncthreads();
        for (u32 c = threadIdx.x; c < class_count; c += kExchangeThreads) {
            shared.class_places[c] += shared.totals[c];
        }
    }
}
