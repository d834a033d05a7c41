// What the intrinsics of a warp give each lane, once all lanes of the mask have called.
#pragma once

#include "block.h"

namespace emulator {

const char* name_of(WarpOperation operation);

// The result for one lane. `lanes` are the threads of its warp. `problem` is set where the lane asked for what has no
// defined answer.
uint64_t warp_result(const Thread& own, const std::unique_ptr<Thread>* lanes, const char** problem);

}  // namespace emulator
