// The objects behind the driver's functions. Every call holds one lock, so the emulated device does one thing at a
// time.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/export.h"
#include "engine/fault.h"
#include "engine/module.h"

namespace emulator {

typedef std::lock_guard<std::recursive_mutex> Guard;
std::recursive_mutex& lock();

struct EventRecord {
    double millis = 0;
    uint64_t stream = 0;   // where it was last recorded
    uint64_t marks = 0;    // how often it has been recorded
    uint64_t reached = 0;  // the last of these marks that its stream has come past
    bool timing = true;

    bool recorded() const { return marks != 0 && reached == marks; }
};

// What a test can make fail, numbered as in Emulator.Fault.
enum class Fault { kAllocation, kLaunch, kCopy, kLostDevice, kCount };

struct Function {
    Module* module;
    const KernelEntry* kernel;
    size_t allowed_shared_bytes = 48 * 1024;
};

struct Work {
    std::function<void()> run;
    bool frees;  // it gives memory back, and is done even if the device is lost
};

// Handles are numbers that are never used again, so that a destroyed object is recognized.
struct Driver {
    bool initialised = false;
    int context_count = 0;
    uint64_t next_handle = 0x1000;
    std::map<uint64_t, std::deque<Work>> streams;
    uint64_t lagging = 0;  // the stream that does nothing before somebody waits for it
    std::map<uint64_t, EventRecord> events;
    std::map<uint64_t, std::unique_ptr<Module>> modules;
    std::map<uint64_t, Function> functions;
    // For each fault, how many calls are left until it happens; 0 if none will.
    int64_t calls_until[(int)Fault::kCount] = {};
    // The size of an allocation that was told to fail. If an allocation of this size follows, it fails as well.
    size_t refused_bytes = 0;

    static Driver& instance();

    uint64_t handle() { return next_handle++; }
    // Counts a call, and returns whether the fault happens at it.
    bool takes(Fault fault) {
        int64_t& calls = calls_until[(int)fault];
        return calls > 0 && --calls == 0;
    }
};

// What every call checks first: whether the device is not lost, the driver is initialised, and there is a context if
// one is needed.
Result ready(const char* call, bool needs_context = true);

thread_local inline std::vector<uint64_t> contexts;
constexpr uint64_t kPrimaryContext = 0x77;
constexpr int kMultiprocessorCount = 2;
constexpr int kBlocksPerMultiprocessor = 2;

// Lists what has not been freed or destroyed, one line for each.
std::string leftovers();

}  // namespace emulator
