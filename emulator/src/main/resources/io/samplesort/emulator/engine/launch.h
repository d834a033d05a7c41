// Runs the blocks of one launch in random order. In most launches they run one after the other, and an access to what
// another block has used is a race. In the other launches they take turns, so that a block meets others in the midst of
// their work.
#pragma once

#include "engine/block.h"

namespace emulator {

// Returns at the first fault; the device is lost then.
void run_launch(Launch& launch);

}  // namespace emulator
