// The hooks that g++'s thread sanitizer has kernels call at every access to memory. We take only its instrumentation;
// the checks are the emulator's own. This file is compiled once and linked with every library of kernels.
#include "kernel/interface.h"

#pragma GCC visibility push(hidden)
extern "C" {
extern const emulator::Engine* emulator_engine;
extern const emulator::ThreadView* emulator_current;
// Where the library that this is linked with begins and ends; the linker defines both.
extern const char __ehdr_start[], _end[];
}
#pragma GCC visibility pop

// Most accesses are to a thread's own stack, where its threadIdx lies as well, or to the library's own data: the two
// variables above, and the counts of how often each line ran. Neither needs a check.
#define EMULATOR_HOOK extern "C" __attribute__((visibility("default"))) void
#define EMULATOR_CHECK(access, bytes)                                                                              \
    {                                                                                                              \
        if ((uintptr_t)address - (uintptr_t)emulator_current->stack >= emulator_current->stack_bytes               \
            && (uintptr_t)address - (uintptr_t)__ehdr_start >= (uintptr_t)_end - (uintptr_t)__ehdr_start) {        \
            emulator_engine->check(                                                                                \
                emulator::Access::access, address, bytes,                                                          \
                __builtin_extract_return_addr(__builtin_return_address(0)));                                       \
        }                                                                                                          \
    }
#define EMULATOR_HOOKS(bytes)                                                                                      \
    EMULATOR_HOOK __tsan_read##bytes(void* address) EMULATOR_CHECK(kRead, bytes)                                   \
    EMULATOR_HOOK __tsan_write##bytes(void* address) EMULATOR_CHECK(kWrite, bytes)                                 \
    EMULATOR_HOOK __tsan_unaligned_read##bytes(void* address) EMULATOR_CHECK(kRead, bytes)                         \
    EMULATOR_HOOK __tsan_unaligned_write##bytes(void* address) EMULATOR_CHECK(kWrite, bytes)                       \
    EMULATOR_HOOK __tsan_volatile_write##bytes(void* address) EMULATOR_CHECK(kAtomicWrite, bytes)                  \
    EMULATOR_HOOK __tsan_volatile_read##bytes(void* address) {                                                     \
        EMULATOR_CHECK(kAtomic, bytes)                                                                             \
        emulator_engine->yield();                                                                                  \
    }
EMULATOR_HOOKS(1)
EMULATOR_HOOKS(2)
EMULATOR_HOOKS(4)
EMULATOR_HOOKS(8)
EMULATOR_HOOKS(16)
EMULATOR_HOOK __tsan_read_range(void* address, size_t bytes) EMULATOR_CHECK(kRead, bytes)
EMULATOR_HOOK __tsan_write_range(void* address, size_t bytes) EMULATOR_CHECK(kWrite, bytes)
EMULATOR_HOOK __tsan_init() {}
EMULATOR_HOOK __tsan_func_entry(void*) {}
EMULATOR_HOOK __tsan_func_exit() {}
