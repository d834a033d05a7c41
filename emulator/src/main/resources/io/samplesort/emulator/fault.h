// What went wrong on the emulated device. The first fault of a kernel ends its launch; as on a real device, every later
// call fails with the same error until the process ends, or a test resets the emulator.
#pragma once

#include <string>

namespace emulator {

// CUresult codes, as numbered by the driver.
enum Result {
    kSuccess = 0,
    kInvalidValue = 1,
    kOutOfMemory = 2,
    kNotInitialized = 3,
    kInvalidDevice = 101,
    kInvalidImage = 200,
    kInvalidContext = 201,
    kInvalidHandle = 400,
    kNotFound = 500,
    kIllegalAddress = 700,
    kLaunchOutOfResources = 701,
    kAlreadyRegistered = 712,
    kLaunchFailed = 719,
};

// Records a misuse of an API call, which fails with `code`; the message is the error's text until the next one.
Result misuse(Result code, const std::string& message);

// Records a fault of the device, which is lost from now on.
Result lose_device(Result code, const std::string& message);

// kSuccess, or the code of the fault that lost the device.
inline Result lost_with = kSuccess;
inline Result device_state() {
    return lost_with;
}

// The text of the latest misuse or fault with this code; empty if there was none.
const std::string& message_of(int code);

void reset_faults();

}  // namespace emulator
