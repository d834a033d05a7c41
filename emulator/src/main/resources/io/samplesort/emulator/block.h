// One thread block: its threads as fibers that run one at a time, in random order, each until it waits for others.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine.h"
#include "fiber.h"
#include "race_tag.h"
#include "random.h"

namespace emulator {

struct Module;

// Where a kernel library keeps shared memory on the calling system thread: in its thread-local storage.
struct SharedRegion {
    char* base = nullptr;
    size_t bytes = 0;           // static and dynamic
    size_t dynamic_offset = 0;  // where the dynamic part begins
    size_t dynamic_room = 0;    // how much room that has

    // Calls visit(offset, bytes) for what a launch uses: static memory before and after, and its part of the dynamic.
    template <typename Visit>
    void for_each_used(size_t dynamic_bytes, const Visit& visit) const {
        visit(0, dynamic_offset);
        visit(dynamic_offset, dynamic_bytes);
        visit(dynamic_offset + dynamic_room, bytes - dynamic_offset - dynamic_room);
    }
};

// What all blocks of a launch have in common.
struct Launch {
    const Module* module;
    const KernelEntry* kernel;
    Index3 grid;
    Index3 block;
    size_t shared_bytes;
    size_t resident_blocks;  // at once
    void** parameters;
    bool in_turns;
    uint64_t first_epoch;
    SharedRegion shared;
    std::string name;  // for messages: the launch's number and the seed
};

enum class ThreadState { kReady, kSpinning, kAtBarrier, kInWarp, kReturned };

struct Thread {
    Fiber fiber;
    uint32_t index = 0;
    ThreadState state = ThreadState::kReady;
    uint32_t warp_epoch = 0;
    // What it waits in.
    const void* at = nullptr;
    Barrier barrier = Barrier::kPlain;
    int predicate = 0;
    WarpOperation operation = WarpOperation::kSync;
    unsigned mask = 0;
    uint64_t value = 0;
    int lane = 0;
    int width = 0;

    ThreadView& view() const { return *(ThreadView*)fiber.reserved(); }
};

// What is known of the shared memory of one block.
struct SharedMemory {
    SharedRegion region;
    std::vector<uint8_t> written;
    std::vector<RaceTags> tags;
    std::vector<char> contents;  // while another block runs
};

class Block {
  public:
    enum class Status { kFinished, kSpinning, kInterrupted, kFailed };

    // Not copied: threads keep their stacks from launch to launch.
    void start(const Launch& launch, Index3 index);

    // Runs until all threads have returned, or all that have not wait for other blocks, or the device is lost; where blocks take
    // turns, at most until a barrier.
    Status run(Random& random);

    // Takes the shared memory out of the library, or puts it back.
    void leave_shared_memory();
    void enter_shared_memory();

    // Called from within the thread that runs.
    int wait_at_barrier(Barrier kind, int predicate, const void* at);
    uint64_t wait_in_warp(WarpOperation operation, unsigned mask, uint64_t value, int lane, int width, const void* at);
    void yield();
    [[noreturn]] void fail(int code, const std::string& what, const void* at);

    const Launch& launch() const { return *launch_; }
    Thread& running() const { return *running_; }
    SharedMemory& shared() { return shared_; }
    uint64_t epoch() const { return epoch_; }
    uint64_t first_epoch() const { return first_epoch_; }
    // For messages.
    std::string name(const Thread& thread) const;

    static Block* current;

  private:
    static void thread_main(void* thread);
    void make_ready(Thread& thread);
    void finish_warp_operation(unsigned mask);
    bool release_barrier();
    void report_deadlock();
    Thread* lane(uint32_t warp, uint32_t lane) const;
    [[noreturn]] void fail_in_warp(const std::string& what);

    const Launch* launch_ = nullptr;
    Index3 index_ = {};
    std::vector<std::unique_ptr<Thread>> threads_;
    uint32_t thread_count_ = 0;
    std::vector<Thread*> ready_;
    uint32_t returned_ = 0;
    // Of each warp, one bit a lane.
    uint32_t waiting_lanes_[kMaxThreads / kWarpSize] = {};  // in an intrinsic of the warp
    uint32_t absent_lanes_[kMaxThreads / kWarpSize] = {};   // returned, or not of this block
    Thread* running_ = nullptr;
    uint64_t epoch_ = 0;
    uint64_t first_epoch_ = 0;
    SharedMemory shared_;
};

// Numbers the times between barriers, of all blocks of all launches.
uint64_t next_epoch();

}  // namespace emulator
