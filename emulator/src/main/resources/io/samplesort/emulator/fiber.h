// A thread of a block as a fiber: a stack of its own, and a switch that saves what the calling convention asks for.
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

    // Has the next resume() call entry(argument), which must not return but end with a last suspend().
    void start(void (*entry)(void*), void* argument);

    // Runs the fiber until it suspends.
    void resume();

    // Goes back to whoever resumed this fiber, which is the one that runs.
    void suspend();

    const char* stack() const { return stack_; }

    // Memory at the end of the stack that the fiber's calls leave alone.
    static constexpr size_t kReservedBytes = 256;
    void* reserved() const { return stack_ + kStackBytes - kReservedBytes; }

  private:
    char* stack_;
    void* fiber_context_;
    void* caller_context_;
};

}  // namespace emulator
