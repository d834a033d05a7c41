// Driver functions: device memory, the pool, pinned memory, copies.
#include <cstdlib>
#include <cstring>
#include <utility>

#include "driver/driver.h"
#include "driver/stream.h"
#include "engine/device_memory.h"
#include "engine/pinned_memory.h"

using namespace emulator;

namespace {

constexpr uint64_t kDefaultPool = 0x88;
constexpr unsigned char kPoison = 0xcd;

PinnedMemory& pinned() {
    return PinnedMemory::instance();
}

Result allocate(uint64_t* address, size_t bytes, bool arrived, const char* call) {
    Driver& driver = Driver::instance();
    const size_t refused_bytes = std::exchange(driver.refused_bytes, 0);
    if (driver.takes(Fault::kAllocation)) {
        driver.refused_bytes = bytes;
    }
    if (driver.refused_bytes != 0 || (refused_bytes != 0 && bytes == refused_bytes)) {
        return misuse(kOutOfMemory, std::string(call) + " was told to fail");
    }
    return DeviceMemory::instance().allocate(bytes, arrived, address);
}

// Whether the stream that allocated memory has come to the allocation. If it has not, a copy or a fill meets memory that
// is not there yet, and the device is lost.
bool has_arrived(uint64_t address, const char* call) {
    const Allocation* allocation = DeviceMemory::instance().find(address);
    if (allocation != nullptr && !allocation->arrived) {
        lose_device(
            kIllegalAddress,
            std::string(call) + " uses " + DeviceMemory::instance().describe(address) + kNotArrived);
        return false;
    }
    return true;
}

// Puts a copy or a fill on a stream.
Result enqueue_copy(uint64_t stream, std::function<void()> work, const char* call) {
    if (Driver::instance().takes(Fault::kCopy)) {
        return misuse(kInvalidValue, std::string(call) + " was told to fail");
    }
    return enqueue(stream, std::move(work), call);
}

}  // namespace

EMULATOR_EXPORT int cuMemGetInfo_v2(size_t* free, size_t* total) {
    const Guard guard(lock());
    *total = DeviceMemory::kTotalBytes;
    *free = DeviceMemory::kTotalBytes - DeviceMemory::instance().used_bytes();
    return ready("cuMemGetInfo");
}

EMULATOR_EXPORT int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
    const Guard guard(lock());
    const Result result = ready("cuMemAlloc");
    return result == kSuccess ? allocate(address, bytes, true, "cuMemAlloc") : result;
}

// Waits for the whole device, as a real driver does.
EMULATOR_EXPORT int cuMemFree_v2(uint64_t address) {
    const Guard guard(lock());
    if (device_state() == kSuccess) {
        run_all_streams();
    }
    const Result result = DeviceMemory::instance().release(address, "cuMemFree");
    return result == kSuccess ? device_state() : result;
}

EMULATOR_EXPORT int cuMemAllocAsync(uint64_t* address, size_t bytes, uint64_t stream) {
    const Guard guard(lock());
    Result result = allocate(address, bytes, false, "cuMemAllocAsync");
    if (result == kSuccess) {
        result = enqueue(
            stream, [place = *address] { DeviceMemory::instance().arrive(place); }, "cuMemAllocAsync");
        if (result != kSuccess) {
            DeviceMemory::instance().release(*address, "cuMemAllocAsync");
        }
    }
    return result;
}

EMULATOR_EXPORT int cuMemFreeAsync(uint64_t address, uint64_t stream) {
    const Guard guard(lock());
    if (device_state() != kSuccess) {
        DeviceMemory::instance().release(address, "cuMemFreeAsync");
        return device_state();
    }
    const Allocation* allocation = DeviceMemory::instance().find(address);
    if (allocation == nullptr || allocation->address != address) {
        return DeviceMemory::instance().release(address, "cuMemFreeAsync");
    }
    const Result result = enqueue(
        stream,
        [address] {
            if (DeviceMemory::instance().release(address, "cuMemFreeAsync") != kSuccess) {
                lose_device(kInvalidValue, message_of(kInvalidValue));
            }
        },
        "cuMemFreeAsync", true);
    if (result != kSuccess) {
        DeviceMemory::instance().release(address, "cuMemFreeAsync");
    }
    return result;
}

EMULATOR_EXPORT int cuDeviceGetDefaultMemPool(uint64_t* pool, int) {
    *pool = kDefaultPool;
    return kSuccess;
}

EMULATOR_EXPORT int cuMemPoolGetAttribute(uint64_t pool, int, void* value) {
    const Guard guard(lock());
    // This pool keeps nothing that is free, so it has reserved as much as is used.
    *(uint64_t*)value = DeviceMemory::instance().used_bytes();
    return pool == kDefaultPool ? kSuccess : misuse(kInvalidHandle, "there is no such memory pool");
}

EMULATOR_EXPORT int cuMemPoolSetAttribute(uint64_t pool, int, void*) {
    return pool == kDefaultPool ? kSuccess : misuse(kInvalidHandle, "there is no such memory pool");
}

EMULATOR_EXPORT int cuMemPoolTrimTo(uint64_t pool, size_t) {
    const Guard guard(lock());
    return pool == kDefaultPool ? device_state() : misuse(kInvalidHandle, "there is no such memory pool");
}

EMULATOR_EXPORT int cuMemHostAlloc(void** pointer, size_t bytes, unsigned) {
    const Guard guard(lock());
    const Result result = ready("cuMemHostAlloc");
    if (result != kSuccess) {
        return result;
    }
    if (Driver::instance().takes(Fault::kAllocation)) {
        return misuse(kOutOfMemory, "cuMemHostAlloc was told to fail");
    }
    *pointer = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    memset(*pointer, kPoison, bytes);
    pinned().allocated[*pointer] = bytes;
    return kSuccess;
}

EMULATOR_EXPORT int cuMemFreeHost(void* pointer) {
    const Guard guard(lock());
    if (pinned().allocated.erase(pointer) == 0) {
        return misuse(kInvalidValue, "cuMemFreeHost of memory that is not pinned, or has been freed");
    }
    free(pointer);
    return kSuccess;
}

EMULATOR_EXPORT int cuMemHostRegister_v2(void* pointer, size_t bytes, unsigned) {
    const Guard guard(lock());
    const Result result = ready("cuMemHostRegister");
    if (result != kSuccess) {
        return result;
    }
    if (pinned().contains(pointer, 1) || pinned().contains((char*)pointer + bytes - 1, 1)) {
        return kAlreadyRegistered;
    }
    pinned().registered[pointer] = bytes;
    return kSuccess;
}

EMULATOR_EXPORT int cuMemHostUnregister(void* pointer) {
    const Guard guard(lock());
    if (pinned().registered.erase(pointer) == 0) {
        return misuse(kInvalidValue, "cuMemHostUnregister of memory that is not registered");
    }
    return kSuccess;
}

// The only attribute is the type of memory, which tells pinned memory from other host memory.
EMULATOR_EXPORT int cuPointerGetAttributes(unsigned count, const int* attributes, void** data, uint64_t pointer) {
    const Guard guard(lock());
    constexpr int kMemoryType = 2;
    constexpr unsigned kHost = 1;
    const Result result = ready("cuPointerGetAttributes");
    if (result != kSuccess) {
        return result;
    }
    if (count != 1 || attributes[0] != kMemoryType) {
        return misuse(kInvalidValue, "cuPointerGetAttributes of an attribute other than the memory type");
    }
    *(unsigned*)data[0] = pinned().contains((void*)pointer, 1) ? kHost : 0;
    return kSuccess;
}

EMULATOR_EXPORT int cuMemsetD8Async(uint64_t target, unsigned char value, size_t bytes, uint64_t stream) {
    const Guard guard(lock());
    // What is forbidden may lie in between and stays so: a workspace is cleared with all that is between its regions.
    const Result result = DeviceMemory::instance().require_allocated(target, bytes, "cuMemsetD8Async");
    return result != kSuccess ? result
                              : enqueue_copy(
                                  stream,
                                  [=] {
                                      if (has_arrived(target, "cuMemsetD8Async")) {
                                          memset((void*)target, value, bytes);
                                          DeviceMemory::instance().mark_written(target, bytes);
                                      }
                                  },
                                  "cuMemsetD8Async");
}

// Pinned memory is read when the copy runs, so a buffer that is filled again too early shows as wrong data. Pageable
// memory is read at once, as by a real driver.
EMULATOR_EXPORT int cuMemcpyHtoDAsync_v2(uint64_t target, const void* source, size_t bytes, uint64_t stream) {
    const Guard guard(lock());
    const Result result = DeviceMemory::instance().require(target, bytes, "cuMemcpyHtoDAsync");
    if (result != kSuccess) {
        return result;
    }
    std::shared_ptr<std::vector<char>> copy;
    if (!pinned().contains(source, bytes)) {
        copy = std::make_shared<std::vector<char>>((const char*)source, (const char*)source + bytes);
    }
    return enqueue_copy(
        stream,
        [=] {
            if (has_arrived(target, "cuMemcpyHtoDAsync")) {
                memcpy((void*)target, copy ? copy->data() : source, bytes);
                memset(DeviceMemory::instance().written(target), 1, bytes);
            }
        },
        "cuMemcpyHtoDAsync");
}

namespace {
bool check_source(uint64_t source, size_t bytes, const char* call) {
    const uint8_t* written = DeviceMemory::instance().written(source);
    const void* gap = bytes == 0 ? nullptr : memchr(written, 0, bytes);
    if (gap != nullptr) {
        lose_device(
            kLaunchFailed,
            std::string(call) + " copies device memory that nothing has written: "
                + DeviceMemory::instance().describe(source + (size_t)((const uint8_t*)gap - written)));
    }
    return gap == nullptr;
}
}  // namespace

EMULATOR_EXPORT int cuMemcpyDtoHAsync_v2(void* target, uint64_t source, size_t bytes, uint64_t stream) {
    const Guard guard(lock());
    Result result = DeviceMemory::instance().require(source, bytes, "cuMemcpyDtoHAsync");
    if (result == kSuccess) {
        result = enqueue_copy(
            stream,
            [=] {
                if (check_source(source, bytes, "cuMemcpyDtoHAsync")) {
                    memcpy(target, (void*)source, bytes);
                }
            },
            "cuMemcpyDtoHAsync");
    }
    if (result == kSuccess && !pinned().contains(target, bytes)) {
        return run_stream(stream, "cuMemcpyDtoHAsync");
    }
    return result;
}

EMULATOR_EXPORT int cuMemcpyDtoDAsync_v2(uint64_t target, uint64_t source, size_t bytes, uint64_t stream) {
    const Guard guard(lock());
    const DeviceMemory& memory = DeviceMemory::instance();
    Result result = memory.require(target, bytes, "cuMemcpyDtoDAsync");
    result = result == kSuccess ? memory.require(source, bytes, "cuMemcpyDtoDAsync") : result;
    return result != kSuccess ? result
                              : enqueue_copy(
                                  stream,
                                  [=] {
                                      if (has_arrived(target, "cuMemcpyDtoDAsync")) {
                                          memcpy((void*)target, (void*)source, bytes);
                                          const DeviceMemory& all = DeviceMemory::instance();
                                          memcpy(all.written(target), all.written(source), bytes);
                                      }
                                  },
                                  "cuMemcpyDtoDAsync");
}
