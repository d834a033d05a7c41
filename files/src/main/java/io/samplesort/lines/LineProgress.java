package io.samplesort.lines;

import io.samplesort.files.types.FileListener;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/// Tells a listener how far a sort is. How often the lines will be read and written shows only when their end is known
/// to fit in memory or not; until then, it is what the sizes of the inputs let expect.
final class LineProgress {
    private final FileListener listener;
    private final AtomicLong movedBytes = new AtomicLong();
    private long totalBytes;

    LineProgress(FileListener listener) {
        this.listener = listener;
    }

    /// @param bytes how many bytes will be read and written; 0 if nobody knows, and nothing is told then
    void expect(long bytes) {
        totalBytes = bytes;
    }

    /// Returns what to tell of bytes that were read or written.
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
