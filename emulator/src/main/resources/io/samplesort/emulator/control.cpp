// What tests ask of the emulator, beside the driver's own functions.
#include <cstring>

#include "device_memory.h"
#include "driver.h"
#include "home.h"

using namespace emulator;
typedef std::lock_guard<std::recursive_mutex> Guard;

// The n-th allocation from now on (device or pinned) fails, also if it is tried again; 0: none.
EMULATOR_EXPORT int emulator_fail_allocation(int64_t n) {
    const Guard guard(lock());
    Driver::instance().allocations_until_failure = n;
    Driver::instance().refused_bytes = 0;
    return 0;
}

// The n-th launch from now on fails; 0: none.
EMULATOR_EXPORT int emulator_fail_launch(int64_t n) {
    const Guard guard(lock());
    Driver::instance().launches_until_failure = n;
    return 0;
}

// Every call fails from now on, as after a fault of a kernel.
EMULATOR_EXPORT int emulator_lose_device() {
    const Guard guard(lock());
    return lose_device(kLaunchFailed, "the device was told to get lost");
}

// Makes the device usable again after a fault. Work that was waiting is dropped.
EMULATOR_EXPORT int emulator_reset() {
    const Guard guard(lock());
    for (auto& [handle, work] : Driver::instance().streams) {
        work.clear();
    }
    Driver::instance().allocations_until_failure = 0;
    Driver::instance().refused_bytes = 0;
    Driver::instance().launches_until_failure = 0;
    reset_faults();
    return 0;
}

EMULATOR_EXPORT int emulator_set_seed(int64_t seed) {
    const Guard guard(lock());
    set_seed((uint64_t)seed);
    return 0;
}

// Writes what is allocated and not destroyed, one a line, and returns how many bytes that takes.
EMULATOR_EXPORT int emulator_leftovers(char* text, int64_t bytes) {
    const Guard guard(lock());
    const std::string lines = leftovers();
    if (bytes > 0) {
        strncpy(text, lines.c_str(), (size_t)bytes - 1);
        text[bytes - 1] = 0;
    }
    return (int)lines.size() + 1;
}
