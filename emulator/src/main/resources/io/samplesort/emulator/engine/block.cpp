#include "engine/block.h"

#include <cstring>

#include "engine/fault.h"
#include "engine/module.h"
#include "engine/warp.h"

namespace emulator {
namespace {

const char* name_of(Barrier kind) {
    switch (kind) {
        case Barrier::kPlain: return "__syncthreads";
        case Barrier::kAnd: return "__syncthreads_and";
        case Barrier::kOr: return "__syncthreads_or";
        case Barrier::kCount: return "__syncthreads_count";
    }
    return "";
}

std::string hexadecimal(unsigned value) {
    char digits[16];
    snprintf(digits, sizeof(digits), "0x%08x", value);
    return digits;
}

constexpr unsigned char kPoison = 0xcd;

// On average, blocks that take turns come past this many barriers in a turn.
constexpr uint32_t kBarriersATurn = 4;

}  // namespace

Block* Block::current = nullptr;

uint64_t next_epoch() {
    static uint64_t epoch = 0;
    return ++epoch;
}

void Block::start(const Launch& launch, Index3 index) {
    launch_ = &launch;
    index_ = index;
    thread_count_ = launch.block.x * launch.block.y * launch.block.z;
    returned_ = 0;
    ready_.clear();
    epoch_ = first_epoch_ = next_epoch();
    shared_.region = launch.shared;
    shared_.written.resize(launch.shared.bytes);
    shared_.tags.resize(tag_count(launch.shared.bytes));
    // Static memory lies beside variables of g++'s own, so its contents are left alone, but it counts as not written.
    memset(launch.shared.base + launch.shared.dynamic_offset, kPoison, launch.shared_bytes);
    launch.shared.for_each_used(launch.shared_bytes, [&](size_t offset, size_t bytes) {
        memset(shared_.written.data() + offset, 0, bytes);
    });
    while (threads_.size() < thread_count_) {
        threads_.push_back(std::make_unique<Thread>());
    }
    memset(waiting_lanes_, 0, sizeof(waiting_lanes_));
    memset(absent_lanes_, 0xff, sizeof(absent_lanes_));
    for (uint32_t i = 0; i < thread_count_; ++i) {
        Thread& thread = *threads_[i];
        thread.index = i;
        absent_lanes_[i / kWarpSize] &= ~(1u << i % kWarpSize);
        thread.warp_epoch = 0;
        const Index3 in_block = {
            i % launch.block.x, i / launch.block.x % launch.block.y, i / (launch.block.x * launch.block.y)};
        thread.view() = {in_block, index, launch.block, launch.grid, thread.fiber.stack(), Fiber::kStackBytes};
        thread.fiber.start(thread_main, &thread);
        make_ready(thread);
    }
}

void Block::thread_main(void*) {
    Block& block = *current;
    Thread& thread = *block.running_;
    block.launch_->kernel->call(block.launch_->parameters);
    thread.state = ThreadState::kReturned;
    ++block.returned_;
    block.absent_lanes_[thread.index / kWarpSize] |= 1u << thread.index % kWarpSize;
    thread.fiber.suspend();
}

void Block::make_ready(Thread& thread) {
    thread.state = ThreadState::kReady;
    ready_.push_back(&thread);
}

Block::Status Block::run(Random& random) {
    current = this;
    for (uint32_t i = 0; i < thread_count_; ++i) {
        if (threads_[i]->state == ThreadState::kSpinning) {
            make_ready(*threads_[i]);
        }
    }
    const ThreadView** view = launch_->module->table->current;
    while (true) {
        while (!ready_.empty()) {
            const uint32_t chosen = random.below((uint32_t)ready_.size());
            running_ = ready_[chosen];
            ready_[chosen] = ready_.back();
            ready_.pop_back();
            *view = &running_->view();
            running_->fiber.resume();
            if (device_state() != kSuccess) {
                return Status::kFailed;
            }
        }
        if (returned_ == thread_count_) {
            return Status::kFinished;
        }
        bool spinning = false;
        for (uint32_t i = 0; i < thread_count_; ++i) {
            spinning |= threads_[i]->state == ThreadState::kSpinning;
        }
        if (spinning) {
            return Status::kSpinning;
        }
        if (!release_barrier()) {
            report_deadlock();
            return Status::kFailed;
        }
        if (launch_->in_turns && random.below(kBarriersATurn) == 0) {
            return Status::kInterrupted;
        }
    }
}

int Block::wait_at_barrier(Barrier kind, int predicate, const void* at) {
    Thread& thread = *running_;
    thread.state = ThreadState::kAtBarrier;
    thread.barrier = kind;
    thread.predicate = predicate != 0;
    thread.at = at;
    thread.fiber.suspend();
    return thread.predicate;
}

// If all threads are at the same barrier, gives them its result and lets them go on.
bool Block::release_barrier() {
    int count = 0;
    for (uint32_t i = 0; i < thread_count_; ++i) {
        if (threads_[i]->state != ThreadState::kAtBarrier || threads_[i]->barrier != threads_[0]->barrier) {
            return false;
        }
        count += threads_[i]->predicate;
    }
    for (uint32_t i = 0; i < thread_count_; ++i) {
        Thread& thread = *threads_[i];
        switch (thread.barrier) {
            case Barrier::kPlain: thread.predicate = 0; break;
            case Barrier::kAnd: thread.predicate = count == (int)thread_count_; break;
            case Barrier::kOr: thread.predicate = count != 0; break;
            case Barrier::kCount: thread.predicate = count; break;
        }
        thread.warp_epoch = 0;
        make_ready(thread);
    }
    epoch_ = next_epoch();
    return true;
}

Thread* Block::lane(uint32_t warp, uint32_t lane) const {
    const uint32_t index = warp * kWarpSize + lane;
    return index < thread_count_ ? threads_[index].get() : nullptr;
}

void Block::fail_in_warp(const std::string& what) {
    fail(
        kLaunchFailed,
        std::string(name_of(running_->operation)) + " with mask " + hexadecimal(running_->mask) + what, running_->at);
}

uint64_t Block::wait_in_warp(
    WarpOperation operation, unsigned mask, uint64_t value, int lane_argument, int width, const void* at) {
    Thread& thread = *running_;
    const uint32_t warp = thread.index / kWarpSize;
    const uint32_t own = thread.index % kWarpSize;
    thread.state = ThreadState::kInWarp;
    thread.operation = operation;
    thread.mask = mask;
    thread.value = value;
    thread.lane = lane_argument;
    thread.width = width;
    thread.at = at;
    if ((mask >> own & 1) == 0) {
        fail_in_warp(", in which the calling lane is missing");
    }
    if ((mask & absent_lanes_[warp]) != 0) {
        const uint32_t absent = (uint32_t)__builtin_ctz(mask & absent_lanes_[warp]);
        fail_in_warp(
            " and a lane missing: lane " + std::to_string(absent)
            + (lane(warp, absent) == nullptr ? " does not exist" : " has returned"));
    }
    waiting_lanes_[warp] |= 1u << own;
    if ((waiting_lanes_[warp] & mask) == mask) {
        finish_warp_operation(mask);
    }
    thread.fiber.suspend();
    return thread.value;
}

void Block::finish_warp_operation(unsigned mask) {
    const uint32_t warp = running_->index / kWarpSize;
    const bool same = gives_all_the_same(running_->operation);
    const uint32_t first = (uint32_t)__builtin_ctz(mask);
    uint64_t results[kWarpSize];
    for (uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(lanes);
        const Thread& other = *lane(warp, l);
        if (other.mask != mask || other.operation != running_->operation) {
            fail_in_warp(
                ", but lane " + std::to_string(l) + " is in " + name_of(other.operation) + " with mask "
                + hexadecimal(other.mask));
        }
        const char* problem = nullptr;
        results[l] = same && l != first ? results[first] : warp_result(other, &threads_[warp * kWarpSize], &problem);
        if (problem != nullptr) {
            fail_in_warp(": lane " + std::to_string(l) + problem);
        }
    }
    waiting_lanes_[warp] &= ~mask;
    for (uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) {
        Thread& thread = *lane(warp, (uint32_t)__builtin_ctz(lanes));
        thread.value = results[thread.index % kWarpSize];
        thread.warp_epoch += thread.operation == WarpOperation::kSync;
        make_ready(thread);
    }
}

void Block::yield() {
    running_->state = ThreadState::kSpinning;
    running_->fiber.suspend();
}

std::string Block::name(const Thread& thread) const {
    const auto text = [](Index3 index, Index3 size) {
        std::string digits = std::to_string(index.x);
        if (size.y > 1 || size.z > 1) {
            digits = "(" + digits + ", " + std::to_string(index.y) + ", " + std::to_string(index.z) + ")";
        }
        return digits;
    };
    return std::string("kernel ") + launch_->kernel->name + ", block " + text(index_, launch_->grid) + ", thread "
        + text(thread.view().thread, launch_->block);
}

void Block::fail(int code, const std::string& what, const void* at) {
    lose_device((Result)code, name(*running_) + ": " + what + launch_->module->source_location(at) + launch_->name);
    running_->fiber.suspend();
    __builtin_unreachable();  // No fiber is resumed after the device is lost.
}

void Block::report_deadlock() {
    // Name one thread that waits, and one of those it waits for.
    const Thread* waiting = nullptr;
    for (uint32_t i = 0; i < thread_count_; ++i) {
        const Thread* thread = threads_[i].get();
        if (thread->state == ThreadState::kInWarp) {
            waiting = thread;
            break;
        }
        if (thread->state == ThreadState::kAtBarrier && waiting == nullptr) {
            waiting = thread;
        }
    }
    const bool in_warp = waiting->state == ThreadState::kInWarp;
    const Thread* missing = nullptr;
    for (uint32_t i = 0; i < thread_count_ && missing == nullptr; ++i) {
        const Thread* thread = threads_[i].get();
        const bool waited_for = in_warp
            ? i / kWarpSize == waiting->index / kWarpSize && (waiting->mask >> i % kWarpSize & 1) != 0
                && thread->state != ThreadState::kInWarp
            : thread->state != ThreadState::kAtBarrier || thread->barrier != waiting->barrier;
        missing = waited_for ? thread : nullptr;
    }
    std::string other = "no thread";
    if (missing != nullptr) {
        other = "thread " + std::to_string(missing->index);
        if (missing->state == ThreadState::kReturned) {
            other += " has returned";
        } else {
            other += std::string(" waits in ")
                + (missing->state == ThreadState::kInWarp ? name_of(missing->operation) : name_of(missing->barrier))
                + launch_->module->source_location(missing->at);
        }
    }
    const std::string what = in_warp
        ? std::string(name_of(waiting->operation)) + " with mask " + hexadecimal(waiting->mask) + " and a lane missing"
        : std::string("barrier divergence: waits in ") + name_of(waiting->barrier);
    lose_device(
        kLaunchFailed,
        name(*waiting) + ": " + what + launch_->module->source_location(waiting->at) + ", while " + other
            + launch_->name);
}

void Block::leave_shared_memory() {
    shared_.contents.resize(shared_.region.bytes);
    shared_.region.for_each_used(launch_->shared_bytes, [&](size_t offset, size_t bytes) {
        memcpy(shared_.contents.data() + offset, shared_.region.base + offset, bytes);
    });
}

void Block::enter_shared_memory() {
    shared_.region.for_each_used(launch_->shared_bytes, [&](size_t offset, size_t bytes) {
        memcpy(shared_.region.base + offset, shared_.contents.data() + offset, bytes);
    });
}

}  // namespace emulator
