// Streams: queues of work for the emulated device. A stream runs when somebody waits for it and, now and then, by
// itself. Streams are ordered by nothing but events.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/fault.h"

namespace emulator {

// Puts work on a stream. With `frees` it gives memory back, and is done even if the device is lost.
Result enqueue(uint64_t stream, std::function<void()> work, const char* call, bool frees = false);
Result run_stream(uint64_t stream, const char* call);
void run_all_streams();

}  // namespace emulator
