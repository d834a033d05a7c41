// The emulator's own choices: which thread and which block run next, and when a stream gets ahead. All of them follow
// from one seed.
#pragma once

#include <cstdint>

namespace emulator {

class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {}

    // Returns a random number below `bound`, which is not 0; all numbers are equally likely.
    uint32_t below(uint32_t bound) { return (uint32_t)((uint64_t)bits() * bound >> 32); }

    uint32_t bits() {
        state_ += 0x9e3779b97f4a7c15ull;
        uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return (uint32_t)((z ^ (z >> 31)) >> 32);
    }

  private:
    uint64_t state_;
};

}  // namespace emulator
