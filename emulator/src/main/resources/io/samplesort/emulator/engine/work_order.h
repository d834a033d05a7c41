// Which work comes before which, to find work on two streams, of one GPU or of two, that touches the same bytes with
// nothing that orders it. Streams, events and waits of the host order work. The host counts as one thread: what one of
// its threads has waited for, all of them have.
//
// Work has a time in its stream, counted from 1. A clock says for each stream up to which time its work is over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace emulator {

typedef std::map<uint64_t, uint64_t> Clock;

// What a copy or a fill touches. What kernels touch is kept in the tags of each byte.
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

    // What the host has waited for by now.
    const Clock& host() const { return host_; }
    void host_waits_for_stream(uint64_t stream) { join(host_, streams_[stream]); }
    void host_waits_for(const Clock& clock) { join(host_, clock); }
    void stream_waits_for(uint64_t stream, const Clock& clock) { join(streams_[stream], clock); }
    const Clock& of_stream(uint64_t stream) { return streams_[stream]; }
    void forget_stream(uint64_t stream);
    void forget_everything();

    // Called around the work of a stream. `enqueued` is what the host had waited for when it enqueued the work.
    void begin(uint64_t stream, int device, const Clock& enqueued);
    void end(bool is_everything_done);
    // What messages call the work that is running.
    void set_name(const std::string& name) { running_.name = name; }

    // Whether there is past work that nothing orders before what is running.
    bool is_beside_others() const { return !beside_.empty(); }
    // The past work of an epoch that nothing orders before what is running; null if there is none.
    const PastWork* beside(uint64_t epoch) const;
    // The past copy or fill that touches a byte of a range, beside what is running; null if there is none. Either it
    // or `writes` has to write.
    const PastWork* beside(uint64_t begin, uint64_t end, bool writes) const;

    // Notes that the copy or the fill that is running touches a range. Returns what is in the way, or null.
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
