// The results of the intrinsics of a warp for each lane, once all lanes of the mask have called them.
#pragma once

#include "engine/thread.h"

namespace emulator {

const char* name_of(WarpOperation operation);

// Whether all lanes that take part get the same result.
bool gives_all_the_same(WarpOperation operation);

// The result for one lane. `lanes` are the threads of its warp. If the result is undefined for this lane, `problem` is
// set.
uint64_t warp_result(const Thread& own, const Thread* lanes, const char** problem);

}  // namespace emulator
