// What the intrinsics of a warp return to each lane, once all lanes of the mask have called them.
#pragma once

#include "engine/thread.h"

namespace emulator {

const char* name_of(WarpOperation operation);

// Whether all lanes that take part get the same result.
bool gives_all_the_same(WarpOperation operation);

// The result for one lane. `lanes` are the threads of its warp. If the lane asks for what has no defined answer,
// `problem` is set.
uint64_t warp_result(const Thread& own, const Thread* lanes, const char** problem);

}  // namespace emulator
