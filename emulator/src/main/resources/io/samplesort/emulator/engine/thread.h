// One thread of a block: its fiber, its state and what it waits for.
#pragma once

#include <cstdint>

#include "engine/fiber.h"
#include "kernel/interface.h"

namespace emulator {

enum class ThreadState { kReady, kSpinning, kAtBarrier, kInWarp, kReturned };

struct Thread {
    Fiber fiber;
    uint32_t index = 0;
    ThreadState state = ThreadState::kReady;
    uint32_t warp_epoch = 0;
    // The call that it waits in.
    const void* at = nullptr;
    Barrier barrier = Barrier::kPlain;
    int predicate = 0;
    WarpOperation operation = WarpOperation::kSync;
    unsigned mask = 0;
    uint64_t value = 0;
    int lane = 0;
    int width = 0;

    ThreadView& view() const { return *(ThreadView*)fiber.reserved(); }
};

}  // namespace emulator
