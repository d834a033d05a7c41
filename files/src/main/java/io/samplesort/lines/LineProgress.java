package io.samplesort.lines;

import io.samplesort.files.types.FileListener;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/// Tells a listener how far a sort is. How often the lines will be read and written is certain only when it is known
/// whether they all fit in memory; until then, it is estimated from the sizes of the inputs.
final class LineProgress {
    private final FileListener listener;
    private final AtomicLong movedBytes = new AtomicLong();
    private long totalBytes;

    LineProgress(FileListener listener) {
        this.listener = listener;
    }

    /// @param bytes how many bytes will be read and written; 0 if not known, in which case nothing is reported
    void expect(long bytes) {
        totalBytes = bytes;
    }

    /// Returns what to call with the bytes that were read or written.
    LongConsumer consumer() {
        return totalBytes == 0 ? bytes -> {} : this::moved;
    }

    private void moved(long bytes) {
        long now = movedBytes.addAndGet(bytes);
        synchronized (listener) {
            listener.moved(Math.min(now, totalBytes), totalBytes);
        }
    }
}
