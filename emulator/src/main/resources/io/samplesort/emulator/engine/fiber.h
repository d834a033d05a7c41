// A thread of a block as a fiber: it has a stack of its own, and switching to it saves the registers that the calling
// convention asks for.
#pragma once

#include <cstddef>

#include "kernel/interface.h"

namespace emulator {

// A place in the code that can be left and come back to, with the registers and the stack that belong to it.
class Context {
  public:
    Context() = default;
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    // Goes on where `other` was left, until something comes back to this one. Called on this one's own stack.
    void leave_for(Context& other);

  protected:
    void* saved_ = nullptr;
};

class Fiber : public Context {
  public:
    Fiber();
    ~Fiber();

    // Has entry() run when somebody leaves for this fiber the next time. It must leave in the end, and not return.
    void start(void (*entry)());

  private:
    // Stacks end at different places of a page, and so their ends do not compete for the same few lines of the caches.
    static constexpr size_t kEnds = 64;
    static constexpr size_t kEndBytes = 832;

    char* stack_;
    char* end_;
};

}  // namespace emulator
