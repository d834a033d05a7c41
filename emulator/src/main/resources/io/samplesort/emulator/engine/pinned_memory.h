// Host memory that the emulated device can reach as well.
#pragma once

#include <cstddef>
#include <map>

namespace emulator {

struct PinnedMemory {
    std::map<void*, size_t> allocated;   // by cuMemHostAlloc
    std::map<void*, size_t> registered;  // the user's own, by cuMemHostRegister

    static PinnedMemory& instance();

    // Whether one piece of pinned memory contains all of the range.
    bool contains(const void* host, size_t bytes) const;
};

}  // namespace emulator
