// Driver functions: streams and events.
#include "driver/stream.h"

#include <algorithm>
#include <chrono>

#include "driver/driver.h"
#include "engine/settings.h"

namespace emulator {
namespace {

constexpr int kCallsBetweenLags = 50;
constexpr int kCallsBetweenCatchingUp = 8;

void run_one(std::deque<Work>& work) {
    const Work first = std::move(work.front());
    work.pop_front();
    if (device_state() == kSuccess || first.frees) {
        first.run();
    }
}

std::deque<Work>* find(uint64_t stream, const char* call) {
    Driver& driver = Driver::instance();
    if (stream == 0) {
        return &driver.streams[0];  // The default stream is always there.
    }
    const auto found = driver.streams.find(stream);
    if (found == driver.streams.end()) {
        misuse(kInvalidHandle, std::string(call) + " on a stream that does not exist, or has been destroyed");
        return nullptr;
    }
    return &found->second;
}

}  // namespace

Result enqueue(uint64_t stream, std::function<void()> work, const char* call, bool frees) {
    const Result result = ready(call);
    if (result != kSuccess) {
        return result;
    }
    auto* queue = find(stream, call);
    if (queue == nullptr) {
        return kInvalidHandle;
    }
    queue->push_back({std::move(work), frees});
    // At times the device gets ahead of the host, on any stream but one that lags far behind for a while. A program
    // that forgets to wait for that one shows as wrong. The others now and then do all that they have, since one that
    // only ever falls further behind would not meet what the lagging one has left undone.
    Driver& driver = Driver::instance();
    if (stream_random().below(kCallsBetweenLags) == 0) {
        driver.lagging = std::next(driver.streams.begin(), stream_random().below(driver.streams.size()))->first;
    }
    const bool catches_up = stream_random().below(kCallsBetweenCatchingUp) == 0;
    for (auto& [handle, pending] : driver.streams) {
        while (!pending.empty() && handle != driver.lagging && (catches_up || stream_random().below(4) == 0)) {
            run_one(pending);
        }
    }
    return kSuccess;
}

Result run_stream(uint64_t stream, const char* call) {
    auto* queue = find(stream, call);
    if (queue == nullptr) {
        return kInvalidHandle;
    }
    while (!queue->empty()) {
        run_one(*queue);
    }
    return device_state();
}

void run_all_streams() {
    for (auto& [handle, pending] : Driver::instance().streams) {
        while (!pending.empty()) {
            run_one(pending);
        }
    }
}

}  // namespace emulator

using namespace emulator;

EMULATOR_EXPORT int cuStreamCreate(uint64_t* stream, unsigned) {
    const Guard guard(lock());
    const Result result = ready("cuStreamCreate");
    if (result == kSuccess) {
        *stream = Driver::instance().handle();
        Driver::instance().streams[*stream];
    }
    return result;
}

EMULATOR_EXPORT int cuStreamDestroy_v2(uint64_t stream) {
    const Guard guard(lock());
    const Result result = run_stream(stream, "cuStreamDestroy");
    Driver::instance().streams.erase(stream);
    return result;
}

EMULATOR_EXPORT int cuStreamSynchronize(uint64_t stream) {
    const Guard guard(lock());
    const Result result = ready("cuStreamSynchronize");
    return result == kSuccess ? run_stream(stream, "cuStreamSynchronize") : result;
}

EMULATOR_EXPORT int cuEventCreate(uint64_t* event, unsigned flags) {
    const Guard guard(lock());
    const Result result = ready("cuEventCreate");
    if (result == kSuccess) {
        *event = Driver::instance().handle();
        Driver::instance().events[*event].timing = (flags & 2) == 0;
    }
    return result;
}

EMULATOR_EXPORT int cuEventDestroy_v2(uint64_t event) {
    const Guard guard(lock());
    return Driver::instance().events.erase(event) != 0
        ? device_state()
        : misuse(kInvalidHandle, "cuEventDestroy of an event that does not exist, or has been destroyed");
}

EMULATOR_EXPORT int cuEventRecord(uint64_t event, uint64_t stream) {
    const Guard guard(lock());
    auto& events = Driver::instance().events;
    if (events.count(event) == 0) {
        return misuse(kInvalidHandle, "cuEventRecord of an event that does not exist, or has been destroyed");
    }
    const uint64_t mark = ++events[event].marks;
    events[event].stream = stream;
    return enqueue(
        stream,
        [event, mark] {
            auto& all = Driver::instance().events;
            if (all.count(event) != 0) {
                const auto now = std::chrono::steady_clock::now().time_since_epoch();
                all[event].millis = std::chrono::duration<double, std::milli>(now).count();
                all[event].reached = std::max(all[event].reached, mark);
            }
        },
        "cuEventRecord");
}

// A stream that comes to a wait has the other stream run up to the mark.
EMULATOR_EXPORT int cuStreamWaitEvent(uint64_t stream, uint64_t event, unsigned) {
    const Guard guard(lock());
    auto& events = Driver::instance().events;
    if (events.count(event) == 0) {
        return misuse(kInvalidHandle, "cuStreamWaitEvent for an event that does not exist, or has been destroyed");
    }
    // Only marks that have been made by now count.
    const uint64_t mark = events[event].marks;
    const uint64_t other = events[event].stream;
    return enqueue(
        stream,
        [event, mark, other] {
            const Driver& driver = Driver::instance();
            const auto found = driver.streams.find(other);
            while (driver.events.count(event) != 0 && driver.events.at(event).reached < mark
                   && found != driver.streams.end() && !found->second.empty()) {
                run_one(Driver::instance().streams[other]);
            }
        },
        "cuStreamWaitEvent");
}

EMULATOR_EXPORT int cuEventSynchronize(uint64_t event) {
    const Guard guard(lock());
    const Result result = ready("cuEventSynchronize");
    if (result != kSuccess) {
        return result;
    }
    if (Driver::instance().events.count(event) == 0) {
        return misuse(kInvalidHandle, "cuEventSynchronize of an event that does not exist, or has been destroyed");
    }
    const EventRecord& record = Driver::instance().events[event];
    const auto found = Driver::instance().streams.find(record.stream);
    while (!record.recorded() && found != Driver::instance().streams.end() && !found->second.empty()) {
        run_one(found->second);
    }
    return device_state();
}

EMULATOR_EXPORT int cuEventElapsedTime(float* millis, uint64_t begin, uint64_t end) {
    const Guard guard(lock());
    auto& events = Driver::instance().events;
    if (events.count(begin) == 0 || events.count(end) == 0) {
        return misuse(kInvalidHandle, "cuEventElapsedTime of an event that does not exist, or has been destroyed");
    }
    if (!events[begin].recorded() || !events[end].recorded() || !events[begin].timing || !events[end].timing) {
        return misuse(kInvalidHandle, "cuEventElapsedTime of an event that has not happened, or has no time");
    }
    *millis = (float)(events[end].millis - events[begin].millis);
    return kSuccess;
}
