// A thread of a block as a fiber: it has a stack of its own, and switching to it saves the registers that the calling
// convention preserves.
#pragma once

#include <cstddef>

#include "kernel/interface.h"

namespace emulator {

// A place in the code that can be left and resumed, with its registers and its stack.
class Context {
  public:
    Context() = default;
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    // Goes on where `other` was left, until this context is resumed. Called on this context's own stack.
    void leave_for(Context& other);

  protected:
    void* saved_ = nullptr;
};

class Fiber : public Context {
  public:
    Fiber();
    ~Fiber();

    // Makes entry() run when this fiber is entered the next time. At its end it must leave and not return.
    void start(void (*entry)());

  private:
    // Stacks end at different places of a page, so their ends do not compete for the same few lines of the caches.
    static constexpr size_t kEnds = 64;
    static constexpr size_t kEndBytes = 832;

    char* stack_;
    char* end_;
};

}  // namespace emulator
