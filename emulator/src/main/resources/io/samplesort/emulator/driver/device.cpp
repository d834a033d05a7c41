// Driver functions: initialisation, errors, devices, contexts.
#include <cstdio>

#include "driver/driver.h"
#include "engine/device_memory.h"

using namespace emulator;

namespace {
const char* code_name(int code) {
    switch (code) {
        case kSuccess: return "CUDA_SUCCESS";
        case kInvalidValue: return "CUDA_ERROR_INVALID_VALUE";
        case kOutOfMemory: return "CUDA_ERROR_OUT_OF_MEMORY";
        case kNotInitialized: return "CUDA_ERROR_NOT_INITIALIZED";
        case kInvalidDevice: return "CUDA_ERROR_INVALID_DEVICE";
        case kInvalidImage: return "CUDA_ERROR_INVALID_IMAGE";
        case kInvalidContext: return "CUDA_ERROR_INVALID_CONTEXT";
        case kPeerAccessUnsupported: return "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED";
        case kPeerAccessAlreadyEnabled: return "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED";
        case kInvalidHandle: return "CUDA_ERROR_INVALID_HANDLE";
        case kAlreadyRegistered: return "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED";
        case kNotFound: return "CUDA_ERROR_NOT_FOUND";
        case kIllegalAddress: return "CUDA_ERROR_ILLEGAL_ADDRESS";
        case kLaunchOutOfResources: return "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES";
        case kMisalignedAddress: return "CUDA_ERROR_MISALIGNED_ADDRESS";
        case kLaunchFailed: return "CUDA_ERROR_LAUNCH_FAILED";
        default: return nullptr;
    }
}

Result require_device(int device, const char* call) {
    return device >= 0 && device < Devices::instance().count()
        ? kSuccess
        : misuse(kInvalidDevice, std::string(call) + " of " + name_of_device(device) + ", which does not exist");
}

// Returns the GPU of a retained context; -1 if there is no such context.
int device_of(uint64_t context) {
    const uint64_t device = context - kPrimaryContext;
    return device < (uint64_t)Devices::kMost && Driver::instance().context_counts[device] != 0 ? (int)device : -1;
}
}  // namespace

EMULATOR_EXPORT int cuGetErrorName(int code, const char** name) {
    *name = code_name(code);
    return *name == nullptr ? kInvalidValue : kSuccess;
}

// Says more than a real driver: what went wrong, and where.
EMULATOR_EXPORT int cuGetErrorString(int code, const char** text) {
    const Guard guard(lock());
    *text = message_of(code).empty() ? "nothing more is known" : message_of(code).c_str();
    return kSuccess;
}

EMULATOR_EXPORT int cuInit(unsigned flags) {
    const Guard guard(lock());
    Driver::instance().initialised = true;
    return flags == 0 ? kSuccess : kInvalidValue;
}

EMULATOR_EXPORT int cuDriverGetVersion(int* version) {
    *version = 13000;
    return kSuccess;
}

EMULATOR_EXPORT int cuDeviceGetCount(int* count) {
    const Guard guard(lock());
    *count = Devices::instance().count();
    return ready("cuDeviceGetCount", false);
}

EMULATOR_EXPORT int cuDeviceGetName(char* name, int bytes, int device) {
    const Guard guard(lock());
    snprintf(name, (size_t)bytes, "emulated GPU (kernels run on the CPU, for tests)");
    return require_device(device, "cuDeviceGetName");
}

EMULATOR_EXPORT int cuDeviceGetAttribute(int* value, int attribute, int device) {
    const Guard guard(lock());
    const Result result = require_device(device, "cuDeviceGetAttribute");
    if (result != kSuccess) {
        return result;
    }
    const ActingFor acting(device);
    switch (attribute) {
        case 1: *value = (int)kMaxThreads; break;  // threads of a block
        case 10: *value = (int)kWarpSize; break;
        case 16: *value = kMultiprocessorCount; break;
        case 75: *value = 9; break;  // compute capability
        case 76: *value = 0; break;
        case 81: *value = 233472; break;  // shared memory of a multiprocessor
        case 82: *value = 65536; break;   // registers of a multiprocessor
        case 97: *value = (int)kMaxSharedBytes; break;
        case 115: *value = 1; break;  // memory pools
        default: return misuse(kInvalidValue, "the emulated device has no attribute " + std::to_string(attribute));
    }
    return ready("cuDeviceGetAttribute", false);
}

EMULATOR_EXPORT int cuDeviceTotalMem_v2(size_t* bytes, int device) {
    const Guard guard(lock());
    const Result result = require_device(device, "cuDeviceTotalMem");
    *bytes = result == kSuccess ? Devices::instance().total_bytes(device) : 0;
    return result;
}

EMULATOR_EXPORT int cuDevicePrimaryCtxRetain(uint64_t* context, int device) {
    const Guard guard(lock());
    Result result = require_device(device, "cuDevicePrimaryCtxRetain");
    if (result != kSuccess) {
        return result;
    }
    const ActingFor acting(device);
    result = ready("cuDevicePrimaryCtxRetain", false);
    if (result == kSuccess) {
        ++Driver::instance().context_counts[device];
        *context = kPrimaryContext + (uint64_t)device;
    }
    return result;
}

EMULATOR_EXPORT int cuDevicePrimaryCtxRelease_v2(int device) {
    const Guard guard(lock());
    const Result result = require_device(device, "cuDevicePrimaryCtxRelease");
    if (result != kSuccess) {
        return result;
    }
    int& count = Driver::instance().context_counts[device];
    if (count == 0) {
        return misuse(kInvalidContext, "cuDevicePrimaryCtxRelease of a context that is not retained");
    }
    if (--count == 0) {
        Devices::instance().forget_context(device);
    }
    return kSuccess;
}

EMULATOR_EXPORT int cuDeviceCanAccessPeer(int* can, int device, int peer) {
    const Guard guard(lock());
    Result result = require_device(device, "cuDeviceCanAccessPeer");
    result = result == kSuccess ? require_device(peer, "cuDeviceCanAccessPeer") : result;
    *can = result == kSuccess && Devices::instance().can_reach(device, peer);
    return result;
}

// Lets the current context use memory that another one has allocated, except memory of pools.
EMULATOR_EXPORT int cuCtxEnablePeerAccess(uint64_t context, unsigned flags) {
    const Guard guard(lock());
    const Result result = ready("cuCtxEnablePeerAccess");
    if (result != kSuccess) {
        return result;
    }
    const int peer = device_of(context);
    const int device = current_device();
    if (peer < 0 || peer == device || flags != 0) {
        return misuse(kInvalidContext, "cuCtxEnablePeerAccess to a context that is not retained, or to itself");
    }
    Devices& devices = Devices::instance();
    if (!devices.can_reach(device, peer)) {
        return misuse(
            kPeerAccessUnsupported, name_of_device(device) + " cannot reach the memory of " + name_of_device(peer));
    }
    if (devices.sees_context(device, peer)) {
        return misuse(kPeerAccessAlreadyEnabled, "cuCtxEnablePeerAccess a second time");
    }
    devices.let_see_context(device, peer, true);
    return kSuccess;
}

EMULATOR_EXPORT int cuCtxPushCurrent_v2(uint64_t context) {
    const Guard guard(lock());
    if (device_of(context) < 0) {
        return misuse(kInvalidContext, "cuCtxPushCurrent of a context that is not retained");
    }
    contexts.push_back(context);
    return kSuccess;
}

EMULATOR_EXPORT int cuCtxGetDevice(int* device) {
    *device = current_device();
    return contexts.empty() ? kInvalidContext : kSuccess;
}

EMULATOR_EXPORT int cuCtxPopCurrent_v2(uint64_t* context) {
    if (contexts.empty()) {
        return misuse(kInvalidContext, "cuCtxPopCurrent without a current context");
    }
    if (context != nullptr) {
        *context = contexts.back();
    }
    contexts.pop_back();
    return kSuccess;
}
