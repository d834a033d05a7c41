// Kernels that touch numbers, one number for each thread of one block.
typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void write_numbers(u32* array, u64 value) { array[threadIdx.x] = (u32)value + threadIdx.x; }

extern "C" __global__ void copy_numbers(const u32* from, u32* to) { to[threadIdx.x] = from[threadIdx.x]; }

extern "C" __global__ void count_up(u32* array) { atomicAdd(&array[threadIdx.x], 1u); }
