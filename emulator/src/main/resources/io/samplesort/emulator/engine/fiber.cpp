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
    // The lowest pages stay inaccessible, so that an overflow ends the process and does not destroy another fiber's
    // data.
    char* mapping = (char*)mmap(
        nullptr, kStackBytes + kGuardBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) {
        throw std::bad_alloc();
    }
    mprotect(mapping, kGuardBytes, PROT_NONE);
    stack_ = mapping + kGuardBytes;
    static size_t count = 0;
    end_ = stack_ + kStackBytes - count++ % kEnds * kEndBytes;
    fiber_context_ = nullptr;
    caller_context_ = nullptr;
}

#if defined(__x86_64__)

// Saves the registers that a call preserves on the stack that it leaves, and restores them from the one that it enters.
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
    movq %r12, %rdi
    callq *%rbx
    ud2
.size emulator_start_fiber, .-emulator_start_fiber
)");
extern "C" void emulator_start_fiber();

Fiber::~Fiber() {
    munmap(stack_ - kGuardBytes, kStackBytes + kGuardBytes);
}

void Fiber::start(void (*entry)(void*), void* argument) {
    uint64_t* top = (uint64_t*)reserved();
    *--top = 0;  // this keeps the stack aligned at the call, and ends a debugger's backtrace
    *--top = 0;
    *--top = (uint64_t)&emulator_start_fiber;
    *--top = 0;                   // rbp
    *--top = (uint64_t)entry;     // rbx
    *--top = (uint64_t)argument;  // r12
    *--top = 0;
    *--top = 0;
    *--top = 0;
    fiber_context_ = top;
}

void Fiber::resume() {
    emulator_switch_stack(&caller_context_, fiber_context_);
}

void Fiber::suspend() {
    emulator_switch_stack(&fiber_context_, caller_context_);
}

#else

// ucontext is slower, as it saves the signal mask as well, but every processor has it.
Fiber::~Fiber() {
    munmap(stack_ - kGuardBytes, kStackBytes + kGuardBytes);
    delete (ucontext_t*)fiber_context_;
    delete (ucontext_t*)caller_context_;
}

namespace {
void call(unsigned entry_low, unsigned entry_high, unsigned argument_low, unsigned argument_high) {
    const auto entry = (void (*)(void*))((uint64_t)entry_high << 32 | entry_low);
    entry((void*)((uint64_t)argument_high << 32 | argument_low));
}
}  // namespace

void Fiber::start(void (*entry)(void*), void* argument) {
    if (fiber_context_ == nullptr) {
        fiber_context_ = new ucontext_t;
        caller_context_ = new ucontext_t;
    }
    ucontext_t* context = (ucontext_t*)fiber_context_;
    getcontext(context);
    context->uc_stack.ss_sp = stack_;
    context->uc_stack.ss_size = (size_t)((char*)reserved() - stack_);
    context->uc_link = nullptr;
    const uint64_t entry_bits = (uint64_t)entry;
    const uint64_t argument_bits = (uint64_t)argument;
    makecontext(
        context, (void (*)())call, 4, (unsigned)entry_bits, (unsigned)(entry_bits >> 32), (unsigned)argument_bits,
        (unsigned)(argument_bits >> 32));
}

void Fiber::resume() {
    swapcontext((ucontext_t*)caller_context_, (ucontext_t*)fiber_context_);
}

void Fiber::suspend() {
    swapcontext((ucontext_t*)fiber_context_, (ucontext_t*)caller_context_);
}

#endif

}  // namespace emulator
