// Kernels with one planted fault each, and `healthy`, which does the same work without a fault. Each is launched with
// two blocks of 64 threads, 256 bytes of dynamic shared memory, and an array of 128 written and 64 unwritten numbers.
typedef unsigned int u32;

extern __shared__ u32 numbers[];

// Reverses 64 numbers in shared memory.
extern "C" __global__ void healthy(u32* array) {
    u32* part = array + blockIdx.x * 64;
    numbers[threadIdx.x] = part[threadIdx.x];
    __syncthreads();
    part[threadIdx.x] = numbers[63 - threadIdx.x];
}

extern "C" __global__ void missing_barrier(u32* array) {
    u32* part = array + blockIdx.x * 64;
    numbers[threadIdx.x] = 0;
    __syncthreads();
    numbers[threadIdx.x] = part[threadIdx.x];
    part[threadIdx.x] = numbers[63 - threadIdx.x];
}

// Only one warp takes part, so what is missing is a __syncwarp and not a __syncthreads.
extern "C" __global__ void missing_warp_barrier(u32* array) {
    if (threadIdx.x < 32) {
        numbers[threadIdx.x] = 0;
        __syncwarp();
        numbers[threadIdx.x] = array[threadIdx.x];
        const u32 neighbour = numbers[threadIdx.x ^ 1];
        __syncwarp();
        numbers[threadIdx.x] = neighbour;
    }
}

extern "C" __global__ void write_after_read(u32* array) {
    numbers[threadIdx.x] = array[threadIdx.x];
    __syncthreads();
    const u32 other = numbers[63 - threadIdx.x];
    numbers[threadIdx.x] = other;
}

extern "C" __global__ void race_of_blocks(u32* array) { array[threadIdx.x] = blockIdx.x; }

extern "C" __global__ void plain_beside_atomic(u32* array) {
    if (threadIdx.x < 32) {
        atomicAdd(&array[0], 1u);
    } else {
        array[0] = 0;
    }
}

extern "C" __global__ void unwritten_shared(u32* array) { array[blockIdx.x * 64 + threadIdx.x] = numbers[threadIdx.x]; }

extern "C" __global__ void unwritten_device(u32* array) { numbers[threadIdx.x] = array[128 + threadIdx.x]; }

extern "C" __global__ void shared_out_of_bounds(u32* array) { numbers[threadIdx.x + 1] = array[threadIdx.x]; }

extern "C" __global__ void device_write_past_end(u32* array) { array[threadIdx.x + 129] = 1; }

extern "C" __global__ void device_read_before_begin(u32* array) { numbers[threadIdx.x] = *(array + threadIdx.x - 1); }

extern "C" __global__ void null_pointer(u32* array) {
    u32* nothing = array - (unsigned long long)array / sizeof(u32);
    nothing[threadIdx.x] = 1;
}

extern "C" __global__ void misaligned(u32* array) { *(u32*)((char*)array + 2) = threadIdx.x; }

extern "C" __global__ void barrier_divergence(u32* array) {
    if (threadIdx.x < 48) {
        __syncthreads();
        array[blockIdx.x * 64 + threadIdx.x] = 0;
    }
}

extern "C" __global__ void different_barriers(u32* array) {
    if (threadIdx.x < 32) {
        __syncthreads();
    } else {
        array[blockIdx.x * 64 + threadIdx.x] = __syncthreads_or(threadIdx.x == 40);
    }
}

extern "C" __global__ void lane_missing_returned(u32* array) {
    if (threadIdx.x % 32 == 7) {
        return;
    }
    array[blockIdx.x * 64 + threadIdx.x] = __shfl_xor_sync(0xffffffffu, threadIdx.x, 1);
}

extern "C" __global__ void lane_missing_elsewhere(u32* array) {
    if (threadIdx.x % 32 == 7) {
        __syncthreads();
    } else {
        array[blockIdx.x * 64 + threadIdx.x] = __ballot_sync(0xffffffffu, threadIdx.x & 1);
        __syncthreads();
    }
}

extern "C" __global__ void caller_not_in_mask(u32* array) {
    array[blockIdx.x * 64 + threadIdx.x] = __any_sync(0x0000ffffu, threadIdx.x == 3);
}

extern "C" __global__ void shuffle_from_outside_the_mask(u32* array) {
    if (threadIdx.x % 32 < 16) {
        array[blockIdx.x * 64 + threadIdx.x] = __shfl_sync(0x0000ffffu, threadIdx.x, 20);
    }
}

extern "C" __global__ void waits_forever(u32* array) {
    while (*(volatile u32*)array != 12345) {
    }
}
