// Checks one access of the running thread: is there such memory, has anything been written there, does another thread use
// it at the same time.
#pragma once

#include "engine.h"

namespace emulator {

void check_access(Access access, const void* address, size_t bytes, const void* at);

}  // namespace emulator
