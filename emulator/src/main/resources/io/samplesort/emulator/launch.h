// Runs the blocks of one launch in random order: mostly one after the other, where an access to what another block uses is
// a race, and now and then in turns, where blocks meet each other half-way.
#pragma once

#include "block.h"

namespace emulator {

// Returns at the first fault; the device is lost then.
void run_launch(Launch& launch);

}  // namespace emulator
