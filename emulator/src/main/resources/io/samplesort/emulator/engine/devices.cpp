#include "engine/devices.h"

#include <algorithm>
#include <vector>

#include "engine/device_memory.h"
#include "engine/settings.h"

namespace emulator {

Devices& Devices::instance() {
    static Devices& devices = *new Devices;
    return devices;
}

Devices::Devices() {
    const std::vector<size_t> bytes((size_t)std::clamp(device_count(), 1, kMost), 2ull << 30);
    set((int)bytes.size(), bytes.data());
}

void Devices::set(int count, const size_t* total_bytes) {
    count_ = count;
    for (int i = 0; i < kMost; ++i) {
        total_bytes_[i] = i < count ? total_bytes[i] : 0;
        for (int j = 0; j < kMost; ++j) {
            reachable_[i][j] = i != j;
            sees_context_[i][j] = false;
            sees_pool_[i][j] = false;
        }
    }
}

void Devices::forget_context(int device) {
    for (int other = 0; other < kMost; ++other) {
        sees_context_[device][other] = false;
        sees_context_[other][device] = false;
    }
}

bool Devices::may_use(int device, const Allocation& allocation) const {
    return device == allocation.device
        || (allocation.is_pooled ? sees_pool_[device][allocation.device] : sees_context_[device][allocation.device]);
}

}  // namespace emulator
