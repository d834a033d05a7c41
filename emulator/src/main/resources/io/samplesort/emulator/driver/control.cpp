// Functions of the emulator for tests, in addition to the driver's own.
#include <algorithm>
#include <cstring>

#include "driver/driver.h"
#include "driver/stream.h"
#include "engine/device_memory.h"
#include "engine/settings.h"

using namespace emulator;

// Begins anew with this many GPUs of these memory sizes. Refused while a GPU that would disappear holds anything.
EMULATOR_EXPORT int64_t emulator_set_devices(int64_t count, const size_t* bytes) {
    const Guard guard(lock());
    const Driver& driver = Driver::instance();
    for (int64_t device = count; device < Devices::kMost; ++device) {
        if (driver.context_counts[device] != 0 || DeviceMemory::instance().used_bytes((int)device) != 0) {
            return kInvalidValue;
        }
    }
    if (count < 1 || count > Devices::kMost) {
        return kInvalidValue;
    }
    Devices::instance().set((int)count, bytes);
    return kSuccess;
}

// Says whether kernels on one GPU can reach the memory of another.
EMULATOR_EXPORT int64_t emulator_set_reachable(int64_t from, int64_t to, int64_t can) {
    const Guard guard(lock());
    Devices::instance().set_reachable((int)from, (int)to, can != 0);
    return kSuccess;
}

// Makes a fault happen at the n-th call from now on that can have it, for one GPU or, if `device` is negative, for any.
// With 0 it does not happen.
EMULATOR_EXPORT int64_t emulator_inject(int64_t device, int64_t fault, int64_t n) {
    const Guard guard(lock());
    Driver::instance().calls_until[device < 0 ? Devices::kMost : device][fault] = n;
    std::fill_n(Driver::instance().refused_bytes, Devices::kMost, 0);
    return 0;
}

// Returns how often a function of the driver has been called or, with an empty name, all of them together.
EMULATOR_EXPORT int64_t emulator_calls(const char* name) {
    const Guard guard(lock());
    int64_t sum = 0;
    for (const auto& [call, count] : Driver::instance().calls) {
        sum += *name == 0 || call == name ? count : 0;
    }
    return sum;
}

// Forbids kernels and copies, in the order of a stream, to touch a piece of device memory until it is freed, or permits
// that again.
EMULATOR_EXPORT int64_t emulator_forbid(int64_t stream, int64_t address, int64_t bytes, int64_t is_forbidden) {
    const Guard guard(lock());
    const Result result =
        DeviceMemory::instance().require_allocated((uint64_t)address, (size_t)bytes, "emulator_forbid");
    const auto forbid = [=] {
        const DeviceMemory& memory = DeviceMemory::instance();
        if (is_forbidden != 0) {
            memory.forbid((uint64_t)address, (size_t)bytes);
        } else {
            memory.permit((uint64_t)address, (size_t)bytes);
        }
    };
    return result != kSuccess ? result : enqueue((uint64_t)stream, forbid, "emulator_forbid");
}

// Makes all GPUs usable again after a fault. Work that is still on streams is dropped, except work that gives memory
// back.
EMULATOR_EXPORT int64_t emulator_reset() {
    const Guard guard(lock());
    for (auto& [key, queue] : Driver::instance().streams) {
        const ActingFor acting(queue.device);
        for (const Work& left : queue.work) {
            if (left.frees) {
                left.run();
            }
        }
        queue.work.clear();
    }
    for (auto& of_device : Driver::instance().calls_until) {
        for (int64_t& calls : of_device) {
            calls = 0;
        }
    }
    WorkOrder::instance().forget_everything();
    std::fill_n(Driver::instance().refused_bytes, Devices::kMost, 0);
    reset_faults();
    return 0;
}

EMULATOR_EXPORT int64_t emulator_set_seed(int64_t seed) {
    const Guard guard(lock());
    set_seed((uint64_t)seed);
    return 0;
}

// Returns the most memory of a GPU that was allocated at once, in the order of the streams, since the last call.
EMULATOR_EXPORT int64_t emulator_peak_bytes(int64_t device) {
    const Guard guard(lock());
    return (int64_t)DeviceMemory::instance().take_peak((int)device);
}

// Writes a list of what has not been freed or destroyed, one line for each object, and returns how many bytes that
// takes.
EMULATOR_EXPORT int64_t emulator_leftovers(char* text, int64_t bytes) {
    const Guard guard(lock());
    const std::string lines = leftovers();
    if (bytes > 0) {
        strncpy(text, lines.c_str(), (size_t)bytes - 1);
        text[bytes - 1] = 0;
    }
    return (int64_t)lines.size() + 1;
}
