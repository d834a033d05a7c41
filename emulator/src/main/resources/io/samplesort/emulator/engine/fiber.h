// A thread of a block as a fiber: it has a stack of its own, and switching to it saves the registers that the calling
// convention asks for.
#pragma once

#include <cstddef>

namespace emulator {

class Fiber {
  public:
    static constexpr size_t kStackBytes = 256 * 1024;

    Fiber();
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    // Has the next resume() call entry(argument), which must end with a last suspend() and not return.
    void start(void (*entry)(void*), void* argument);

    // Runs the fiber until it suspends.
    void resume();

    // Goes back to the caller of resume(). Called on this fiber's own stack.
    void suspend();

    const char* stack() const { return stack_; }

    // Memory at the end of the stack that the calls on this fiber leave alone.
    static constexpr size_t kReservedBytes = 256;
    void* reserved() const { return end_ - kReservedBytes; }

  private:
    // Stacks end at different places of a page, and so their ends do not compete for the same few lines of the caches.
    static constexpr size_t kEnds = 64;
    static constexpr size_t kEndBytes = 832;

    char* stack_;
    char* end_;
    void* fiber_context_;
    void* caller_context_;
};

}  // namespace emulator
