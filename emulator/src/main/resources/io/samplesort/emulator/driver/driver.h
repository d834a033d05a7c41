// The objects behind the driver's functions. Every call holds one lock, so the emulated GPUs do one thing at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/devices.h"
#include "engine/export.h"
#include "engine/fault.h"
#include "engine/module.h"
#include "engine/work_order.h"

namespace emulator {

std::recursive_mutex& lock();

thread_local inline std::vector<uint64_t> contexts;
constexpr uint64_t kPrimaryContext = 0x70;  // of the first GPU; the others follow

// Returns the GPU of the calling thread's context; the first GPU if it has none.
inline int current_device() { return contexts.empty() ? 0 : (int)(contexts.back() - kPrimaryContext); }

// Held during each call. The call acts for the GPU of the calling thread's context.
class Guard {
  public:
    explicit Guard(std::recursive_mutex& mutex) : lock_(mutex), acting_(current_device()) {}

  private:
    std::lock_guard<std::recursive_mutex> lock_;
    ActingFor acting_;
};

struct EventRecord {
    double millis = 0;
    uint64_t stream = 0;   // where it was last recorded
    uint64_t marks = 0;    // how often it has been recorded
    uint64_t reached = 0;  // the last of these marks that its stream has passed
    bool timing = true;
    int device = 0;
    Clock clock;  // the work that was over at the mark that was reached last

    bool recorded() const { return marks != 0 && reached == marks; }
};

// The faults that a test can cause, numbered as in Emulator.Fault.
enum class Fault { kAllocation, kLaunch, kCopy, kLostDevice, kCount };

struct Function {
    Module* module;
    const KernelEntry* kernel;
    size_t allowed_shared_bytes = 48 * 1024;
};

struct Work {
    std::function<void()> run;
    bool frees;      // it gives memory back, and is done even if the device is lost
    Clock enqueued;  // the work that the host had waited for
};

struct StreamQueue {
    int device;
    std::deque<Work> work;
};

// Handles are numbers that are never used again, so that a destroyed object is recognized.
struct Driver {
    bool initialised = false;
    int context_counts[Devices::kMost] = {};
    uint64_t next_handle = 0x1000;
    std::map<uint64_t, StreamQueue> streams;
    uint64_t lagging = 0;  // the stream that does nothing before the host waits for it
    std::map<uint64_t, std::shared_ptr<EventRecord>> events;
    std::map<uint64_t, std::unique_ptr<Module>> modules;
    std::map<uint64_t, Function> functions;
    // For each fault, for each GPU and for all of them together: how many calls are left until it happens; 0 if it will
    // not happen.
    int64_t calls_until[Devices::kMost + 1][(int)Fault::kCount] = {};
    // How often each function has been called, except those that only return information.
    std::map<std::string, int64_t> calls;
    // The size of an allocation that was told to fail. If an allocation of this size follows, it fails as well.
    size_t refused_bytes[Devices::kMost] = {};

    static Driver& instance();

    uint64_t handle() { return next_handle++; }
    // Counts a call, and returns whether the fault happens at it.
    bool takes(Fault fault) {
        bool happens = false;
        for (const int device : {acting_device, Devices::kMost}) {
            int64_t& calls = calls_until[device][(int)fault];
            happens |= calls > 0 && --calls == 0;
        }
        return happens;
    }
};

// The first check of every call: the device must not be lost, the driver must be initialised, and there must be a
// context if one is needed.
Result ready(const char* call, bool needs_context = true);

constexpr int kMultiprocessorCount = 2;
constexpr int kBlocksPerMultiprocessor = 2;

// Lists what has not been freed or destroyed, one line for each object.
std::string leftovers();

}  // namespace emulator
