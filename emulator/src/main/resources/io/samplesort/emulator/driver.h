// The objects behind the driver functions. All calls hold one lock: the emulated device does one thing at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fault.h"
#include "module.h"

#define EMULATOR_EXPORT extern "C" __attribute__((visibility("default")))

namespace emulator {

std::recursive_mutex& lock();

struct EventRecord {
    double millis = 0;
    uint64_t stream = 0;   // where it was last recorded
    uint64_t marks = 0;    // how often it was recorded
    uint64_t reached = 0;  // the last of these that its stream has come past
    bool timing = true;

    bool recorded() const { return marks != 0 && reached == marks; }
};

struct Function {
    Module* module;
    const KernelEntry* kernel;
    size_t allowed_shared_bytes = 48 * 1024;
};

// Handles are numbers that are never used again, so that a destroyed object is known as such.
struct Driver {
    bool initialised = false;
    int context_count = 0;
    uint64_t next_handle = 0x1000;
    std::map<uint64_t, std::deque<std::function<void()>>> streams;
    uint64_t lagging = 0;  // the stream that does nothing before somebody waits for it
    std::map<uint64_t, EventRecord> events;
    std::map<uint64_t, std::unique_ptr<Module>> modules;
    std::map<uint64_t, Function> functions;
    std::map<void*, size_t> pinned;
    std::map<void*, size_t> registered;  // pinned memory that is the user's own
    // Counted down; the call at which one reaches 0 fails.
    int64_t allocations_until_failure = 0;
    int64_t launches_until_failure = 0;
    // Of an allocation that was told to fail: if the same is tried again, that fails as well.
    size_t refused_bytes = 0;

    static Driver& instance();

    uint64_t handle() { return next_handle++; }
    // Takes the next of the countdowns above; true where this call is to fail.
    static bool takes_failure(int64_t& countdown) { return countdown > 0 && --countdown == 0; }
};

// Whether all of the range is pinned memory, ours or the user's.
bool is_pinned(const void* host, size_t bytes);

// A stream is a queue that runs when somebody waits for it, or, now and then, by itself. Streams know nothing of each
// other but by events.
Result enqueue(uint64_t stream, std::function<void()> work, const char* call);
Result run_stream(uint64_t stream, const char* call);
void run_all_streams();

// What every call checks first: an initialised driver, a context where one is needed, a device that is not lost.
Result ready(const char* call, bool needs_context = true);

thread_local inline std::vector<uint64_t> contexts;
constexpr uint64_t kPrimaryContext = 0x77;
constexpr int kMultiprocessorCount = 2;
constexpr int kBlocksPerMultiprocessor = 2;

// What is still allocated or not destroyed, one a line.
std::string leftovers();

}  // namespace emulator
