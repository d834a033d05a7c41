// Checks one access of the running thread to memory: whether the memory exists, whether it has been written, and
// whether another thread uses it with no barrier in between.
#pragma once

#include "kernel/interface.h"

namespace emulator {

void check_access(Access access, const void* address, size_t bytes, const void* at);

}  // namespace emulator
