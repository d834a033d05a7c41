#include "engine/device_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "engine/block.h"

namespace emulator {
namespace {

void* reserve(size_t bytes) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        throw std::bad_alloc();
    }
    return memory;
}

// Clears memory; whole pages are given back to the system.
void clear(void* memory, size_t bytes) {
    constexpr uintptr_t kPage = 4096;
    const uintptr_t begin = (uintptr_t)memory;
    const uintptr_t first = (begin + kPage - 1) / kPage * kPage;
    const uintptr_t last = (begin + bytes) / kPage * kPage;
    if (first >= last) {
        memset(memory, 0, bytes);
        return;
    }
    memset(memory, 0, first - begin);
    madvise((void*)first, last - first, MADV_DONTNEED);
    memset((void*)last, 0, begin + bytes - last);
}

std::string text(uint64_t number) { return std::to_string(number); }

}  // namespace

DeviceMemory& DeviceMemory::instance() {
    static DeviceMemory& memory = *new DeviceMemory;
    return memory;
}

DeviceMemory::DeviceMemory() {
    base_ = (uint64_t)reserve(kRangeBytes);
    written_ = (uint8_t*)reserve(kRangeBytes);
    tags_ = (RaceTags*)reserve(kRangeBytes * sizeof(RaceTags));
    const uint64_t border = base_ + kSmallAreaBytes;
    small_ = {base_ + kRedZoneBytes, border, base_ + kRedZoneBytes};
    large_ = {border, base_ + kRangeBytes, border};
}

bool DeviceMemory::is_free(uint64_t address, size_t bytes) const {
    auto after = live_.lower_bound(address);
    if (after != live_.end() && address + bytes + kRedZoneBytes > after->first) {
        return false;
    }
    return after == live_.begin() || [&] {
        const Allocation& before = std::prev(after)->second;
        return before.address + before.bytes + kRedZoneBytes <= address;
    }();
}

// Returns the address of free memory, or 0.
uint64_t DeviceMemory::find_room(Area& area, size_t bytes) const {
    const size_t room = (bytes + kRedZoneBytes + kAlignment - 1) / kAlignment * kAlignment;
    for (int round = 0; round < 2; ++round) {
        while (area.next + room < area.end) {
            const uint64_t candidate = area.next;
            area.next += room;
            if (is_free(candidate, bytes)) {
                return candidate;
            }
        }
        area.next = area.begin;
    }
    return 0;
}

Result DeviceMemory::allocate(int device, size_t bytes, bool is_pooled, uint64_t* address) {
    if (bytes == 0) {
        return misuse(kInvalidValue, "an allocation has 0 bytes");
    }
    const size_t free = Devices::instance().total_bytes(device) - of_[device].used;
    if (bytes > free) {
        return misuse(kOutOfMemory, text(bytes) + " bytes were asked for and " + text(free) + " are free");
    }
    uint64_t place = bytes <= kSmallBytes ? find_room(small_, bytes) : 0;
    place = place != 0 ? place : find_room(large_, bytes);
    if (place == 0) {
        return misuse(kOutOfMemory, "there is no room between the other allocations");
    }
    live_[place] = {place, bytes, ++count_, false, device, is_pooled, next_epoch()};
    freed_.erase(freed_.lower_bound(place), freed_.lower_bound(place + bytes));
    of_[device].used += bytes;
    if (!is_pooled) {
        arrive(place);
    }
    latest_ = nullptr;
    *address = place;
    return kSuccess;
}

void DeviceMemory::arrive(uint64_t address) {
    const auto found = live_.find(address);
    if (found != live_.end()) {
        found->second.arrived = true;
        Bytes& of = of_[found->second.device];
        of.arrived += found->second.bytes;
        of.peak = std::max(of.peak, of.arrived);
    }
}

Result DeviceMemory::release(uint64_t address, const char* call) {
    const auto found = live_.find(address);
    if (found == live_.end()) {
        const bool again = freed_.count(address) != 0;
        return misuse(
            kInvalidValue,
            std::string(call) + (again ? ": freed twice: " : ": no allocation begins there: ") + describe(address));
    }
    forget_contents(found->second);
    Bytes& of = of_[found->second.device];
    of.used -= found->second.bytes;
    of.arrived -= found->second.arrived ? found->second.bytes : 0;
    freed_[address] = found->second;
    live_.erase(found);
    latest_ = nullptr;
    return kSuccess;
}

void DeviceMemory::forget_contents(const Allocation& allocation) {
    if (allocation.address < small_.end) {
        memset((void*)allocation.address, 0, allocation.bytes);
        memset(written(allocation.address), 0, allocation.bytes);
        return;
    }
    clear((void*)allocation.address, allocation.bytes);
    clear(written(allocation.address), allocation.bytes);
    const size_t begin = offset(allocation.address) / kTagGroup * kTagGroup;
    const size_t end = tag_count(offset(allocation.address) + allocation.bytes);
    clear(tags_ + begin, (end - begin) * sizeof(RaceTags));
}

const Allocation* DeviceMemory::find(uint64_t address) const {
    if (latest_ != nullptr && address - latest_->address < latest_->bytes) {
        return latest_;
    }
    auto after = live_.upper_bound(address);
    if (after == live_.begin()) {
        return nullptr;
    }
    const Allocation& before = std::prev(after)->second;
    if (address - before.address >= before.bytes) {
        return nullptr;
    }
    latest_ = &before;
    return latest_;
}

Result DeviceMemory::require_allocated(uint64_t address, size_t bytes, const char* call) const {
    if (bytes == 0) {
        return kSuccess;
    }
    const Allocation* allocation = find(address);
    if (allocation == nullptr || address + bytes > allocation->address + allocation->bytes) {
        return misuse(
            kInvalidValue,
            std::string(call) + " of " + text(bytes) + " bytes reaches beyond device memory that is allocated: "
                + describe(allocation == nullptr ? address : address + bytes - 1));
    }
    return kSuccess;
}

uint64_t DeviceMemory::first_forbidden(uint64_t address, size_t bytes) const {
    const uint8_t* begin = written(address);
    const void* forbidden = bytes == 0 ? nullptr : memchr(begin, kForbidden, bytes);
    return forbidden == nullptr ? 0 : address + (uint64_t)((const uint8_t*)forbidden - begin);
}

void DeviceMemory::forbid(uint64_t address, size_t bytes) const { memset(written(address), kForbidden, bytes); }

void DeviceMemory::permit(uint64_t address, size_t bytes) const { memset(written(address), 0, bytes); }

void DeviceMemory::mark_written(uint64_t address, size_t bytes) const {
    uint8_t* marks = written(address);
    for (size_t i = 0; i < bytes; ++i) {
        marks[i] = marks[i] == kForbidden ? kForbidden : 1;
    }
}

std::string DeviceMemory::describe(uint64_t address) const {
    const auto name = [](const Allocation& allocation) {
        return "allocation " + text(allocation.number) + " of " + text(allocation.bytes) + " bytes"
            + (Devices::instance().count() == 1 ? "" : " on " + name_of_device(allocation.device));
    };
    const Allocation* inside = find(address);
    if (inside != nullptr) {
        return name(*inside) + ", offset " + text(address - inside->address);
    }
    if (!in_range(address)) {
        char digits[32];
        snprintf(digits, sizeof(digits), "address 0x%llx", (unsigned long long)address);
        return std::string(digits) + ", which is no device memory";
    }
    auto freed = freed_.upper_bound(address);
    if (freed != freed_.begin()) {
        const Allocation& before = std::prev(freed)->second;
        if (address - before.address < before.bytes) {
            return name(before) + ", offset " + text(address - before.address) + ", which has been freed";
        }
    }
    auto after = live_.upper_bound(address);
    if (after != live_.begin()) {
        const Allocation& before = std::prev(after)->second;
        const uint64_t past = address - before.address - before.bytes;
        if (past < kRedZoneBytes) {
            return text(past) + " bytes past the end of " + name(before);
        }
    }
    if (after != live_.end() && after->first - address <= kRedZoneBytes) {
        return text(after->first - address) + " bytes before " + name(after->second);
    }
    return "device memory that is not allocated";
}

}  // namespace emulator
