// The order of work, to find work on two streams, of one GPU or of two, that touches the same bytes while nothing
// orders it. Streams, events and waits of the host order work. The host counts as one thread: what one of its threads
// has waited for, all of them have.
//
// Work has a time in its stream, counted from 1. For each stream, a clock says up to which time its work is over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace emulator {

typedef std::map<uint64_t, uint64_t> Clock;

// The range that a copy or a fill touches. Accesses of kernels are kept in the tags of each byte.
struct TouchedRange {
    uint64_t begin;
    uint64_t end;
    bool written;
};

// Work that has run.
struct PastWork {
    uint64_t stream;
    uint64_t time;
    int device;
    uint64_t first_epoch;
    uint64_t last_epoch;
    std::string name;
    std::vector<TouchedRange> ranges;
};

class WorkOrder {
  public:
    static WorkOrder& instance();

    // The work that the host has waited for by now.
    const Clock& host() const { return host_; }
    void host_waits_for_stream(uint64_t stream) { join(host_, streams_[stream]); }
    void host_waits_for(const Clock& clock) { join(host_, clock); }
    void stream_waits_for(uint64_t stream, const Clock& clock) { join(streams_[stream], clock); }
    const Clock& of_stream(uint64_t stream) { return streams_[stream]; }
    void forget_stream(uint64_t stream);
    void forget_everything();

    // Called around the work of a stream. `enqueued` is the work that the host had waited for when it enqueued this.
    void begin(uint64_t stream, int device, const Clock& enqueued);
    void end(bool is_everything_done);
    // Sets the name of the running work in messages.
    void set_name(const std::string& name) { running_.name = name; }

    // Whether there is past work that nothing orders before the running work.
    bool is_beside_others() const { return !beside_.empty(); }
    // The past work of an epoch that nothing orders before the running work; null if there is none.
    const PastWork* beside(uint64_t epoch) const;
    // A past copy or fill that touches a byte of a range and that nothing orders before the running work; null if there
    // is none. It counts only if it writes or `writes` is true.
    const PastWork* beside(uint64_t begin, uint64_t end, bool writes) const;

    // Notes that the running copy or fill touches a range. Returns past work that conflicts with this, or null.
    const PastWork* touch(uint64_t begin, size_t bytes, bool writes);

  private:
    static void join(Clock& clock, const Clock& other);

    Clock host_;
    std::map<uint64_t, Clock> streams_;
    std::deque<PastWork> past_;
    PastWork running_ = {};
    std::vector<const PastWork*> beside_;
};

}  // namespace emulator
