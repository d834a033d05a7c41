// The memory of the emulated GPUs: a range of addresses that the host does not use, and that all GPUs share. No
// allocation is adjacent to another, and no address is used again before all others of its area have been used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "engine/devices.h"
#include "engine/fault.h"
#include "engine/race_tag.h"

namespace emulator {

struct Allocation {
    uint64_t address;
    size_t bytes;
    uint64_t number;  // in order of allocation
    bool arrived;     // false until the stream of cuMemAllocAsync has reached it
    int device;
    bool is_pooled;        // by cuMemAllocAsync
    uint64_t first_epoch;  // older tags belong to earlier allocations at this place
};

// The text of faults about memory that is used too early.
constexpr char kNotArrived[] = ", which the stream of its allocation has not come to";

class DeviceMemory {
  public:
    static DeviceMemory& instance();

    // Memory from the pool can be used once it arrives, other memory at once.
    Result allocate(int device, size_t bytes, bool is_pooled, uint64_t* address);
    // Permits the use of an allocation from now on.
    void arrive(uint64_t address);
    Result release(uint64_t address, const char* call);

    // kSuccess if all of the range lies in one allocation; otherwise records a misuse by `call`.
    Result require_allocated(uint64_t address, size_t bytes, const char* call) const;

    // Forbids kernels and copies to touch a range until it is permitted or its allocation is freed.
    void forbid(uint64_t address, size_t bytes) const;
    // Permits access to a range again; this writes nothing there.
    void permit(uint64_t address, size_t bytes) const;
    bool is_forbidden(uint64_t address) const { return *written(address) == kForbidden; }
    // The first forbidden address of a range; 0 if there is none.
    uint64_t first_forbidden(uint64_t address, size_t bytes) const;
    // Notes that all of a range, except its forbidden bytes, is written.
    void mark_written(uint64_t address, size_t bytes) const;

    bool in_range(uint64_t address) const { return address - base_ < kRangeBytes; }
    // The allocation in which `address` lies; null if there is none, or it has been freed.
    const Allocation* find(uint64_t address) const;
    // Says for messages in which allocation an address lies, or near which.
    std::string describe(uint64_t address) const;

    // One byte for each byte of memory: 0 until the memory has been written, then 1, or kForbidden if no access is
    // allowed.
    uint8_t* written(uint64_t address) const { return written_ + (address - base_); }
    // The tags of an address lie at the tag_place of its offset.
    RaceTags* tags() const { return tags_; }
    size_t offset(uint64_t address) const { return address - base_; }

    size_t used_bytes(int device) const { return of_[device].used; }
    // The most bytes that a GPU had at once, in the order of the streams, since the last call.
    size_t take_peak(int device) { return std::exchange(of_[device].peak, of_[device].arrived); }
    const std::map<uint64_t, Allocation>& allocations() const { return live_; }

  private:
    static constexpr size_t kRangeBytes = 16ull << 30;
    static constexpr size_t kAlignment = 256;
    static constexpr size_t kRedZoneBytes = 4096;
    static_assert(kRedZoneBytes >= 2 * kTagGroup, "the groups of tags of an allocation are no other's");
    static constexpr uint8_t kForbidden = 2;

    // Small allocations lie in an area of their own, whose pages stay with the process: getting a page from the system
    // takes more time than clearing it.
    static constexpr size_t kSmallAreaBytes = 32 << 20;
    static constexpr size_t kSmallBytes = 1 << 20;

    struct Area {
        uint64_t begin;
        uint64_t end;
        uint64_t next;
    };

    DeviceMemory();
    uint64_t find_room(Area& area, size_t bytes) const;
    bool is_free(uint64_t address, size_t bytes) const;
    void forget_contents(const Allocation& allocation);

    uint64_t base_;
    Area small_;
    Area large_;
    uint8_t* written_;
    RaceTags* tags_;
    struct Bytes {
        size_t used = 0;
        size_t arrived = 0;
        size_t peak = 0;
    };
    Bytes of_[Devices::kMost];
    uint64_t count_ = 0;
    std::map<uint64_t, Allocation> live_;
    std::map<uint64_t, Allocation> freed_;
    mutable const Allocation* latest_ = nullptr;
};

}  // namespace emulator
