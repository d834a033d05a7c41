// The functions of the emulator that kernels call.
#pragma once

#include "kernel/interface.h"

namespace emulator {

extern const Engine kCallbacks;

}  // namespace emulator
