#include "engine/work_order.h"

#include <algorithm>

#include "engine/block.h"
#include "engine/device_memory.h"

namespace emulator {
namespace {

// Work older than this counts as ended. No program has that much at once.
constexpr size_t kMostPastWork = 512;

uint64_t time_in(const Clock& clock, uint64_t stream) {
    const auto found = clock.find(stream);
    return found == clock.end() ? 0 : found->second;
}

}  // namespace

WorkOrder& WorkOrder::instance() {
    static WorkOrder& order = *new WorkOrder;
    return order;
}

void WorkOrder::join(Clock& clock, const Clock& other) {
    for (const auto& [stream, time] : other) {
        uint64_t& mine = clock[stream];
        mine = std::max(mine, time);
    }
}

void WorkOrder::forget_stream(uint64_t stream) {
    host_.erase(stream);
    streams_.erase(stream);
    for (auto& [other, clock] : streams_) {
        clock.erase(stream);
    }
    past_.erase(
        std::remove_if(past_.begin(), past_.end(), [&](const PastWork& work) { return work.stream == stream; }),
        past_.end());
}

void WorkOrder::forget_everything() {
    host_.clear();
    streams_.clear();
    past_.clear();
}

void WorkOrder::begin(uint64_t stream, int device, const Clock& enqueued) {
    Clock& clock = streams_[stream];
    join(clock, enqueued);
    running_ = {stream, ++clock[stream], device, next_epoch(), 0, "", {}};
    beside_.clear();
    for (const PastWork& work : past_) {
        if (time_in(clock, work.stream) < work.time) {
            beside_.push_back(&work);
        }
    }
}

void WorkOrder::end(bool is_everything_done) {
    beside_.clear();
    running_.last_epoch = next_epoch();
    // Work without a name touches no memory.
    if (!running_.name.empty()) {
        past_.push_back(running_);
    }
    if (is_everything_done) {
        // All further work is enqueued after the work that the host has waited for.
        past_.erase(
            std::remove_if(
                past_.begin(), past_.end(),
                [&](const PastWork& work) { return work.time <= time_in(host_, work.stream); }),
            past_.end());
    }
    while (past_.size() > kMostPastWork) {
        past_.pop_front();
    }
}

const PastWork* WorkOrder::beside(uint64_t epoch) const {
    for (const PastWork* work : beside_) {
        if (epoch >= work->first_epoch && epoch <= work->last_epoch) {
            return work;
        }
    }
    return nullptr;
}

const PastWork* WorkOrder::beside(uint64_t begin, uint64_t end, bool writes) const {
    for (const PastWork* work : beside_) {
        for (const TouchedRange& range : work->ranges) {
            if ((writes || range.written) && begin < range.end && range.begin < end) {
                return work;
            }
        }
    }
    return nullptr;
}

const PastWork* WorkOrder::touch(uint64_t begin, size_t bytes, bool writes) {
    running_.ranges.push_back({begin, begin + bytes, writes});
    if (beside_.empty()) {
        return nullptr;
    }
    const PastWork* other = beside(begin, begin + bytes, writes);
    const DeviceMemory& memory = DeviceMemory::instance();
    const Allocation* allocation = memory.find(begin);
    const uint64_t oldest = allocation == nullptr ? 0 : allocation->first_epoch;
    for (size_t i = 0; i < bytes && other == nullptr; ++i) {
        const RaceTags& tag = memory.tags()[tag_place(memory.offset(begin + i))];
        other = tag.write.epoch < oldest ? nullptr : beside(tag.write.epoch);
        if (other == nullptr && writes && tag.read.epoch >= oldest) {
            other = beside(tag.read.epoch);
        }
    }
    return other;
}

}  // namespace emulator
