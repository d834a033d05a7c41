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

StreamQueue* find(uint64_t stream, const char* call) {
    Driver& driver = Driver::instance();
    const auto found = driver.streams.find(stream_key(stream));
    if (found != driver.streams.end()) {
        return &found->second;
    }
    if (stream == 0) {
        // The default stream always exists.
        return &(driver.streams[stream_key(stream)] = {current_device(), {}});
    }
    misuse(kInvalidHandle, std::string(call) + " on a stream that does not exist, or has been destroyed");
    return nullptr;
}

bool is_everything_done() {
    for (const auto& [stream, queue] : Driver::instance().streams) {
        if (!queue.work.empty()) {
            return false;
        }
    }
    return true;
}

void run_one(uint64_t key, StreamQueue& queue) {
    const Work first = std::move(queue.work.front());
    queue.work.pop_front();
    const ActingFor acting(queue.device);
    if (device_state() == kSuccess || first.frees) {
        WorkOrder& order = WorkOrder::instance();
        order.begin(key, queue.device, first.enqueued);
        first.run();
        order.end(is_everything_done());
    }
}

std::shared_ptr<EventRecord> find_event(uint64_t event, const char* call) {
    const auto& events = Driver::instance().events;
    const auto found = events.find(event);
    if (found == events.end()) {
        misuse(kInvalidHandle, std::string(call) + " of an event that does not exist, or has been destroyed");
        return nullptr;
    }
    return found->second;
}

// Runs a stream until it has passed a mark of an event.
void run_up_to(const EventRecord& record, uint64_t stream, uint64_t mark) {
    const auto found = Driver::instance().streams.find(stream);
    while (record.reached < mark && found != Driver::instance().streams.end() && !found->second.work.empty()) {
        run_one(stream, found->second);
    }
}

}  // namespace

uint64_t stream_key(uint64_t stream) { return stream == 0 ? 1 + (uint64_t)current_device() : stream; }

Result require_stream(uint64_t stream, const char* call) {
    const StreamQueue* queue = find(stream, call);
    if (queue == nullptr) {
        return kInvalidHandle;
    }
    if (queue->device == current_device()) {
        return kSuccess;
    }
    return misuse(
        kInvalidContext,
        std::string(call) + " on a stream of " + name_of_device(queue->device)
            + ", while the current context is that of " + name_of_device(current_device()));
}

Result enqueue(uint64_t stream, std::function<void()> work, const char* call, bool frees) {
    Result result = ready(call);
    result = result == kSuccess ? require_stream(stream, call) : result;
    if (result != kSuccess) {
        return result;
    }
    find(stream, call)->work.push_back({std::move(work), frees, WorkOrder::instance().host()});
    // At times the device gets ahead of the host, on any stream but one that lags far behind for a while. A program
    // that forgets to wait for that one gets wrong results. Now and then the other streams do all their work, since
    // streams that only ever fall further behind would never meet what the lagging one has left undone.
    Driver& driver = Driver::instance();
    if (stream_random().below(kCallsBetweenLags) == 0) {
        driver.lagging = std::next(driver.streams.begin(), stream_random().below(driver.streams.size()))->first;
    }
    const bool catches_up = stream_random().below(kCallsBetweenCatchingUp) == 0;
    for (auto& [key, queue] : driver.streams) {
        while (!queue.work.empty() && key != driver.lagging && (catches_up || stream_random().below(4) == 0)) {
            run_one(key, queue);
        }
    }
    return kSuccess;
}

Result run_stream(uint64_t stream, const char* call) {
    StreamQueue* queue = find(stream, call);
    if (queue == nullptr) {
        return kInvalidHandle;
    }
    while (!queue->work.empty()) {
        run_one(stream_key(stream), *queue);
    }
    WorkOrder::instance().host_waits_for_stream(stream_key(stream));
    return device_state();
}

void run_all_streams() {
    for (auto& [key, queue] : Driver::instance().streams) {
        if (queue.device == acting_device) {
            while (!queue.work.empty()) {
                run_one(key, queue);
            }
            WorkOrder::instance().host_waits_for_stream(key);
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
        Driver::instance().streams[*stream].device = current_device();
    }
    return result;
}

EMULATOR_EXPORT int cuStreamDestroy_v2(uint64_t stream) {
    const Guard guard(lock());
    const Result result = run_stream(stream, "cuStreamDestroy");
    Driver::instance().streams.erase(stream);
    WorkOrder::instance().forget_stream(stream);
    return result;
}

EMULATOR_EXPORT int cuStreamSynchronize(uint64_t stream) {
    const Guard guard(lock());
    Result result = ready("cuStreamSynchronize");
    result = result == kSuccess ? require_stream(stream, "cuStreamSynchronize") : result;
    return result == kSuccess ? run_stream(stream, "cuStreamSynchronize") : result;
}

EMULATOR_EXPORT int cuEventCreate(uint64_t* event, unsigned flags) {
    const Guard guard(lock());
    const Result result = ready("cuEventCreate");
    if (result == kSuccess) {
        *event = Driver::instance().handle();
        auto record = std::make_shared<EventRecord>();
        record->timing = (flags & 2) == 0;
        record->device = current_device();
        Driver::instance().events[*event] = record;
    }
    return result;
}

EMULATOR_EXPORT int cuEventDestroy_v2(uint64_t event) {
    const Guard guard(lock());
    return Driver::instance().events.erase(event) != 0
        ? device_state()
        : misuse(kInvalidHandle, "cuEventDestroy of an event that does not exist, or has been destroyed");
}

// Work on streams keeps events alive that are destroyed meanwhile, as a real driver does.
EMULATOR_EXPORT int cuEventRecord(uint64_t event, uint64_t stream) {
    const Guard guard(lock());
    const std::shared_ptr<EventRecord> record = find_event(event, "cuEventRecord");
    if (record == nullptr) {
        return kInvalidHandle;
    }
    if (record->device != current_device()) {
        return misuse(
            kInvalidHandle,
            "cuEventRecord of an event of " + name_of_device(record->device) + " on a stream of "
                + name_of_device(current_device()));
    }
    const uint64_t mark = ++record->marks;
    const uint64_t key = stream_key(stream);
    record->stream = key;
    return enqueue(
        stream,
        [record, mark, key] {
            const auto now = std::chrono::steady_clock::now().time_since_epoch();
            record->millis = std::chrono::duration<double, std::milli>(now).count();
            record->reached = std::max(record->reached, mark);
            record->clock = WorkOrder::instance().of_stream(key);
        },
        "cuEventRecord");
}

// When a stream comes to a wait, the other stream is run up to the mark, even if it belongs to another GPU.
EMULATOR_EXPORT int cuStreamWaitEvent(uint64_t stream, uint64_t event, unsigned) {
    const Guard guard(lock());
    const std::shared_ptr<EventRecord> record = find_event(event, "cuStreamWaitEvent");
    if (record == nullptr) {
        return kInvalidHandle;
    }
    // Only marks that already exist count.
    const uint64_t mark = record->marks;
    const uint64_t other = record->stream;
    return enqueue(
        stream,
        [record, mark, other, key = stream_key(stream)] {
            run_up_to(*record, other, mark);
            if (mark != 0) {
                WorkOrder::instance().stream_waits_for(key, record->clock);
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
    const std::shared_ptr<EventRecord> record = find_event(event, "cuEventSynchronize");
    if (record == nullptr) {
        return kInvalidHandle;
    }
    run_up_to(*record, record->stream, record->marks);
    WorkOrder::instance().host_waits_for(record->clock);
    return device_state();
}

EMULATOR_EXPORT int cuEventElapsedTime(float* millis, uint64_t begin, uint64_t end) {
    const Guard guard(lock());
    const std::shared_ptr<EventRecord> first = find_event(begin, "cuEventElapsedTime");
    const std::shared_ptr<EventRecord> last = find_event(end, "cuEventElapsedTime");
    if (first == nullptr || last == nullptr) {
        return kInvalidHandle;
    }
    if (!first->recorded() || !last->recorded() || !first->timing || !last->timing) {
        return misuse(kInvalidHandle, "cuEventElapsedTime of an event that has not happened, or has no time");
    }
    *millis = (float)(last->millis - first->millis);
    return kSuccess;
}
