package io.samplesort.gpu;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Stream;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Where the copies of a [TransferFlow] are: on its stream, or in turn on a few lanes, which are streams beside it, so
/// that the copy engine can begin one copy while another ends. Whatever comes before and after them is on its stream.
final class CopyStreams implements AutoCloseable {
    private final Context context;
    private final Stream stream;
    private final List<Stream> lanes;
    private final AtomicInteger copies = new AtomicInteger();
    private final Owned events = new Owned();
    private boolean isForked;

    /// @param lanes empty if the copies are to be on `stream` itself
    CopyStreams(Context context, Stream stream, List<Stream> lanes) {
        this.context = context;
        this.stream = stream;
        this.lanes = lanes;
    }

    /// Lets the copies to come wait for what is on the stream already, and for an event.
    ///
    /// @param gate null if there is none
    void waitFor(Event gate) {
        if (!isForked && !lanes.isEmpty()) {
            Event before = event();
            before.record(stream);
            lanes.forEach(lane -> lane.waitFor(before));
        }
        isForked = true;
        if (gate != null) {
            stream.waitFor(gate);
            lanes.forEach(lane -> lane.waitFor(gate));
        }
    }

    /// Lets what comes on the stream wait for all copies so far.
    void join() {
        for (Stream lane : lanes) {
            Event after = event();
            after.record(lane);
            stream.waitFor(after);
        }
    }

    /// The stream of the next copy.
    Stream next() {
        return lanes.isEmpty() ? stream : lanes.get(Math.floorMod(copies.getAndIncrement(), lanes.size()));
    }

    /// An event until this is closed.
    Event event() {
        Event event = Event.create(context, false);
        synchronized (events) {
            return events.add(event);
        }
    }

    /// Waits for all copies, whether they have been joined or not.
    void synchronize() {
        lanes.forEach(Stream::synchronize);
        stream.synchronize();
    }

    @Override
    public void close() {
        events.close();
    }
}
