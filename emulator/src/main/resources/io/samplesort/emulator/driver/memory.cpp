// Driver functions: device memory, the pool, pinned memory.
#include <cstdlib>
#include <cstring>
#include <utility>

#include "driver/driver.h"
#include "driver/stream.h"
#include "engine/device_memory.h"
#include "engine/pinned_memory.h"

using namespace emulator;

namespace {

constexpr uint64_t kDefaultPool = 0x88;  // of the first GPU; the others follow
constexpr unsigned char kPoison = 0xcd;

PinnedMemory& pinned() { return PinnedMemory::instance(); }

// Allocates memory. `stream` is null for memory that does not come from the pool.
Result allocate(uint64_t* address, size_t bytes, const uint64_t* stream, const char* call) {
    Driver& driver = Driver::instance();
    // This is kept for each GPU, as another thread may allocate on another GPU before this call is repeated.
    size_t& refused = driver.refused_bytes[current_device()];
    const size_t refused_bytes = std::exchange(refused, 0);
    if (driver.takes(Fault::kAllocation)) {
        refused = bytes;
    }
    if (refused != 0 || (refused_bytes != 0 && bytes == refused_bytes)) {
        return misuse(kOutOfMemory, std::string(call) + " was told to fail");
    }
    DeviceMemory& memory = DeviceMemory::instance();
    Result result = memory.allocate(current_device(), bytes, stream != nullptr, address);
    if (result == kOutOfMemory && stream != nullptr) {
        // A pool gives a stream at once what the stream has freed before. Here that memory is free when the stream has
        // done so.
        result = run_stream(*stream, call);
        result = result == kSuccess ? memory.allocate(current_device(), bytes, true, address) : result;
    }
    return result;
}

// Returns the GPU of a pool; -1 if there is no such pool.
int device_of_pool(uint64_t pool) {
    const uint64_t device = pool - kDefaultPool;
    return device < (uint64_t)Devices::instance().count() ? (int)device : -1;
}

Result require_pool(uint64_t pool) {
    return device_of_pool(pool) >= 0 ? kSuccess : misuse(kInvalidHandle, "there is no such memory pool");
}

}  // namespace

EMULATOR_EXPORT int cuMemGetInfo_v2(size_t* free, size_t* total) {
    const Guard guard(lock());
    const int device = current_device();
    *total = Devices::instance().total_bytes(device);
    *free = *total - DeviceMemory::instance().used_bytes(device);
    return ready("cuMemGetInfo");
}

EMULATOR_EXPORT int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
    const Guard guard(lock());
    const Result result = ready("cuMemAlloc");
    return result == kSuccess ? allocate(address, bytes, nullptr, "cuMemAlloc") : result;
}

// Waits for the whole device, as a real driver does.
EMULATOR_EXPORT int cuMemFree_v2(uint64_t address) {
    const Guard guard(lock());
    const Allocation* allocation = DeviceMemory::instance().find(address);
    const ActingFor acting(allocation == nullptr ? current_device() : allocation->device);
    if (device_state() == kSuccess) {
        run_all_streams();
    }
    const Result result = DeviceMemory::instance().release(address, "cuMemFree");
    return result == kSuccess ? device_state() : result;
}

EMULATOR_EXPORT int cuMemAllocAsync(uint64_t* address, size_t bytes, uint64_t stream) {
    const Guard guard(lock());
    Result result = require_stream(stream, "cuMemAllocAsync");
    result = result == kSuccess ? allocate(address, bytes, &stream, "cuMemAllocAsync") : result;
    if (result == kSuccess) {
        const auto arrive = [place = *address] { DeviceMemory::instance().arrive(place); };
        result = enqueue(stream, arrive, "cuMemAllocAsync");
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

EMULATOR_EXPORT int cuDeviceGetDefaultMemPool(uint64_t* pool, int device) {
    const Guard guard(lock());
    *pool = kDefaultPool + (uint64_t)device;
    return require_pool(*pool);
}

EMULATOR_EXPORT int cuMemPoolGetAttribute(uint64_t pool, int, void* value) {
    const Guard guard(lock());
    const Result result = require_pool(pool);
    if (result == kSuccess) {
        // This pool keeps no free memory, so it has reserved as much as is used.
        *(uint64_t*)value = DeviceMemory::instance().used_bytes(device_of_pool(pool));
    }
    return result;
}

EMULATOR_EXPORT int cuMemPoolSetAttribute(uint64_t pool, int, void*) {
    const Guard guard(lock());
    return require_pool(pool);
}

EMULATOR_EXPORT int cuMemPoolTrimTo(uint64_t pool, size_t) {
    const Guard guard(lock());
    const Result result = require_pool(pool);
    return result == kSuccess ? device_state() : result;
}

// This has the same layout as in cuda.h.
struct AccessDescription {
    int location_type;
    int location;
    int flags;
};
static_assert(sizeof(AccessDescription) == 12, "CUmemAccessDesc");

// Lets kernels on other GPUs use the memory of a pool.
EMULATOR_EXPORT int cuMemPoolSetAccess(uint64_t pool, const AccessDescription* descriptions, size_t count) {
    constexpr int kDevice = 1;
    constexpr int kReadWrite = 3;
    const Guard guard(lock());
    const Result result = require_pool(pool);
    if (result != kSuccess) {
        return result;
    }
    const int owner = device_of_pool(pool);
    Devices& devices = Devices::instance();
    for (size_t i = 0; i < count; ++i) {
        const AccessDescription& one = descriptions[i];
        if (one.location_type != kDevice || one.location < 0 || one.location >= devices.count()
            || (one.flags != 0 && one.flags != kReadWrite)) {
            return misuse(kInvalidValue, "cuMemPoolSetAccess for a location or with flags that do not exist");
        }
        if (one.location != owner && !devices.can_reach(one.location, owner)) {
            return misuse(
                kInvalidDevice,
                name_of_device(one.location) + " cannot reach the memory pool of " + name_of_device(owner));
        }
        devices.let_see_pool(one.location, owner, one.flags == kReadWrite);
    }
    return kSuccess;
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
