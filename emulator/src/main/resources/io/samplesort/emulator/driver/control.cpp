// What tests ask of the emulator beside the driver's own functions.
#include <cstring>

#include "driver/driver.h"
#include "engine/settings.h"

using namespace emulator;

// Makes the n-th allocation of device or pinned memory from now on fail, even if it is tried again. With 0 none fails.
EMULATOR_EXPORT int emulator_fail_allocation(int64_t n) {
    const Guard guard(lock());
    Driver::instance().allocations_until_failure = n;
    Driver::instance().refused_bytes = 0;
    return 0;
}

// Makes the n-th launch from now on fail. With 0 none fails.
EMULATOR_EXPORT int emulator_fail_launch(int64_t n) {
    const Guard guard(lock());
    Driver::instance().launches_until_failure = n;
    return 0;
}

// Makes every call fail from now on, as after a fault of a kernel.
EMULATOR_EXPORT int emulator_lose_device() {
    const Guard guard(lock());
    return lose_device(kLaunchFailed, "a test has told the device to fail");
}

// Makes the device usable again after a fault. Work that is still on streams is dropped.
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

// Writes a list of what has not been freed or destroyed, one line for each, and returns how many bytes that takes.
EMULATOR_EXPORT int emulator_leftovers(char* text, int64_t bytes) {
    const Guard guard(lock());
    const std::string lines = leftovers();
    if (bytes > 0) {
        strncpy(text, lines.c_str(), (size_t)bytes - 1);
        text[bytes - 1] = 0;
    }
    return (int)lines.size() + 1;
}
