#include "engine/fiber.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace emulator {
namespace {
constexpr size_t kGuardBytes = 64 * 1024;
}

Fiber::Fiber() {
    // Twice the memory surely contains a stack that begins at a multiple of its size. The rest is given back.
    char* mapping = (char*)mmap(
        nullptr, 2 * kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) {
        throw std::bad_alloc();
    }
    stack_ = (char*)(((uintptr_t)mapping + kStackBytes - 1) / kStackBytes * kStackBytes);
    const size_t before = (size_t)(stack_ - mapping);
    if (before != 0) {
        munmap(mapping, before);
    }
    if (before != kStackBytes) {
        munmap(stack_ + kStackBytes, kStackBytes - before);
    }
    // The lowest pages stay inaccessible, so that an overflow ends the process and does not destroy another fiber's
    // data.
    mprotect(stack_, kGuardBytes, PROT_NONE);
    static size_t count = 0;
    end_ = stack_ + kStackBytes - count++ % kEnds * kEndBytes;
}

#if defined(__x86_64__)

// Saves the registers that a call preserves on the old stack, and restores them from the new one.
extern "C" void emulator_switch_stack(void** from, void* to);
asm(R"(
.text
.globl emulator_switch_stack
.hidden emulator_switch_stack
.type emulator_switch_stack, @function
emulator_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size emulator_switch_stack, .-emulator_switch_stack
.globl emulator_start_fiber
.hidden emulator_start_fiber
.type emulator_start_fiber, @function
emulator_start_fiber:
    callq *%rbx
    ud2
.size emulator_start_fiber, .-emulator_start_fiber
)");
extern "C" void emulator_start_fiber();

Fiber::~Fiber() { munmap(stack_, kStackBytes); }

void Fiber::start(void (*entry)()) {
    uint64_t* top = (uint64_t*)end_;
    *--top = 0;  // this keeps the stack aligned at the call, and ends a debugger's backtrace
    *--top = 0;
    *--top = (uint64_t)&emulator_start_fiber;
    *--top = 0;                // rbp
    *--top = (uint64_t)entry;  // rbx
    *--top = 0;
    *--top = 0;
    *--top = 0;
    *--top = 0;
    saved_ = top;
}

void Context::leave_for(Context& other) { emulator_switch_stack(&saved_, other.saved_); }

#else

// ucontext is slower, as it saves the signal mask as well, but every processor has it. The saved contexts are never
// freed, since fibers live as long as the process.
Fiber::~Fiber() { munmap(stack_, kStackBytes); }

namespace {
ucontext_t* of(void*& saved) {
    if (saved == nullptr) {
        saved = new ucontext_t;
    }
    return (ucontext_t*)saved;
}
}  // namespace

void Fiber::start(void (*entry)()) {
    ucontext_t* context = of(saved_);
    getcontext(context);
    context->uc_stack.ss_sp = stack_ + kGuardBytes;
    context->uc_stack.ss_size = (size_t)(end_ - stack_) - kGuardBytes;
    context->uc_link = nullptr;
    makecontext(context, entry, 0);
}

void Context::leave_for(Context& other) { swapcontext(of(saved_), of(other.saved_)); }

#endif

}  // namespace emulator
