// Streams: queues of work for the emulated GPUs. A stream runs when the host or another stream waits for it and, now
// and then, by itself. Only events order streams.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/fault.h"

namespace emulator {

// The default stream of a GPU has a number of its own here, which no handle has.
uint64_t stream_key(uint64_t stream);

// kSuccess if the stream exists and belongs to the GPU of the current context; otherwise records a misuse.
Result require_stream(uint64_t stream, const char* call);

// Puts work on a stream. With `frees` the work gives memory back, and is done even if the device is lost.
Result enqueue(uint64_t stream, std::function<void()> work, const char* call, bool frees = false);
// Runs a stream to its end, as the host waits for it.
Result run_stream(uint64_t stream, const char* call);
// Runs all streams of the acting GPU to their ends.
void run_all_streams();

}  // namespace emulator
