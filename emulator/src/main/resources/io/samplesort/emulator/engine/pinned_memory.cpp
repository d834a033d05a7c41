#include "engine/pinned_memory.h"

#include <iterator>

namespace emulator {
namespace {

bool is_in(const std::map<void*, size_t>& pieces, const void* host, size_t bytes) {
    auto after = pieces.upper_bound((void*)host);
    if (after == pieces.begin()) {
        return false;
    }
    const auto& before = *std::prev(after);
    return (char*)host + bytes <= (char*)before.first + before.second;
}

}  // namespace

PinnedMemory& PinnedMemory::instance() {
    static PinnedMemory& memory = *new PinnedMemory;
    return memory;
}

bool PinnedMemory::contains(const void* host, size_t bytes) const {
    return is_in(allocated, host, bytes) || is_in(registered, host, bytes);
}

}  // namespace emulator
