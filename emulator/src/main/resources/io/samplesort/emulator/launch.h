// Runs the blocks of one launch: in random order one after the other, or, where they may wait for each other, in turns.
#pragma once

#include "block.h"

namespace emulator {

// Returns at the first fault; the device is lost then.
void run_launch(Launch& launch);

}  // namespace emulator
