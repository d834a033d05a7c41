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
    *count = 1;
    return ready("cuDeviceGetCount", false);
}

EMULATOR_EXPORT int cuDeviceGetName(char* name, int bytes, int) {
    snprintf(name, (size_t)bytes, "emulated GPU (kernels run on the CPU, for tests)");
    return kSuccess;
}

EMULATOR_EXPORT int cuDeviceGetAttribute(int* value, int attribute, int) {
    const Guard guard(lock());
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

EMULATOR_EXPORT int cuDeviceTotalMem_v2(size_t* bytes, int) {
    *bytes = DeviceMemory::kTotalBytes;
    return kSuccess;
}

EMULATOR_EXPORT int cuDevicePrimaryCtxRetain(uint64_t* context, int) {
    const Guard guard(lock());
    const Result result = ready("cuDevicePrimaryCtxRetain", false);
    if (result == kSuccess) {
        ++Driver::instance().context_count;
        *context = kPrimaryContext;
    }
    return result;
}

EMULATOR_EXPORT int cuDevicePrimaryCtxRelease_v2(int) {
    const Guard guard(lock());
    Driver& driver = Driver::instance();
    if (driver.context_count == 0) {
        return misuse(kInvalidContext, "cuDevicePrimaryCtxRelease of a context that is not retained");
    }
    --driver.context_count;
    return kSuccess;
}

EMULATOR_EXPORT int cuCtxPushCurrent_v2(uint64_t context) {
    const Guard guard(lock());
    if (context != kPrimaryContext || Driver::instance().context_count == 0) {
        return misuse(kInvalidContext, "cuCtxPushCurrent of a context that is not retained");
    }
    contexts.push_back(context);
    return kSuccess;
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
