#include "engine/access.h"

#include <cstring>

#include "engine/block.h"
#include "engine/device_memory.h"
#include "engine/fault.h"
#include "engine/module.h"
#include "engine/pinned_memory.h"
#include "engine/work_order.h"

namespace emulator {
namespace {

const char* verb(Access access) {
    return access == Access::kRead ? "reads" : access == Access::kWrite ? "writes" : "updates atomically";
}

std::string sized(Access access, size_t bytes) {
    return std::string(verb(access)) + " " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

// Checks an access to memory that is neither shared nor device memory. It is wild (to another thread's stack, a null
// pointer or host memory) unless it is to the library's own data or to pinned memory.
void check_elsewhere(Block& block, Access access, const void* address, size_t bytes, const void* at) {
    if (!block.launch().module->contains(address) && !PinnedMemory::instance().contains(address, bytes)) {
        block.fail(
            kIllegalAddress, sized(access, bytes) + " at " + DeviceMemory::instance().describe((uint64_t)address), at);
    }
}

template <typename Where>
void check_written(Block& block, Access access, uint8_t* written, size_t bytes, const Where& where, const void* at) {
    // Only the first byte is checked, since others may be padding of a struct, which is never written.
    if ((access == Access::kRead || access == Access::kAtomic) && *written == 0) {
        block.fail(kLaunchFailed, sized(access, bytes) + " of " + where() + ", which nothing has written", at);
    }
    if (access != Access::kRead) {
        memset(written, 1, bytes);
    }
}

template <typename Where>
[[noreturn]] void fail_beside(
    Block& block, Access access, const PastWork& other, const char* other_verb, size_t bytes, const Where& where,
    const void* at) {
    block.fail(
        kLaunchFailed,
        "race: " + sized(access, bytes) + " of " + where() + ", which " + other.name + " on "
            + name_of_device(other.device) + " " + other_verb + " with no stream, event or wait that orders the two",
        at);
}

// Checks that a kernel touches nothing that a kernel of another GPU has touched, unless something orders the two.
// Atomics count, too, as those of two GPUs do not see each other. Kernels of one GPU are not compared, since two of
// them may write the same number to the same place.
template <typename Where>
void check_other_work(
    Block& block, Access access, const Allocation& allocation, const RaceTag& tag, const char* other_verb, size_t bytes,
    const Where& where, const void* at) {
    const PastWork* other = tag.epoch < allocation.first_epoch ? nullptr : WorkOrder::instance().beside(tag.epoch);
    if (other != nullptr && other->device != block.launch().device) {
        fail_beside(block, access, *other, other_verb, bytes, where, at);
    }
}

// Checks for races. `allocation` is null for shared memory.
template <typename Where>
void check_races(
    Block& block, Access access, RaceTags* tags, size_t offset, size_t bytes, const Allocation* allocation,
    const Where& where, const void* at) {
    const Thread& thread = block.running();
    const uint64_t epoch = block.epoch();
    const bool writes = access != Access::kRead;
    const bool atomic = access == Access::kAtomic || access == Access::kAtomicWrite;
    // If blocks run one after another, an earlier epoch of this launch belongs to another block.
    const bool by_blocks = allocation != nullptr && !block.launch().in_turns;
    // Most memory was last touched before that, and so needs no comparison.
    const uint64_t oldest = by_blocks ? block.launch().first_epoch : epoch;
    const auto of_other_block = [&](const RaceTag& tag) {
        return by_blocks && tag.epoch >= block.launch().first_epoch && tag.epoch < block.first_epoch();
    };
    const auto conflicts = [&](const RaceTag& tag) {
        return !(atomic && tag.atomic)
            && (of_other_block(tag) || unordered(tag, epoch, thread.index, thread.warp_epoch & 0xfff));
    };
    // A tag for every four bytes, counted from the begin of the access, is enough to tell neighbouring elements apart.
    for (size_t i = 0; i < bytes; i += 4) {
        RaceTags& tag = tags[tag_place(offset + i)];
        const bool with_write = tag.write.epoch >= oldest && conflicts(tag.write);
        if (with_write || (writes && tag.read.epoch >= oldest && conflicts(tag.read))) {
            const RaceTag& other = with_write ? tag.write : tag.read;
            const std::string who = of_other_block(other) ? "another block"
                : other.many_lanes || other.many_warps    ? "several threads"
                                                          : "thread " + std::to_string(other.thread);
            block.fail(
                kLaunchFailed,
                "race: " + sized(access, bytes) + " of " + where() + ", which " + who
                    + (with_write ? " has written" : " has read") + " with no barrier between",
                at);
        }
        if (allocation != nullptr && block.launch().is_beside_others) {
            check_other_work(block, access, *allocation, tag.write, "has written", bytes, where, at);
            if (writes) {
                check_other_work(block, access, *allocation, tag.read, "has read", bytes, where, at);
            }
        }
        if (writes) {
            tag.write = {epoch, thread.warp_epoch, thread.index, atomic, 0, 0, 0};
        } else {
            tag.read = joined(tag.read, epoch, thread.index, thread.warp_epoch & 0xfff);
        }
    }
}

// Finds the allocation that has all bytes of an access, and checks that the running kernel may use it. Neither changes
// while a kernel runs, so recently used allocations are remembered.
template <typename Where>
const Allocation* check_allocation(
    Block& block, Access access, uint64_t address, size_t bytes, const Where& where, const void* at) {
    struct Known {
        uint64_t launch;  // its first epoch
        const Allocation* allocation;
    };
    static Known all_known[64];
    Known& known = all_known[address / 4096 % 64];
    if (known.launch == block.launch().first_epoch && address >= known.allocation->address
        && address + bytes <= known.allocation->address + known.allocation->bytes) {
        return known.allocation;
    }
    const DeviceMemory& memory = DeviceMemory::instance();
    const Allocation* allocation = memory.find(address);
    if (allocation == nullptr || address + bytes > allocation->address + allocation->bytes) {
        block.fail(kIllegalAddress, sized(access, bytes) + " beyond " + where(), at);
    }
    if (!allocation->arrived) {
        block.fail(kIllegalAddress, sized(access, bytes) + " of " + where() + kNotArrived, at);
    }
    if (!Devices::instance().may_use(block.launch().device, *allocation)) {
        block.fail(
            kIllegalAddress,
            sized(access, bytes) + " of " + where() + ", which the context of " + name_of_device(block.launch().device)
                + " has no peer access to",
            at);
    }
    known = {block.launch().first_epoch, allocation};
    return allocation;
}

}  // namespace

void check_access(Access access, const void* address, size_t bytes, const void* at) {
    Block& block = *Block::current;
    SharedMemory& shared = block.shared();
    const SharedRegion& region = shared.region;
    const size_t offset = (size_t)((const char*)address - region.base);
    if (offset < region.bytes) {
        const size_t dynamic = offset - region.dynamic_offset;
        const auto where = [&] {
            return dynamic < region.dynamic_room ? "dynamic shared memory, offset " + std::to_string(dynamic)
                                                 : "static shared memory, offset " + std::to_string(offset);
        };
        if (dynamic < region.dynamic_room && dynamic + bytes > block.launch().shared_bytes) {
            block.fail(
                kIllegalAddress,
                sized(access, bytes) + " of " + where() + ", beyond the " + std::to_string(block.launch().shared_bytes)
                    + " bytes of this launch",
                at);
        }
        check_written(block, access, &shared.written[offset], bytes, where, at);
        check_races(block, access, shared.tags.data(), offset, bytes, nullptr, where, at);
        return;
    }
    const DeviceMemory& memory = DeviceMemory::instance();
    const uint64_t device_address = (uint64_t)address;
    if (!memory.in_range(device_address)) {
        check_elsewhere(block, access, address, bytes, at);
        return;
    }
    const auto where = [&] { return "device memory: " + memory.describe(device_address); };
    RaceTags* tags = memory.tags();
    const size_t memory_offset = memory.offset(device_address);
    // The tags are rarely in a cache, so they are fetched during the other checks.
    __builtin_prefetch(&tags[tag_place(memory_offset)], 1);
    const Allocation* allocation = check_allocation(block, access, device_address, bytes, where, at);
    // Forbidden pieces are larger than any access, so checking the first and the last byte is enough.
    if (memory.is_forbidden(device_address) || memory.is_forbidden(device_address + bytes - 1)) {
        block.fail(kIllegalAddress, sized(access, bytes) + " of " + where() + ", which is forbidden", at);
    }
    if ((device_address & ((bytes > 8 ? 8 : bytes) - 1)) != 0 && (bytes & (bytes - 1)) == 0) {
        block.fail(kMisalignedAddress, sized(access, bytes) + " at a misaligned address of " + where(), at);
    }
    check_written(block, access, memory.written(device_address), bytes, where, at);
    if (block.launch().is_beside_others) {
        const bool writes = access != Access::kRead;
        const PastWork* other = WorkOrder::instance().beside(device_address, device_address + bytes, writes);
        if (other != nullptr) {
            fail_beside(block, access, *other, "uses", bytes, where, at);
        }
    }
    check_races(block, access, tags, memory_offset, bytes, allocation, where, at);
}

}  // namespace emulator
