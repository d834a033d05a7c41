// The GPUs of this process: how much memory each has, and which others' memory each may use.
#pragma once

#include <cstddef>
#include <string>

namespace emulator {

struct Allocation;

class Devices {
  public:
    static constexpr int kMost = 8;

    static Devices& instance();

    int count() const { return count_; }
    size_t total_bytes(int device) const { return total_bytes_[device]; }
    // Begins anew with `count` GPUs, each of which can reach all others.
    void set(int count, const size_t* total_bytes);

    // Whether kernels on `from` could use the memory of `to`.
    bool can_reach(int from, int to) const { return reachable_[from][to]; }
    void set_reachable(int from, int to, bool can) { reachable_[from][to] = can; }

    // Whether the context of `from` has got access to memory that the context of `to` has allocated.
    bool sees_context(int from, int to) const { return sees_context_[from][to]; }
    void let_see_context(int from, int to, bool may) { sees_context_[from][to] = may; }
    // Forgets what a released context could access, and which others could access it.
    void forget_context(int device);
    void let_see_pool(int from, int to, bool may) { sees_pool_[from][to] = may; }

    // Whether kernels on `device` may use an allocation now.
    bool may_use(int device, const Allocation& allocation) const;

  private:
    Devices();

    int count_ = 0;
    size_t total_bytes_[kMost] = {};
    bool reachable_[kMost][kMost] = {};
    bool sees_context_[kMost][kMost] = {};
    bool sees_pool_[kMost][kMost] = {};
};

// The GPU for which the emulator is acting now: that of the running work, or else that of the calling thread's context.
inline int acting_device = 0;

// As long as this exists, the emulator acts for its GPU.
class ActingFor {
  public:
    explicit ActingFor(int device) : before_(acting_device) { acting_device = device; }
    ~ActingFor() { acting_device = before_; }
    ActingFor(const ActingFor&) = delete;
    ActingFor& operator=(const ActingFor&) = delete;

  private:
    int before_;
};

inline std::string name_of_device(int device) { return "GPU " + std::to_string(device); }

}  // namespace emulator
