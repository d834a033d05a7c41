// What tests ask of the emulator beside the driver's own functions.
#include <cstring>

#include "driver/driver.h"
#include "engine/device_memory.h"
#include "engine/settings.h"

using namespace emulator;

// Makes a fault happen at the n-th call from now on that can have it. With 0 it does not happen.
EMULATOR_EXPORT int64_t emulator_inject(int64_t fault, int64_t n) {
    const Guard guard(lock());
    Driver::instance().calls_until[fault] = n;
    Driver::instance().refused_bytes = 0;
    return 0;
}

// Forbids kernels and copies to touch a piece of device memory until it is freed.
EMULATOR_EXPORT int64_t emulator_forbid(int64_t address, int64_t bytes) {
    const Guard guard(lock());
    return DeviceMemory::instance().forbid((uint64_t)address, (size_t)bytes);
}

// Makes the device usable again after a fault. Work that is still on streams is dropped, but for what gives memory back.
EMULATOR_EXPORT int64_t emulator_reset() {
    const Guard guard(lock());
    for (auto& [handle, work] : Driver::instance().streams) {
        for (const Work& left : work) {
            if (left.frees) {
                left.run();
            }
        }
        work.clear();
    }
    for (int64_t& calls : Driver::instance().calls_until) {
        calls = 0;
    }
    Driver::instance().refused_bytes = 0;
    reset_faults();
    return 0;
}

EMULATOR_EXPORT int64_t emulator_set_seed(int64_t seed) {
    const Guard guard(lock());
    set_seed((uint64_t)seed);
    return 0;
}

// Returns the most device memory that was there at once, in the order of the streams, since the last call.
EMULATOR_EXPORT int64_t emulator_peak_bytes() {
    const Guard guard(lock());
    return (int64_t)DeviceMemory::instance().take_peak();
}

// Writes a list of what has not been freed or destroyed, one line for each, and returns how many bytes that takes.
EMULATOR_EXPORT int64_t emulator_leftovers(char* text, int64_t bytes) {
    const Guard guard(lock());
    const std::string lines = leftovers();
    if (bytes > 0) {
        strncpy(text, lines.c_str(), (size_t)bytes - 1);
        text[bytes - 1] = 0;
    }
    return (int64_t)lines.size() + 1;
}
