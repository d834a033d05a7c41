// The thread that touched a byte last, to find accesses of two threads that no barrier orders. An epoch is the time of
// one block between two barriers. Epochs are numbered through the life of the process, so tags never need clearing.
// Within an epoch the threads of a warp are ordered by their __syncwarp calls, which `warp_epoch` counts.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emulator {

struct RaceTag {
    uint64_t epoch : 38;  // 0: never touched
    uint64_t warp_epoch : 12;
    uint64_t thread : 10;
    uint64_t atomic : 1;
    uint64_t many_lanes : 1;  // several threads of the same warp and warp epoch
    uint64_t many_warps : 1;
    uint64_t unused : 1;
};
static_assert(sizeof(RaceTag) == 8, "two tags for each byte of memory: keep them small");

struct RaceTags {
    RaceTag write;
    RaceTag read;
};

// The tags of this many bytes are a group: first those of the first byte of every word of four, then those of the
// second bytes, and so on. Kernels touch whole words most of the time, and so use only a quarter of the lines and pages
// of the tags.
constexpr size_t kTagGroup = 1024;

// Returns the place of the tags of a byte.
inline size_t tag_place(size_t offset) {
    return (offset & ~(kTagGroup - 1)) | (offset & 3) * (kTagGroup / 4) | (offset & (kTagGroup - 1)) / 4;
}

// Returns how many tags there are for this many bytes.
inline size_t tag_count(size_t bytes) { return (bytes + kTagGroup - 1) & ~(kTagGroup - 1); }

// Returns whether there is no barrier between an earlier access and an access of `thread` now, both within the block's
// epoch.
inline bool unordered(const RaceTag& earlier, uint64_t epoch, uint32_t thread, uint32_t warp_epoch) {
    if (earlier.epoch != epoch) {
        return false;
    }
    const bool same_warp = earlier.thread / 32 == thread / 32;
    if (earlier.many_warps || !same_warp) {
        return true;
    }
    return earlier.warp_epoch == warp_epoch && (earlier.many_lanes || earlier.thread != thread);
}

// Returns the tag of all readers after `thread` has become one of them.
inline RaceTag joined(const RaceTag& earlier, uint64_t epoch, uint32_t thread, uint32_t warp_epoch) {
    RaceTag tag = {epoch, warp_epoch, thread, 0, 0, 0, 0};
    if (earlier.epoch == epoch) {
        tag.many_warps = earlier.many_warps || earlier.thread / 32 != thread / 32;
        tag.many_lanes = earlier.warp_epoch == warp_epoch && (earlier.many_lanes || earlier.thread != thread);
    }
    return tag;
}

}  // namespace emulator
