// One thread block. Its threads are fibers that run one at a time, in random order, each until it waits for others and
// leaves for the next one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/module.h"
#include "engine/race_tag.h"
#include "engine/random.h"
#include "engine/thread.h"
#include "kernel/interface.h"

namespace emulator {

// The data that all blocks of a launch share.
struct Launch {
    int device;
    const Module* module;
    const KernelEntry* kernel;
    Index3 grid;
    Index3 block;
    size_t shared_bytes;
    size_t resident_blocks;  // at once
    void** parameters;
    bool in_turns;
    bool is_beside_others;  // whether there is past work that nothing orders before it
    uint64_t first_epoch;
    SharedRegion shared;
    std::string name;  // for messages: the launch's number and the seed
};

// The shared memory of one block, and the state of its bytes.
struct SharedMemory {
    SharedRegion region;
    std::vector<uint8_t> written;
    std::vector<RaceTags> tags;
    std::vector<char> contents;  // kept here while another block runs
};

class Block {
  public:
    enum class Status { kFinished, kSpinning, kInterrupted, kFailed };

    // Threads keep their stacks from launch to launch.
    void start(const Launch& launch, Index3 index);

    // Runs until all threads have returned, or all remaining ones wait for other blocks, or the device is lost. If
    // blocks take turns, it may also stop at a barrier.
    Status run(Random& random);

    // These take the shared memory out of the library of kernels, and put it back.
    void leave_shared_memory();
    void enter_shared_memory();

    // Called by the running thread.
    int wait_at_barrier(Barrier kind, int predicate, const void* at);
    uint64_t wait_in_warp(WarpOperation operation, unsigned mask, uint64_t value, int lane, int width, const void* at);
    void yield();
    [[noreturn]] void fail(int code, const std::string& what, const void* at);

    const Launch& launch() const { return *launch_; }
    Thread& running() const { return *running_; }
    SharedMemory& shared() { return shared_; }
    uint64_t epoch() const { return epoch_; }
    uint64_t first_epoch() const { return first_epoch_; }
    // Names a thread in messages.
    std::string name(const Thread& thread) const;

    static Block* current;

  private:
    static void thread_main();
    void make_ready(Thread& thread);
    Thread* choose();
    void begin(Thread& thread);
    void suspend();
    void finish_warp_operation(unsigned mask);
    bool release_barrier();
    void report_deadlock();
    Thread& thread(uint32_t index) const { return warps_[index / kWarpSize]->threads[index % kWarpSize]; }
    [[noreturn]] void fail_in_warp(const std::string& what);

    const Launch* launch_ = nullptr;
    Index3 index_ = {};
    std::vector<std::unique_ptr<Warp>> warps_;
    uint32_t thread_count_ = 0;
    uint32_t returned_ = 0;
    uint32_t ready_warps_ = 0;  // with one bit for each warp
    uint32_t chosen_warp_ = 0;
    Random* random_ = nullptr;
    Context scheduler_;  // run(), to which threads leave when none of them is ready
    Thread* running_ = nullptr;
    uint64_t epoch_ = 0;
    uint64_t first_epoch_ = 0;
    SharedMemory shared_;
};

// Numbers the times between two barriers, over all blocks of all launches.
uint64_t next_epoch();

}  // namespace emulator
