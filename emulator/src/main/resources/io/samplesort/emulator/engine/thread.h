// One thread of a block: its fiber, its state and what it waits for.
#pragma once

#include <cstdint>

#include "engine/fiber.h"
#include "kernel/interface.h"

namespace emulator {

enum class ThreadState { kReady, kSpinning, kAtBarrier, kInWarp, kReturned };

struct Thread : Fiber {
    uint32_t index = 0;  // in its block
    Index3 place = {};   // the same as threadIdx
    ThreadState state = ThreadState::kReady;
    uint32_t warp_epoch = 0;
    // The place of the call in which it waits.
    const void* at = nullptr;
    Barrier barrier = Barrier::kPlain;
    int predicate = 0;
    WarpOperation operation = WarpOperation::kSync;
    unsigned mask = 0;
    uint64_t value = 0;
    int lane = 0;
    int width = 0;
};

// The threads of a warp lie together, since they run in turn.
struct Warp {
    Thread threads[kWarpSize];
    // One bit for each lane.
    uint32_t ready = 0;
    uint32_t waiting = 0;  // in an intrinsic of the warp
    uint32_t absent = 0;   // returned, or not of this block
};

}  // namespace emulator
