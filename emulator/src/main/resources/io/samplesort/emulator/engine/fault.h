// The faults of the emulated GPUs. The first fault of a kernel ends its launch. As on a real GPU, every later call for
// that GPU then fails with the same error, until the process ends or a test resets the emulator. Other GPUs go on.
#pragma once

#include <string>

#include "engine/devices.h"

namespace emulator {

// CUresult codes, numbered as in cuda.h.
enum Result {
    kSuccess = 0,
    kInvalidValue = 1,
    kOutOfMemory = 2,
    kNotInitialized = 3,
    kInvalidDevice = 101,
    kInvalidImage = 200,
    kInvalidContext = 201,
    kPeerAccessUnsupported = 217,
    kInvalidHandle = 400,
    kNotFound = 500,
    kIllegalAddress = 700,
    kLaunchOutOfResources = 701,
    kPeerAccessAlreadyEnabled = 704,
    kAlreadyRegistered = 712,
    kMisalignedAddress = 716,
    kLaunchFailed = 719,
};

// Records a misuse of a driver call, which fails with `code`. The message is the text of this code until the next
// misuse with this code.
Result misuse(Result code, const std::string& message);

// Records a fault, after which the acting GPU is lost.
Result lose_device(Result code, const std::string& message);

// kSuccess, or the code of the fault that lost the acting GPU.
inline Result lost_with[Devices::kMost] = {};
inline Result device_state() { return lost_with[acting_device]; }

// The text of the latest misuse or fault with this code; empty if there has been none.
const std::string& message_of(int code);

void reset_faults();

}  // namespace emulator
