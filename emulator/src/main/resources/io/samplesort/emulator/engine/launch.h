// Runs the blocks of one launch in random order. In most launches they run one after another, and an access to memory
// that another block has used is a race. In the other launches they take turns, so that a block meets others in the
// middle of their work.
#pragma once

#include "engine/block.h"

namespace emulator {

// Returns at the first fault, after which the device is lost.
void run_launch(Launch& launch);

}  // namespace emulator
