#include "engine/callbacks.h"

#include "engine/access.h"
#include "engine/block.h"
#include "engine/fault.h"

namespace emulator {
namespace {

int barrier(Barrier kind, int predicate, const void* at) {
    return Block::current->wait_at_barrier(kind, predicate, at);
}

uint64_t warp(WarpOperation operation, unsigned mask, uint64_t value, int lane, int width, const void* at) {
    return Block::current->wait_in_warp(operation, mask, value, lane, width, at);
}

void yield() { Block::current->yield(); }

void trap(const char* what, const void* at) { Block::current->fail(kLaunchFailed, what, at); }

}  // namespace

const Engine kCallbacks = {check_access, barrier, warp, yield, trap};

}  // namespace emulator
