// The hooks that g++'s thread sanitizer makes kernels call at every access to memory. Only its instrumentation is used;
// the checks are the emulator's own. This file is compiled once and linked with every library of kernels. Its functions
// are hidden, so that kernels call them directly.
#include "kernel/interface.h"

#pragma GCC visibility push(hidden)
extern "C" {
const emulator::Engine* emulator_engine;
emulator::ThreadView emulator_current;
// The begin and the end of the library with which this is linked; the linker defines both.
extern const char __ehdr_start[], _end[];
}

namespace {

inline uintptr_t stack_pointer() {
#if defined(__x86_64__)
    uintptr_t pointer;
    asm("movq %%rsp, %0" : "=r"(pointer));
    return pointer;
#else
    return (uintptr_t)__builtin_frame_address(0);
#endif
}

// Many accesses are to a thread's own stack, and some to the library's own data. Neither needs a check.
inline bool is_checked(const void* address) {
    return ((uintptr_t)address ^ stack_pointer()) >= emulator::kStackBytes
        && (uintptr_t)address - (uintptr_t)__ehdr_start >= (uintptr_t)_end - (uintptr_t)__ehdr_start;
}

}  // namespace

#define EMULATOR_HOOK extern "C" void
#define EMULATOR_CHECK(access, bytes)                                                                                  \
    {                                                                                                                  \
        if (is_checked(address)) {                                                                                     \
            emulator_engine->check(                                                                                    \
                emulator::Access::access, address, bytes, __builtin_extract_return_addr(__builtin_return_address(0))); \
        }                                                                                                              \
    }
#define EMULATOR_HOOKS(bytes)                                                                                     \
    EMULATOR_HOOK __tsan_read##bytes(void* address) EMULATOR_CHECK(kRead, bytes)                                  \
        EMULATOR_HOOK __tsan_write##bytes(void* address) EMULATOR_CHECK(kWrite, bytes)                            \
            EMULATOR_HOOK __tsan_unaligned_read##bytes(void* address) EMULATOR_CHECK(kRead, bytes)                \
                EMULATOR_HOOK __tsan_unaligned_write##bytes(void* address) EMULATOR_CHECK(kWrite, bytes)          \
                    EMULATOR_HOOK __tsan_volatile_write##bytes(void* address) EMULATOR_CHECK(kAtomicWrite, bytes) \
                        EMULATOR_HOOK __tsan_volatile_read##bytes(void* address) {                                \
        EMULATOR_CHECK(kAtomic, bytes)                                                                            \
        emulator_engine->yield();                                                                                 \
    }
EMULATOR_HOOKS(1)
EMULATOR_HOOKS(2)
EMULATOR_HOOKS(4)
EMULATOR_HOOKS(8)
EMULATOR_HOOKS(16)
EMULATOR_HOOK __tsan_read_range(void* address, size_t bytes) EMULATOR_CHECK(kRead, bytes) EMULATOR_HOOK
    __tsan_write_range(void* address, size_t bytes) EMULATOR_CHECK(kWrite, bytes) EMULATOR_HOOK __tsan_init() {}
EMULATOR_HOOK __tsan_func_entry(void*) {}
EMULATOR_HOOK __tsan_func_exit() {}
#pragma GCC visibility pop
