// CUDA's built-ins for g++. This is included before the sources of a kernel, which are not changed.
//
// __shared__ is thread_local: one block at a time runs on a system thread, so the variables of the system thread are
// shared by the threads of that block.
#pragma once

// This is C's header, as C++'s would take a quarter of the compile time of a program. The functions for floats, which
// C++'s header has, are at the end of this file.
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <math.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS

#include "kernel/interface.h"

#define __global__
#define __device__
#define __host__
#define __constant__ const
#define __shared__ thread_local
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)

extern "C" const emulator::Engine* emulator_engine;
// This is no constant for the emulator, but it is one for each thread. So the compiler may read it once, and calls no
// hook for it.
extern "C" const emulator::ThreadView emulator_current;

#define threadIdx (emulator_current.thread)
#define blockIdx (emulator_current.block)
#define blockDim (emulator_current.block_size)
#define gridDim (emulator_current.grid_size)
constexpr int warpSize = 32;

#define EMULATOR_HERE __builtin_extract_return_addr(__builtin_return_address(0))

// These convert values of up to eight bytes to their bits and back.
template <typename T>
inline uint64_t emulator_bits(T value) {
    static_assert(sizeof(T) <= 8, "CUDA's intrinsics take values of up to eight bytes");
    uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <typename T>
inline T emulator_value(uint64_t bits) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}

// These functions are not inlined, as their return address says where the kernel calls them. Their accesses are not
// checked, as they are to the emulator's data and not to the kernel's.
#define EMULATOR_CALL inline __attribute__((noinline, no_sanitize("thread")))

EMULATOR_CALL void __syncthreads() { emulator_engine->barrier(emulator::Barrier::kPlain, 0, EMULATOR_HERE); }
EMULATOR_CALL int __syncthreads_and(int p) {
    return emulator_engine->barrier(emulator::Barrier::kAnd, p, EMULATOR_HERE);
}
EMULATOR_CALL int __syncthreads_or(int p) { return emulator_engine->barrier(emulator::Barrier::kOr, p, EMULATOR_HERE); }
EMULATOR_CALL int __syncthreads_count(int p) {
    return emulator_engine->barrier(emulator::Barrier::kCount, p, EMULATOR_HERE);
}

EMULATOR_CALL void __syncwarp(unsigned mask = 0xffffffffu) {
    emulator_engine->warp(emulator::WarpOperation::kSync, mask, 0, 0, 32, EMULATOR_HERE);
}

#define EMULATOR_SHUFFLE(name, operation)                                                              \
    template <typename T>                                                                              \
    EMULATOR_CALL T name(unsigned mask, T value, int lane, int width = 32) {                           \
        return emulator_value<T>(                                                                      \
            emulator_engine->warp(operation, mask, emulator_bits(value), lane, width, EMULATOR_HERE)); \
    }
EMULATOR_SHUFFLE(__shfl_sync, emulator::WarpOperation::kShuffle)
EMULATOR_SHUFFLE(__shfl_up_sync, emulator::WarpOperation::kShuffleUp)
EMULATOR_SHUFFLE(__shfl_down_sync, emulator::WarpOperation::kShuffleDown)
EMULATOR_SHUFFLE(__shfl_xor_sync, emulator::WarpOperation::kShuffleXor)

#define EMULATOR_VOTE(type, name, operation)                                                       \
    EMULATOR_CALL type name(unsigned mask, int predicate) {                                        \
        return (type)emulator_engine->warp(operation, mask, predicate != 0, 0, 32, EMULATOR_HERE); \
    }
EMULATOR_VOTE(int, __all_sync, emulator::WarpOperation::kAll)
EMULATOR_VOTE(int, __any_sync, emulator::WarpOperation::kAny)
EMULATOR_VOTE(unsigned, __ballot_sync, emulator::WarpOperation::kBallot)

template <typename T>
EMULATOR_CALL unsigned __match_any_sync(unsigned mask, T value) {
    return (unsigned)emulator_engine->warp(
        emulator::WarpOperation::kMatchAny, mask, emulator_bits(value), 0, 32, EMULATOR_HERE);
}
template <typename T>
EMULATOR_CALL unsigned __match_all_sync(unsigned mask, T value, int* all) {
    const unsigned lanes = (unsigned)emulator_engine->warp(
        emulator::WarpOperation::kMatchAll, mask, emulator_bits(value), 0, 32, EMULATOR_HERE);
    *all = lanes != 0;
    return lanes;
}

#define EMULATOR_REDUCE(type, name, operation)                                                      \
    EMULATOR_CALL type name(unsigned mask, type value) {                                            \
        return (type)emulator_engine->warp(operation, mask, (unsigned)value, 0, 32, EMULATOR_HERE); \
    }
EMULATOR_REDUCE(unsigned, __reduce_add_sync, emulator::WarpOperation::kReduceAdd)
EMULATOR_REDUCE(unsigned, __reduce_min_sync, emulator::WarpOperation::kReduceMin)
EMULATOR_REDUCE(unsigned, __reduce_max_sync, emulator::WarpOperation::kReduceMax)
EMULATOR_REDUCE(int, __reduce_add_sync, emulator::WarpOperation::kReduceAdd)
EMULATOR_REDUCE(int, __reduce_min_sync, emulator::WarpOperation::kReduceMinSigned)
EMULATOR_REDUCE(int, __reduce_max_sync, emulator::WarpOperation::kReduceMaxSigned)
EMULATOR_REDUCE(unsigned, __reduce_and_sync, emulator::WarpOperation::kReduceAnd)
EMULATOR_REDUCE(unsigned, __reduce_or_sync, emulator::WarpOperation::kReduceOr)
EMULATOR_REDUCE(unsigned, __reduce_xor_sync, emulator::WarpOperation::kReduceXor)

// Atomics of global and shared memory. Threads run one at a time, so a plain operation is atomic; the check is told
// that the access is atomic.
#define EMULATOR_ATOMIC(name, expression)                                                     \
    template <typename T>                                                                     \
    EMULATOR_CALL T name(T* address, typename emulator_same<T>::type value) {                 \
        emulator_engine->check(emulator::Access::kAtomic, address, sizeof(T), EMULATOR_HERE); \
        const T old = *address;                                                               \
        *address = (expression);                                                              \
        return old;                                                                           \
    }
template <typename T>
struct emulator_same {
    typedef T type;
};
EMULATOR_ATOMIC(atomicAdd, (T)(old + value))
EMULATOR_ATOMIC(atomicSub, (T)(old - value))
EMULATOR_ATOMIC(atomicMin, value < old ? value : old)
EMULATOR_ATOMIC(atomicMax, old < value ? value : old)
EMULATOR_ATOMIC(atomicAnd, (old & value))
EMULATOR_ATOMIC(atomicOr, (T)(old | value))
EMULATOR_ATOMIC(atomicXor, (T)(old ^ value))
EMULATOR_ATOMIC(atomicExch, value)
template <typename T>
EMULATOR_CALL T atomicCAS(T* address, typename emulator_same<T>::type expected, typename emulator_same<T>::type value) {
    emulator_engine->check(emulator::Access::kAtomic, address, sizeof(T), EMULATOR_HERE);
    const T old = *address;
    *address = old == expected ? value : old;
    return old;
}

// One thread runs at a time and sees what the others wrote. A missing fence shows as a race, not as an old value.
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}
EMULATOR_CALL void __nanosleep(unsigned) { emulator_engine->yield(); }
EMULATOR_CALL void __trap() { emulator_engine->trap("the kernel called __trap", EMULATOR_HERE); }
EMULATOR_CALL void emulator_assertion(const char* text) { emulator_engine->trap(text, EMULATOR_HERE); }
#define assert(condition) ((condition) ? (void)0 : emulator_assertion("assertion failed: " #condition))

template <typename T>
inline T __ldg(const T* address) {
    return *address;
}
template <typename T>
inline T __ldcs(const T* address) {
    return *address;
}
template <typename T>
inline T __ldcg(const T* address) {
    return *address;
}
template <typename T>
inline void __stcs(T* address, T value) {
    *address = value;
}
template <typename T>
inline void __stcg(T* address, T value) {
    *address = value;
}

inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift < 32 ? shift : 32));
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
inline int __float_as_int(float x) { return emulator_value<int>(emulator_bits(x)); }
inline unsigned __float_as_uint(float x) { return emulator_value<unsigned>(emulator_bits(x)); }
inline float __int_as_float(int x) { return emulator_value<float>(emulator_bits(x)); }
inline long long __double_as_longlong(double x) { return emulator_value<long long>(emulator_bits(x)); }
inline double __longlong_as_double(long long x) { return emulator_value<double>(emulator_bits(x)); }

// Vector types, with CUDA's alignment.
#define EMULATOR_VECTORS(type, name)                                         \
    struct alignas(2 * sizeof(type)) name##2 {                               \
        type x;                                                              \
        type y;                                                              \
    };                                                                       \
    struct alignas(4 * sizeof(type) > 16 ? 16 : 4 * sizeof(type)) name##4 {  \
        type x;                                                              \
        type y;                                                              \
        type z;                                                              \
        type w;                                                              \
    };                                                                       \
    inline name##2 make_##name##2(type x, type y) { return name##2 {x, y}; } \
    inline name##4 make_##name##4(type x, type y, type z, type w) { return name##4 {x, y, z, w}; }
EMULATOR_VECTORS(unsigned char, uchar)
EMULATOR_VECTORS(unsigned short, ushort)
EMULATOR_VECTORS(int, int)
EMULATOR_VECTORS(unsigned, uint)
EMULATOR_VECTORS(float, float)
EMULATOR_VECTORS(long long, longlong)
EMULATOR_VECTORS(unsigned long long, ulonglong)
EMULATOR_VECTORS(double, double)

// Mathematical functions for floats, chosen by the type of their arguments.
#define EMULATOR_MATH(name) \
    inline float name(float x) { return __builtin_##name##f(x); }
#define EMULATOR_MATH_OF_TWO(name) \
    inline float name(float x, float y) { return __builtin_##name##f(x, y); }
EMULATOR_MATH(fabs)
EMULATOR_MATH(sqrt)
EMULATOR_MATH(cbrt)
EMULATOR_MATH(exp)
EMULATOR_MATH(log)
EMULATOR_MATH(sin)
EMULATOR_MATH(cos)
EMULATOR_MATH(tan)
EMULATOR_MATH(atan)
EMULATOR_MATH(floor)
EMULATOR_MATH(ceil)
EMULATOR_MATH(trunc)
EMULATOR_MATH(round)
EMULATOR_MATH_OF_TWO(fmin)
EMULATOR_MATH_OF_TWO(fmax)
EMULATOR_MATH_OF_TWO(fmod)
EMULATOR_MATH_OF_TWO(pow)
EMULATOR_MATH_OF_TWO(atan2)
EMULATOR_MATH_OF_TWO(hypot)
inline int abs(int x) { return __builtin_abs(x); }
inline long long abs(long long x) { return __builtin_llabs(x); }
inline float abs(float x) { return __builtin_fabsf(x); }
inline double abs(double x) { return __builtin_fabs(x); }
