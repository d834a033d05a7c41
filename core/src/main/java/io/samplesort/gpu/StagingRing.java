package io.samplesort.gpu;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.PinnedMemory;
import java.lang.foreign.MemorySegment;

/// Two pinned buffers of one copying thread: it fills or empties one while the copy engine works on the other.
final class StagingRing implements AutoCloseable {
    private static final int BUFFER_COUNT = 2;

    /// A buffer, and the event that the copy engine is done with it; one that was never recorded counts as done.
    record Buffer(MemorySegment segment, Event done) {}

    private final Buffer[] buffers = new Buffer[BUFFER_COUNT];
    private final Owned owned = new Owned();
    private int next;

    StagingRing(Context context, long bufferBytes) {
        try {
            MemorySegment pinned = owned.add(PinnedMemory.allocate(context, BUFFER_COUNT * bufferBytes))
                    .segment();
            for (int i = 0; i < BUFFER_COUNT; i++) {
                buffers[i] = new Buffer(
                        pinned.asSlice(i * bufferBytes, bufferBytes), owned.add(Event.create(context, false)));
            }
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// The buffers in turn.
    Buffer next() {
        Buffer buffer = buffers[next];
        next = (next + 1) % BUFFER_COUNT;
        return buffer;
    }

    int size() {
        return BUFFER_COUNT;
    }

    @Override
    public void close() {
        owned.close();
    }
}
