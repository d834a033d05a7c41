#include "driver/driver.h"

#include "engine/device_memory.h"
#include "engine/pinned_memory.h"

namespace emulator {

std::recursive_mutex& lock() {
    static std::recursive_mutex mutex;
    return mutex;
}

Driver& Driver::instance() {
    // Like all objects of the emulator, it is never destroyed: when a process ends, other threads may still be in
    // calls.
    static Driver& driver = *new Driver;
    return driver;
}

Result ready(const char* call, bool needs_context) {
    ++Driver::instance().calls[call];
    if (Driver::instance().takes(Fault::kLostDevice)) {
        lose_device(kLaunchFailed, "a test has told the device to fail");
    }
    if (device_state() != kSuccess) {
        return device_state();
    }
    if (!Driver::instance().initialised) {
        return misuse(kNotInitialized, std::string(call) + " before cuInit");
    }
    if (needs_context && contexts.empty()) {
        return misuse(kInvalidContext, std::string(call) + " on a thread without a current context");
    }
    return kSuccess;
}

std::string leftovers() {
    const Driver& driver = Driver::instance();
    std::string lines;
    for (const auto& [address, allocation] : DeviceMemory::instance().allocations()) {
        lines += "device memory: allocation " + std::to_string(allocation.number) + " of "
            + std::to_string(allocation.bytes) + " bytes\n";
    }
    for (const auto& [address, bytes] : PinnedMemory::instance().allocated) {
        lines += "pinned memory of " + std::to_string(bytes) + " bytes\n";
    }
    for (const auto& [address, bytes] : PinnedMemory::instance().registered) {
        lines += "registered memory of " + std::to_string(bytes) + " bytes\n";
    }
    for (int device = 0; device < Devices::kMost; ++device) {
        if (driver.context_counts[device] != 0) {
            lines += "context" + (device == 0 ? "" : " of " + name_of_device(device)) + ", retained "
                + std::to_string(driver.context_counts[device]) + " times\n";
        }
    }
    if (!contexts.empty()) {
        lines += "context, current " + std::to_string(contexts.size()) + " times on this thread\n";
    }
    for (const auto& [handle, queue] : driver.streams) {
        lines += handle <= Devices::kMost ? "" : "stream " + std::to_string(handle) + "\n";
    }
    for (const auto& [handle, record] : driver.events) {
        lines += "event " + std::to_string(handle) + "\n";
    }
    for (const auto& [handle, module] : driver.modules) {
        lines += "module " + std::to_string(handle) + "\n";
    }
    return lines;
}

}  // namespace emulator
