#include "access.h"

#include <cstring>

#include "block.h"
#include "device_memory.h"
#include "fault.h"
#include "module.h"

namespace emulator {
namespace {

const char* verb(Access access) {
    return access == Access::kRead ? "reads" : access == Access::kWrite ? "writes" : "updates atomically";
}

std::string sized(Access access, size_t bytes) {
    return std::string(verb(access)) + " " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

// What runs at every access is kept apart from what makes a message of a fault.
#define EMULATOR_COLD [[noreturn, gnu::cold, gnu::noinline]]

// Memory that threads share, and where an access to it lies, for messages.
struct Place {
    const Block& block;
    uint64_t address;
    bool is_device;

    std::string text() const {
        if (is_device) {
            return "device memory: " + DeviceMemory::instance().describe(address);
        }
        const SharedRegion& region = block.shared().region;
        const size_t offset = address - (uint64_t)region.base;
        const size_t dynamic = offset - region.dynamic_offset;
        return dynamic < region.dynamic_room
            ? "dynamic shared memory, offset " + std::to_string(dynamic)
            : "static shared memory, offset " + std::to_string(offset);
    }
};

// An access to another thread's stack, to a null pointer, to host memory: all are wild.
EMULATOR_COLD void fail_elsewhere(Block& block, Access access, const void* address, size_t bytes, const void* at) {
    block.fail(
        kIllegalAddress, sized(access, bytes) + " at " + DeviceMemory::instance().describe((uint64_t)address), at);
}

EMULATOR_COLD void fail_beyond_launch(Block& block, Access access, const Place& place, size_t bytes, const void* at) {
    block.fail(
        kIllegalAddress,
        sized(access, bytes) + " of " + place.text() + ", beyond the " + std::to_string(block.launch().shared_bytes)
            + " bytes of this launch",
        at);
}

EMULATOR_COLD void fail_beyond(Block& block, Access access, const Place& place, size_t bytes, const void* at) {
    block.fail(kIllegalAddress, sized(access, bytes) + " beyond " + place.text(), at);
}

EMULATOR_COLD void fail_misaligned(Block& block, Access access, const Place& place, size_t bytes, const void* at) {
    block.fail(716, sized(access, bytes) + " at a misaligned address of " + place.text(), at);
}

EMULATOR_COLD void fail_unwritten(Block& block, Access access, const Place& place, size_t bytes, const void* at) {
    block.fail(kLaunchFailed, sized(access, bytes) + " that nothing has written, of " + place.text(), at);
}

void check_written(Block& block, Access access, uint8_t* written, size_t bytes, const Place& place, const void* at) {
    // The first byte stands for all: what lies beside it in a struct may be padding, which nobody writes.
    if ((access == Access::kRead || access == Access::kAtomic) && *written == 0) {
        fail_unwritten(block, access, place, bytes, at);
    }
    if (access != Access::kRead) {
        memset(written, 1, bytes);
    }
}

// Which accesses of others to the same memory no barrier orders before one of the running thread.
class Races {
  public:
    Races(const Block& block, bool is_device)
        : block_(block),
          thread_(block.running()),
          epoch_(block.epoch()),
          by_blocks_(is_device && !block.launch().cooperative),
          oldest_(by_blocks_ ? block.launch().first_epoch : epoch_) {}

    // Blocks of a launch that may not wait for each other run one after the other: an earlier epoch of this launch is
    // another block's.
    bool of_other_block(const RaceTag& tag) const {
        return by_blocks_ && tag.epoch >= oldest_ && tag.epoch < block_.first_epoch();
    }

    bool conflicts(const RaceTag& tag, bool atomic) const {
        // Most were before this launch, or before the latest barrier.
        return tag.epoch >= oldest_ && !(atomic && tag.atomic)
            && (of_other_block(tag) || unordered(tag, epoch_, thread_.index, thread_.warp_epoch & 0xfff));
    }

    RaceTag tag(bool atomic) const { return {epoch_, thread_.warp_epoch, thread_.index, atomic, 0, 0, 0}; }

    RaceTag joined_to(const RaceTag& readers) const {
        return joined(readers, epoch_, thread_.index, thread_.warp_epoch & 0xfff);
    }

  private:
    const Block& block_;
    const Thread& thread_;
    uint64_t epoch_;
    bool by_blocks_;
    uint64_t oldest_;
};

EMULATOR_COLD void fail_race(
    Block& block, Access access, const Races& races, const RaceTag& other, bool has_written, const Place& place,
    size_t bytes, const void* at) {
    const std::string who = races.of_other_block(other) ? "another block" : other.many_lanes || other.many_warps
        ? "several threads"
        : "thread " + std::to_string(other.thread);
    block.fail(
        kLaunchFailed,
        "race: " + sized(access, bytes) + " of " + place.text() + ", which " + who
            + (has_written ? " has written" : " has read") + " with no barrier between",
        at);
}

void check_races(Block& block, Access access, RaceTags* tags, size_t bytes, const Place& place, const void* at) {
    const Races races(block, place.is_device);
    const bool writes = access != Access::kRead;
    const bool atomic = access == Access::kAtomic || access == Access::kAtomicWrite;
    // Elements start where elements start, so a tag every four bytes is enough to tell neighbours apart.
    for (size_t i = 0; i < bytes; i += 4) {
        RaceTags& tag = tags[i];
        if (races.conflicts(tag.write, atomic)) {
            fail_race(block, access, races, tag.write, true, place, bytes, at);
        }
        if (!writes) {
            tag.read = races.joined_to(tag.read);
            continue;
        }
        if (races.conflicts(tag.read, atomic)) {
            fail_race(block, access, races, tag.read, false, place, bytes, at);
        }
        tag.write = races.tag(atomic);
    }
}

}  // namespace

void check_access(Access access, const void* address, size_t bytes, const void* at) {
    Block& block = *Block::current;
    SharedMemory& shared = block.shared();
    const SharedRegion& region = shared.region;
    const size_t offset = (size_t)((const char*)address - region.base);
    const uint64_t device_address = (uint64_t)address;
    if (offset < region.bytes) {
        const Place place = {block, device_address, false};
        const size_t dynamic = offset - region.dynamic_offset;
        if (dynamic < region.dynamic_room && dynamic + bytes > block.launch().shared_bytes) {
            fail_beyond_launch(block, access, place, bytes, at);
        }
        check_written(block, access, &shared.written[offset], bytes, place, at);
        check_races(block, access, &shared.tags[offset], bytes, place, at);
        return;
    }
    const DeviceMemory& memory = DeviceMemory::instance();
    if (!memory.in_range(device_address)) {
        // The library's own data, which the hooks do not ask about.
        if (!block.launch().module->contains(address)) {
            fail_elsewhere(block, access, address, bytes, at);
        }
        return;
    }
    const Place place = {block, device_address, true};
    const Allocation* allocation = memory.find(device_address);
    if (allocation == nullptr || device_address + bytes > allocation->address + allocation->bytes) {
        fail_beyond(block, access, place, bytes, at);
    }
    if (device_address % (bytes > 8 ? 8 : bytes) != 0 && (bytes & (bytes - 1)) == 0) {
        fail_misaligned(block, access, place, bytes, at);
    }
    check_written(block, access, memory.written(device_address), bytes, place, at);
    check_races(block, access, memory.tags(device_address), bytes, place, at);
}

}  // namespace emulator
