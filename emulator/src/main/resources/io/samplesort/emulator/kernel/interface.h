// All that the emulator's library and a library of kernels know about each other: of the emulator, a library of kernels
// includes only this folder.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emulator {

constexpr unsigned kWarpSize = 32;
constexpr unsigned kMaxThreads = 1024;
constexpr size_t kMaxSharedBytes = 232448;  // of one block, as with compute capability 9.0

// The stack of a thread, with its guard pages, lies at a multiple of this size.
constexpr size_t kStackBytes = 256 * 1024;

struct Index3 {
    unsigned x, y, z;
};

// What a kernel sees of the running thread.
struct ThreadView {
    Index3 thread, block, block_size, grid_size;
};

enum class Access { kRead, kWrite, kAtomic, kAtomicWrite };

enum class Barrier { kPlain, kAnd, kOr, kCount };

enum class WarpOperation {
    kSync,
    kShuffle,
    kShuffleUp,
    kShuffleDown,
    kShuffleXor,
    kAll,
    kAny,
    kBallot,
    kMatchAny,
    kMatchAll,
    kReduceAdd,
    kReduceMin,
    kReduceMax,
    kReduceMinSigned,
    kReduceMaxSigned,
    kReduceAnd,
    kReduceOr,
    kReduceXor
};

// The functions that the emulator has for kernels. `at` is the place in the kernel's code that calls.
struct Engine {
    void (*check)(Access access, const void* address, size_t bytes, const void* at);
    int (*barrier)(Barrier kind, int predicate, const void* at);
    uint64_t (*warp)(WarpOperation operation, unsigned mask, uint64_t value, int lane, int width, const void* at);
    void (*yield)();
    void (*trap)(const char* what, const void* at);
};

struct KernelEntry {
    const char* name;
    void (*call)(void** parameters);
    const size_t* parameter_bytes;
    size_t parameter_count;
    int max_threads;  // as declared by __launch_bounds__, or kMaxThreads
};

// The result of emulator_kernels() of a library of kernels.
struct KernelTable {
    const KernelEntry* kernels;
    size_t kernel_count;
    const Engine** engine;            // set by the emulator when it loads the library
    ThreadView* current;              // set by the emulator whenever another thread runs
    const void* (*dynamic_shared)();  // the kMaxSharedBytes of the calling system thread
};

}  // namespace emulator
