package io.samplesort.gpu.host;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import java.lang.foreign.MemorySegment;

/// Pinned memory that several threads fill or empty together and that one copy carries over the link. Its event is
/// reached when that copy is done; an event that was never recorded counts as reached.
final class StagingBuffer implements AutoCloseable {
    private final Owned owned = new Owned();
    private final MemorySegment segment;
    private final Event copied;

    StagingBuffer(Context context, long bytes) {
        try {
            segment = owned.add(PinnedMemory.allocate(context, bytes)).segment();
            copied = owned.add(Event.create(context, false));
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    MemorySegment segment() {
        return segment;
    }

    Event copied() {
        return copied;
    }

    @Override
    public void close() {
        owned.close();
    }
}
