// The exchange between GPUs: each element goes to the memory of the GPU that will sort it, by a store over the link
// where that is another one. The order of the elements of a class is kept.
//
// A tile is first put in the order of its classes, and then written a class after the other: so neighbouring threads
// write neighbouring elements, which the link carries best.
#pragma once
#include "parts/border_classes.cuh"

// Where the elements of one GPU go. A place counts in the array of all GPUs together, in the order of the classes.
struct ExchangePlan {
    u64 class_starts[kMaxClasses];    // the place of the first element of each class that this GPU sends
    u64 owner_count;
    u64 owner_begins[kMaxGpus];       // owner o receives the places from here to where the next owner's begin
};

// One column of the elements.
struct ExchangeColumn {
    const unsigned char* from;        // null for the index of each element in the array of all GPUs
    u64 element_bytes;
    u64 unit_bytes;                   // of 1, 2, 4, 8 and 16, what divides the size and all addresses
    u64 first_index;                  // of the elements of this GPU
    u64 to[kMaxGpus];                 // the address that place 0 would have at each owner
};

constexpr u32 kExchangeRows = kExchangeItems * kExchangeWarps;
static_assert(kExchangeRows == 2 * kWarpSize, "each lane scans two rows of a class");
static_assert(kMaxClasses < 2 * kWarpSize, "each lane scans two classes");
static_assert(kMaxGpus <= 1 << 8, "an owner fits the uppermost byte of a place");
constexpr u32 kOwnerShift = 56;

struct SendShared {
    u64 places[kExchangeTile];        // of the elements of the tile in the order of their classes, with their owners
    u64 owner_begins[kMaxGpus];
    u64 class_places[kMaxClasses + 1];  // the place of the next element of each class
    u32 starts[kMaxClasses + 1];        // where each class begins in the tile
    u32 totals[2 * kWarpSize];
    u16 rows[kMaxClasses + 1][kExchangeRows];  // of each class: what each row of the tile has, then what is before it
    u16 sources[kExchangeTile];       // which element of the tile it is
    alignas(16) OrderedKey splitters[kMaxBorderSplitters];
};

// Writes one column of the tile. All loads of a thread are on their way before its first store.
template <typename Unit>
__device__ __forceinline__ void send_units(
    const SendShared& shared, const ExchangeColumn& column, u64 tile, u32 count) {
    const u32 units = (u32)(column.element_bytes / sizeof(Unit));
    const Unit* from = (const Unit*)column.from + tile * units;
    for (u32 first = threadIdx.x; first < count * units; first += kExchangeTile) {
        Unit values[kExchangeItems];
#pragma unroll
        for (int i = 0; i < kExchangeItems; ++i) {
            const u32 unit = first + i * kExchangeThreads;
            if (unit < count * units) {
                values[i] = from[shared.sources[unit / units] * units + unit % units];
            }
        }
#pragma unroll
        for (int i = 0; i < kExchangeItems; ++i) {
            const u32 unit = first + i * kExchangeThreads;
            if (unit < count * units) {
                const u64 place = shared.places[unit / units];
                const u64 at = (place & ((1ull << kOwnerShift) - 1)) * units + unit % units;
                ((Unit*)column.to[place >> kOwnerShift])[at] = values[i];
            }
        }
    }
}

template <typename Index>
__device__ __forceinline__ void send_indexes(
    const SendShared& shared, const ExchangeColumn& column, u64 tile, u32 count) {
    for (u32 i = threadIdx.x; i < count; i += kExchangeThreads) {
        const u64 place = shared.places[i];
        Index* to = (Index*)column.to[place >> kOwnerShift];
        to[place & ((1ull << kOwnerShift) - 1)] = (Index)(column.first_index + tile + shared.sources[i]);
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
        case 16:
            send_units<uint4>(shared, column, tile, count);
            break;
        case 8:
            send_units<u64>(shared, column, tile, count);
            break;
        case 4:
            send_units<u32>(shared, column, tile, count);
            break;
        case 2:
            send_units<u16>(shared, column, tile, count);
            break;
        default:
            send_units<u8>(shared, column, tile, count);
    }
}

// Turns the counts of rows into what is before each row, and finds where the classes begin in the tile.
__device__ __forceinline__ void scan_rows(SendShared& shared, u32 class_count) {
    const u32 lane = threadIdx.x % kWarpSize;
    const u32 warp = threadIdx.x / kWarpSize;
    for (u32 c = warp; c <= class_count; c += kExchangeWarps) {
        const u32 first = shared.rows[c][2 * lane];
        const u32 both = first + shared.rows[c][2 * lane + 1];
        const u32 inclusive = warp_inclusive_scan(both);
        shared.rows[c][2 * lane] = (u16)(inclusive - both);
        shared.rows[c][2 * lane + 1] = (u16)(inclusive - both + first);
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

__device__ __forceinline__ u64 owner_of(const SendShared& shared, u32 owner_count, u64 place) {
    u64 owner = 0;
    for (u32 o = 1; o < owner_count; ++o) {
        owner += shared.owner_begins[o] <= place ? 1 : 0;
    }
    return owner;
}

// `before` is what scan_classes has left. The columns follow each other, the keys' first.
extern "C" __global__ void __launch_bounds__(kExchangeThreads) send_elements(
    ElementArray in, u64 count, ElementArray splitters, u64 splitter_count, const u64* before, const ExchangePlan* plan,
    const ExchangeColumn* columns, u64 column_count) {
    SendShared& shared = *(SendShared*)shared_memory;
    const BorderClasses classes(shared.splitters, (u32)splitter_count);
    classes.load(splitters);
    const u32 class_count = classes.count();
    const u32 owner_count = (u32)plan->owner_count;
    for (u32 c = threadIdx.x; c < class_count; c += kExchangeThreads) {
        shared.class_places[c] = plan->class_starts[c] + before[c * gridDim.x + blockIdx.x];
    }
    for (u32 o = threadIdx.x; o < owner_count; o += kExchangeThreads) {
        shared.owner_begins[o] = plan->owner_begins[o];
    }
    const u32 lane = threadIdx.x % kWarpSize;
    const ExchangePart part(count);
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
                const u32 rank = shared.rows[found[i]][index / kWarpSize] + ranks[i];
                const u64 place = shared.class_places[found[i]] + rank;
                const u32 slot = shared.starts[found[i]] + rank;
                shared.places[slot] = place | owner_of(shared, owner_count, place) << kOwnerShift;
                shared.sources[slot] = (u16)index;
            }
        }
        __syncthreads();
        for (u32 c = 0; c < column_count; ++c) {
            send_column(shared, columns[c], tile, tile_count);
        }
        for (u32 c = threadIdx.x; c < class_count; c += kExchangeThreads) {
            shared.class_places[c] += shared.totals[c];
        }
    }
}
