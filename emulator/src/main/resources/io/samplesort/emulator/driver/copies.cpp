// Driver functions: copies and fills.
#include <cstring>
#include <utility>

#include "driver/driver.h"
#include "driver/stream.h"
#include "engine/device_memory.h"
#include "engine/pinned_memory.h"

using namespace emulator;

namespace {

bool is_pinned(const void* place, size_t bytes) { return PinnedMemory::instance().contains(place, bytes); }

// kSuccess if a range is memory of a GPU that copies and fills may touch; otherwise records a misuse by `call`.
Result require_on(int device, uint64_t address, size_t bytes, const char* call) {
    const Result result = DeviceMemory::instance().require_allocated(address, bytes, call);
    const Allocation* allocation = DeviceMemory::instance().find(address);
    if (result != kSuccess || bytes == 0 || allocation->device == device) {
        return result;
    }
    return misuse(
        kInvalidValue,
        std::string(call) + " for " + name_of_device(device) + " of memory of " + name_of_device(allocation->device));
}

// Notes what the running copy or fill touches. If other work touches the same memory and nothing orders the two, the
// device is lost.
bool touch(uint64_t address, size_t bytes, bool writes, const char* call) {
    WorkOrder& order = WorkOrder::instance();
    order.set_name(call);
    const PastWork* other = bytes == 0 ? nullptr : order.touch(address, bytes, writes);
    if (other != nullptr) {
        lose_device(
            kLaunchFailed,
            "race: " + std::string(call) + (writes ? " writes " : " reads ") + std::to_string(bytes)
                + " bytes of device memory: " + DeviceMemory::instance().describe(address) + ", which " + other->name
                + " on " + name_of_device(other->device) + " uses with no stream, event or wait that orders the two");
    }
    return other == nullptr;
}

// Notes what the running copy touches, as touch() does. If some of it is forbidden, the device is lost.
bool touch_allowed(uint64_t address, size_t bytes, bool writes, const char* call) {
    const uint64_t forbidden = DeviceMemory::instance().first_forbidden(address, bytes);
    if (forbidden != 0) {
        lose_device(
            kIllegalAddress,
            std::string(call) + " of " + std::to_string(bytes)
                + " bytes touches memory that is forbidden: " + DeviceMemory::instance().describe(forbidden));
        return false;
    }
    return touch(address, bytes, writes, call);
}

// Returns whether the stream that allocates memory has reached the allocation. If it has not, a copy or a fill would
// touch memory that is not allocated yet, and the device is lost.
bool has_arrived(uint64_t address, const char* call) {
    const Allocation* allocation = DeviceMemory::instance().find(address);
    if (allocation != nullptr && !allocation->arrived) {
        lose_device(
            kIllegalAddress, std::string(call) + " uses " + DeviceMemory::instance().describe(address) + kNotArrived);
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

EMULATOR_EXPORT int cuMemsetD8Async(uint64_t target, unsigned char value, size_t bytes, uint64_t stream) {
    const Guard guard(lock());
    // Forbidden bytes may lie in between and stay forbidden: a workspace is cleared together with the gaps between its
    // regions.
    Result result = DeviceMemory::instance().require_allocated(target, bytes, "cuMemsetD8Async");
    if (result == kSuccess && bytes != 0 && DeviceMemory::instance().find(target)->device != current_device()) {
        result = misuse(kInvalidValue, "cuMemsetD8Async of memory of another GPU");
    }
    const auto fill = [=] {
        if (has_arrived(target, "cuMemsetD8Async") && touch(target, bytes, true, "cuMemsetD8Async")) {
            memset((void*)target, value, bytes);
            DeviceMemory::instance().mark_written(target, bytes);
        }
    };
    return result != kSuccess ? result : enqueue_copy(stream, fill, "cuMemsetD8Async");
}

// Pinned memory is read when the copy runs, so a buffer that is filled again too early leads to wrong data. Pageable
// memory is read at once, as by a real driver.
EMULATOR_EXPORT int cuMemcpyHtoDAsync_v2(uint64_t target, const void* source, size_t bytes, uint64_t stream) {
    const Guard guard(lock());
    const Result result = require_on(current_device(), target, bytes, "cuMemcpyHtoDAsync");
    if (result != kSuccess) {
        return result;
    }
    std::shared_ptr<std::vector<char>> copy;
    if (!is_pinned(source, bytes)) {
        copy = std::make_shared<std::vector<char>>((const char*)source, (const char*)source + bytes);
    }
    return enqueue_copy(
        stream,
        [=] {
            if (has_arrived(target, "cuMemcpyHtoDAsync") && touch_allowed(target, bytes, true, "cuMemcpyHtoDAsync")) {
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
    Result result = require_on(current_device(), source, bytes, "cuMemcpyDtoHAsync");
    if (result == kSuccess) {
        result = enqueue_copy(
            stream,
            [=] {
                if (has_arrived(source, "cuMemcpyDtoHAsync") && touch_allowed(source, bytes, false, "cuMemcpyDtoHAsync")
                    && check_source(source, bytes, "cuMemcpyDtoHAsync")) {
                    memcpy(target, (void*)source, bytes);
                }
            },
            "cuMemcpyDtoHAsync");
    }
    if (result == kSuccess && !is_pinned(target, bytes)) {
        return run_stream(stream, "cuMemcpyDtoHAsync");
    }
    return result;
}

namespace {
// Copies between memory of two GPUs, or within that of one. Bytes that have not been written count as unwritten in the
// copy, too.
Result enqueue_device_copy(
    int target_device, uint64_t target, int source_device, uint64_t source, size_t bytes, uint64_t stream,
    const char* call) {
    Result result = require_on(target_device, target, bytes, call);
    result = result == kSuccess ? require_on(source_device, source, bytes, call) : result;
    const auto copy = [=] {
        if (has_arrived(target, call) && has_arrived(source, call) && touch_allowed(source, bytes, false, call)
            && touch_allowed(target, bytes, true, call)) {
            memcpy((void*)target, (void*)source, bytes);
            const DeviceMemory& all = DeviceMemory::instance();
            memcpy(all.written(target), all.written(source), bytes);
        }
    };
    return result != kSuccess ? result : enqueue_copy(stream, copy, call);
}
}  // namespace

EMULATOR_EXPORT int cuMemcpyDtoDAsync_v2(uint64_t target, uint64_t source, size_t bytes, uint64_t stream) {
    const Guard guard(lock());
    const int device = current_device();
    return enqueue_device_copy(device, target, device, source, bytes, stream, "cuMemcpyDtoDAsync");
}

// This works whether or not the two GPUs can reach each other.
EMULATOR_EXPORT int cuMemcpyPeerAsync(
    uint64_t target, uint64_t target_context, uint64_t source, uint64_t source_context, size_t bytes, uint64_t stream) {
    const Guard guard(lock());
    const uint64_t to = target_context - kPrimaryContext;
    const uint64_t from = source_context - kPrimaryContext;
    const Driver& driver = Driver::instance();
    for (const uint64_t device : {to, from}) {
        if (device >= (uint64_t)Devices::kMost || driver.context_counts[device] == 0) {
            return misuse(kInvalidContext, "cuMemcpyPeerAsync with a context that is not retained");
        }
    }
    return enqueue_device_copy((int)to, target, (int)from, source, bytes, stream, "cuMemcpyPeerAsync");
}
