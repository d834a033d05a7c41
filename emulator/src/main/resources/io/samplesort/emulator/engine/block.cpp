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

// On average, the threads of a warp run this many times before those of another one do. Meanwhile their stacks stay in
// the nearest cache.
constexpr uint32_t kTurnsOfWarp = 64;

// Returns one of the set bits of a number, which is not 0. Bits after gaps are chosen more often.
uint32_t chosen_bit(uint32_t bits, uint32_t random) {
    const uint32_t by = random % 32;
    return ((uint32_t)__builtin_ctz(bits >> by | bits << (32 - by) % 32) + by) % 32;
}

// On average, blocks that take turns pass this many barriers in a turn.
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
    ready_warps_ = 0;
    epoch_ = first_epoch_ = next_epoch();
    shared_.region = launch.shared;
    shared_.written.resize(launch.shared.bytes);
    shared_.tags.resize(tag_count(launch.shared.bytes));
    // Static memory lies next to variables of g++'s own, so its contents stay, but it counts as not written.
    memset(launch.shared.base + launch.shared.dynamic_offset, kPoison, launch.shared_bytes);
    launch.shared.for_each_used(
        launch.shared_bytes, [&](size_t offset, size_t bytes) { memset(shared_.written.data() + offset, 0, bytes); });
    while (warps_.size() * kWarpSize < thread_count_) {
        warps_.push_back(std::make_unique<Warp>());
    }
    for (const auto& warp : warps_) {
        warp->ready = warp->waiting = 0;
        warp->absent = ~0u;
    }
    for (uint32_t i = 0; i < thread_count_; ++i) {
        Thread& started = thread(i);
        started.index = i;
        started.place = {
            i % launch.block.x, i / launch.block.x % launch.block.y, i / (launch.block.x * launch.block.y)};
        warps_[i / kWarpSize]->absent &= ~(1u << i % kWarpSize);
        started.warp_epoch = 0;
        started.start(thread_main);
        make_ready(started);
    }
}

void Block::thread_main() {
    Block& block = *current;
    Thread& thread = *block.running_;
    block.launch_->kernel->call(block.launch_->parameters);
    thread.state = ThreadState::kReturned;
    ++block.returned_;
    block.warps_[thread.index / kWarpSize]->absent |= 1u << thread.index % kWarpSize;
    block.suspend();
}

void Block::make_ready(Thread& thread) {
    const uint32_t warp = thread.index / kWarpSize;
    thread.state = ThreadState::kReady;
    warps_[warp]->ready |= 1u << thread.index % kWarpSize;
    ready_warps_ |= 1u << warp;
}

// Returns the thread that runs next; null if none is ready.
Thread* Block::choose() {
    if (ready_warps_ == 0) {
        return nullptr;
    }
    const uint32_t random = random_->bits();
    if ((ready_warps_ >> chosen_warp_ & 1) == 0 || (random >> 10) % kTurnsOfWarp == 0) {
        chosen_warp_ = chosen_bit(ready_warps_, random >> 5);
    }
    Warp& warp = *warps_[chosen_warp_];
    const uint32_t lane = chosen_bit(warp.ready, random);
    warp.ready &= ~(1u << lane);
    if (warp.ready == 0) {
        ready_warps_ &= ~(1u << chosen_warp_);
    }
    return &warp.threads[lane];
}

void Block::begin(Thread& thread) {
    running_ = &thread;
    launch_->module->table->current->thread = thread.place;
}

// The running thread leaves for another one until it is chosen again.
void Block::suspend() {
    Thread& left = *running_;
    Thread* next = choose();
    if (next == nullptr) {
        left.leave_for(scheduler_);
    } else if (next != &left) {
        begin(*next);
        left.leave_for(*next);
    }
}

Block::Status Block::run(Random& random) {
    current = this;
    random_ = &random;
    for (uint32_t i = 0; i < thread_count_; ++i) {
        if (thread(i).state == ThreadState::kSpinning) {
            make_ready(thread(i));
        }
    }
    *launch_->module->table->current = {{}, index_, launch_->block, launch_->grid};
    while (true) {
        while (Thread* next = choose()) {
            begin(*next);
            scheduler_.leave_for(*next);
            if (device_state() != kSuccess) {
                return Status::kFailed;
            }
        }
        if (returned_ == thread_count_) {
            return Status::kFinished;
        }
        bool spinning = false;
        for (uint32_t i = 0; i < thread_count_; ++i) {
            spinning |= thread(i).state == ThreadState::kSpinning;
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
    suspend();
    return thread.predicate;
}

// If all threads are at the same barrier, gives them the result of the barrier and lets them go on.
bool Block::release_barrier() {
    int count = 0;
    const Barrier barrier = thread(0).barrier;
    for (uint32_t i = 0; i < thread_count_; ++i) {
        const Thread& waiting = thread(i);
        if (waiting.state != ThreadState::kAtBarrier || waiting.barrier != barrier) {
            return false;
        }
        count += waiting.predicate;
    }
    for (uint32_t i = 0; i < thread_count_; ++i) {
        Thread& released = thread(i);
        switch (barrier) {
            case Barrier::kPlain: released.predicate = 0; break;
            case Barrier::kAnd: released.predicate = count == (int)thread_count_; break;
            case Barrier::kOr: released.predicate = count != 0; break;
            case Barrier::kCount: released.predicate = count; break;
        }
        released.warp_epoch = 0;
        make_ready(released);
    }
    epoch_ = next_epoch();
    return true;
}

void Block::fail_in_warp(const std::string& what) {
    fail(
        kLaunchFailed, std::string(name_of(running_->operation)) + " with mask " + hexadecimal(running_->mask) + what,
        running_->at);
}

uint64_t Block::wait_in_warp(
    WarpOperation operation, unsigned mask, uint64_t value, int lane_argument, int width, const void* at) {
    Thread& thread = *running_;
    Warp& warp = *warps_[thread.index / kWarpSize];
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
    if ((mask & warp.absent) != 0) {
        const uint32_t absent = (uint32_t)__builtin_ctz(mask & warp.absent);
        const bool is_of_block = thread.index - own + absent < thread_count_;
        fail_in_warp(
            " and a lane missing: lane " + std::to_string(absent)
            + (is_of_block ? " has returned" : " does not exist"));
    }
    warp.waiting |= 1u << own;
    if ((warp.waiting & mask) == mask) {
        finish_warp_operation(mask);
    }
    suspend();
    return thread.value;
}

void Block::finish_warp_operation(unsigned mask) {
    Warp& warp = *warps_[running_->index / kWarpSize];
    const bool same = gives_all_the_same(running_->operation);
    const uint32_t first = (uint32_t)__builtin_ctz(mask);
    uint64_t results[kWarpSize];
    for (uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(lanes);
        const Thread& other = warp.threads[l];
        if (other.mask != mask || other.operation != running_->operation) {
            fail_in_warp(
                ", but lane " + std::to_string(l) + " is in " + name_of(other.operation) + " with mask "
                + hexadecimal(other.mask));
        }
        const char* problem = nullptr;
        results[l] = same && l != first ? results[first] : warp_result(other, warp.threads, &problem);
        if (problem != nullptr) {
            fail_in_warp(": lane " + std::to_string(l) + problem);
        }
    }
    warp.waiting &= ~mask;
    for (uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(lanes);
        Thread& thread = warp.threads[l];
        thread.value = results[l];
        thread.warp_epoch += thread.operation == WarpOperation::kSync;
        make_ready(thread);
    }
}

void Block::yield() {
    running_->state = ThreadState::kSpinning;
    suspend();
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
        + text(thread.place, launch_->block);
}

void Block::fail(int code, const std::string& what, const void* at) {
    lose_device((Result)code, name(*running_) + ": " + what + launch_->module->source_location(at) + launch_->name);
    running_->leave_for(scheduler_);
    __builtin_unreachable();  // No fiber is resumed after the device is lost.
}

void Block::report_deadlock() {
    // Names one thread that waits, and one of those for which it waits.
    const Thread* waiting = nullptr;
    for (uint32_t i = 0; i < thread_count_; ++i) {
        const Thread& one = thread(i);
        if (one.state == ThreadState::kInWarp) {
            waiting = &one;
            break;
        }
        if (one.state == ThreadState::kAtBarrier && waiting == nullptr) {
            waiting = &one;
        }
    }
    const bool in_warp = waiting->state == ThreadState::kInWarp;
    const Thread* missing = nullptr;
    for (uint32_t i = 0; i < thread_count_ && missing == nullptr; ++i) {
        const Thread& one = thread(i);
        const bool waited_for = in_warp ? i / kWarpSize == waiting->index / kWarpSize
                && (waiting->mask >> i % kWarpSize & 1) != 0 && one.state != ThreadState::kInWarp
                                        : one.state != ThreadState::kAtBarrier || one.barrier != waiting->barrier;
        missing = waited_for ? &one : nullptr;
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
