package io.samplesort.gpu.inplace;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;

/// A second stream for a sort in place: splitters are chosen there while moves are planned on the first. The planning
/// has one block, which this way gets room on the GPU before the many blocks that choose splitters.
final class SideStream implements AutoCloseable {
    private final Owned owned = new Owned();
    private final Stream stream;
    private final Event crossing;
    private final Event told;

    SideStream(Context context) {
        try {
            stream = owned.add(Stream.create(context));
            crossing = owned.add(Event.create(context, false));
            told = owned.add(Event.create(context, false));
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Begins the use of this stream in addition to that of a sort. When the returned object is closed, the sort's
    /// stream waits for all work on this one, as the memory of a sort is given back in the order of its stream.
    Use beside(Stream sort) {
        return new Use(this, sort);
    }

    /// Marks that what the host waits for is on the stream of a sort by now.
    void tell(Stream sort) {
        told.record(sort);
    }

    /// Waits until the host has been told.
    void awaitTold() {
        told.synchronize();
    }

    /// One sort that uses the stream.
    record Use(SideStream side, Stream sort) implements AutoCloseable {
        Stream stream() {
            return side.stream;
        }

        /// Makes further work on this stream wait for what is on the stream of the sort by now.
        void follow() {
            side.crossing.record(sort);
            side.stream.waitFor(side.crossing);
        }

        @Override
        public void close() {
            side.crossing.record(side.stream);
            sort.waitFor(side.crossing);
        }
    }

    @Override
    public void close() {
        owned.close();
    }
}
