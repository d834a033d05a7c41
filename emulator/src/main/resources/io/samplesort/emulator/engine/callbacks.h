// What kernels call of the emulator.
#pragma once

#include "kernel/interface.h"

namespace emulator {

extern const Engine kCallbacks;

}  // namespace emulator
