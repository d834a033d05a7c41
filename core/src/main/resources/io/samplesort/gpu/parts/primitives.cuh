// What every kernel needs: integer names, arrays of elements, scans over a block.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

constexpr u32 kAllLanes = 0xffffffffu;

// All shared memory is dynamic: how much a kernel needs depends on the number of buckets, which is known at the launch.
extern __shared__ __align__(16) unsigned char shared_memory[];

// Returns an address in shared memory in 32 bits.
__device__ __forceinline__ u32 shared_address(const void* place) {
#ifdef __CUDA_ARCH__
    return (u32)__cvta_generic_to_shared(place);
#else
    return (u32)((const unsigned char*)place - shared_memory);
#endif
}

template <typename T>
__device__ __forceinline__ const T& at_shared_address(u32 address) {
#ifdef __CUDA_ARCH__
    return *(const T*)__cvta_shared_to_generic(address);
#else
    return *(const T*)(shared_memory + address);
#endif
}

// Lets the next kernel of the stream begin once all blocks of this one have come here, where the host launches that
// kernel so (Kernel.Mode.BESIDE).
__device__ __forceinline__ void allow_next_kernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

// Waits until the kernel before this one has ended and all it wrote can be read.
__device__ __forceinline__ void wait_for_previous_kernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// The first thing that a phase does. It is launched while the phase before it ends, so that nobody waits for the
// launch.
__device__ __forceinline__ void follow_previous_kernel() {
    allow_next_kernel();
    wait_for_previous_kernel();
}

// Whether a pair takes no more memory as an Element than as key and payload in arrays of their own.
constexpr bool kMovesPairs = HAS_PAYLOAD && sizeof(Element) == sizeof(OrderedKey) + sizeof(Payload);

// Elements in global memory. Keys and payloads lie in arrays of their own, as the user hands them over, so the same
// code moves keys alone and pairs. `payloads` is null where elements have none.
//
// Keys are the user's keys in the input and in the result. In between, wherever they are moved to, they are
// OrderedKeys, which have as many bits: so floating-point numbers are mapped once and mapped back once
// (float_order.cuh).
//
// In between, pairs without padding may lie as whole Elements (kMovesPairs), which makes one run for each bucket and
// tile instead of two half as long. `payloads` is null there.
//
// A sort by index has no payloads, so it uses their pointer otherwise. In the input, where `keys` points to the user's
// elements, it is the size of an element in bytes. In the result it is where the indexes go, and the sort keys then go
// nowhere. It is null wherever sort keys are what lies there.
//
// The host writes both fields as eight bytes each, by the same names (KernelStructs.ElementArray).
struct ElementArray {
    Key* keys;
    Payload* payloads;

    // Loads an element of the input.
    __device__ __forceinline__ Element load(u64 index) const { return element(input_key(index), index); }

    // Loads an element that has been moved.
    __device__ __forceinline__ Element load_ordered(u64 index) const {
        return holds_pairs() ? ((Element*)keys)[index] : element(((OrderedKey*)keys)[index], index);
    }

    // Stores an element into the result.
    __device__ __forceinline__ void store(u64 index, const Element& element) const {
#if SORTS_INDEXES
        if (payloads != nullptr) {
            ((u32*)payloads)[index] = index_of(element.key);
        } else {
            keys[index] = element.key;
        }
#else
        restore_key((OrderedKey)element.key, keys[index]);
        store_payload(index, element);
#endif
    }

    __device__ __forceinline__ void store_ordered(u64 index, const Element& element) const {
        if (holds_pairs()) {
            ((Element*)keys)[index] = element;
        } else {
            ((OrderedKey*)keys)[index] = (OrderedKey)element.key;
            store_payload(index, element);
        }
    }

    // Loads a key alone, of the input or moved.
    __device__ __forceinline__ OrderedKey key(u64 index, bool is_ordered) const {
        if (!is_ordered) {
            return input_key(index);
        }
        return holds_pairs() ? (OrderedKey)((Element*)keys)[index].key : ((OrderedKey*)keys)[index];
    }

#if HAS_PAYLOAD
    // Loads a payload alone, of a moved element.
    __device__ __forceinline__ Payload payload(u64 index) const {
        return holds_pairs() ? (Payload)((Element*)keys)[index].payload : payloads[index];
    }
#endif

    // Returns the elements from `begin` on. The input of a sort by index cannot be cut like this, since elements know
    // their place there.
    __device__ __forceinline__ ElementArray from(u64 begin) const {
#if SORTS_INDEXES
        return ElementArray{keys + begin, payloads == nullptr ? nullptr : payloads + begin * sizeof(u32)};
#else
        if (holds_pairs()) {
            return ElementArray{(Key*)((Element*)keys + begin), nullptr};
        }
        return ElementArray{keys + begin, HAS_PAYLOAD ? payloads + begin : payloads};
#endif
    }

  private:
    __device__ __forceinline__ bool holds_pairs() const { return kMovesPairs && payloads == nullptr; }

    __device__ __forceinline__ OrderedKey input_key(u64 index) const {
#if SORTS_INDEXES
        return payloads == nullptr
            ? keys[index]
            : make_sort_key((const unsigned char*)keys + index * (u64)payloads, (u32)index);
#else
        return order_key(keys[index]);
#endif
    }

    __device__ __forceinline__ Element element(OrderedKey key, u64 index) const {
        Element element;
        element.key = key;
#if HAS_PAYLOAD
        element.payload = payloads[index];
#endif
        return element;
    }

    __device__ __forceinline__ void store_payload(u64 index, const Element& element) const {
#if HAS_PAYLOAD
        payloads[index] = (Payload)element.payload;
#endif
    }
};

__device__ __forceinline__ bool less(const Element& a, const Element& b) {
    return less(a.key, b.key);
}

template <typename T>
__device__ __forceinline__ T min_of(T a, T b) {
    return b < a ? b : a;
}

template <typename T>
__device__ __forceinline__ T max_of(T a, T b) {
    return a < b ? b : a;
}

__device__ __forceinline__ u64 ceil_div(u64 a, u64 b) {
    return (a + b - 1) / b;
}

__host__ __device__ constexpr u32 align_16(u32 bytes) {
    return (bytes + 15) / 16 * 16;
}

template <typename T>
__device__ __forceinline__ T warp_inclusive_scan(T value) {
    const u32 lane = threadIdx.x % kWarpSize;
#pragma unroll
    for (u32 distance = 1; distance < kWarpSize; distance *= 2) {
        const T before = __shfl_up_sync(kAllLanes, value, distance);
        if (lane >= distance) {
            value += before;
        }
    }
    return value;
}

// Returns the largest `value` of a warp.
template <typename T>
__device__ __forceinline__ T warp_max(T value) {
    for (u32 distance = kWarpSize / 2; distance > 0; distance /= 2) {
        value = max_of(value, __shfl_xor_sync(kAllLanes, value, (int)distance));
    }
    return value;
}

// Returns the sum of `value` over the threads before this one; `total` becomes the sum over all. `warp_totals` is
// shared memory for one T for each warp and may not be written again before the next barrier. All threads of a block
// call this, and the block has a multiple of 32 threads.
template <typename T>
__device__ T block_exclusive_scan(T value, T* warp_totals, T& total) {
    const u32 warp = threadIdx.x / kWarpSize;
    const u32 warp_count = blockDim.x / kWarpSize;
    const T inclusive = warp_inclusive_scan(value);
    if (threadIdx.x % kWarpSize == kWarpSize - 1) {
        warp_totals[warp] = inclusive;
    }
    __syncthreads();
    const u32 lane = threadIdx.x % kWarpSize;
    const T totals = warp_inclusive_scan(lane < warp_count ? warp_totals[lane] : 0);
    const T before = __shfl_sync(kAllLanes, totals, (int)((warp - 1) % kWarpSize));
    total = __shfl_sync(kAllLanes, totals, kWarpSize - 1);
    return (warp == 0 ? 0 : before) + inclusive - value;
}
