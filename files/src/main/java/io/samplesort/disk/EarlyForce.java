package io.samplesort.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;

/// Makes the disk write a file now and then while it grows, so that little is left for the end. A system left to itself
/// would begin only after seconds or gigabytes.
///
/// A thread of its own waits for the disk, while others go on writing. Several threads may write.
final class EarlyForce implements Closeable {
    /// The disk begins to write when it has this many bytes to write.
    private static final long FORCED_BYTES = 64L << 20;

    private final FileChannel channel;
    private long unforcedBytes;
    /// The thread that waits for the disk, or has done so; null before the first time.
    private Thread forcing;
    /// The failure of the disk, which a system reports only once.
    private IOException failure;

    EarlyForce(FileChannel channel) {
        this.channel = channel;
    }

    /// Counts bytes that were written to the file.
    synchronized void wrote(long bytes) {
        unforcedBytes += bytes;
        if (unforcedBytes < FORCED_BYTES || (forcing != null && forcing.isAlive())) {
            return;
        }
        unforcedBytes = 0;
        forcing = Thread.ofPlatform().daemon().name("samplesort-force").unstarted(this::force);
        try {
            forcing.start();
        } catch (OutOfMemoryError e) {
            // The system refuses another thread, so the disk writes when the system decides, or in the end.
            forcing = null;
        }
    }

    private void force() {
        try {
            channel.force(false);
        } catch (IOException e) {
            fail(e);
        }
    }

    private synchronized void fail(IOException reason) {
        failure = reason;
    }

    /// Forces all that was written to the disk.
    ///
    /// @throws IOException if the disk has failed, now or earlier
    void finish() throws IOException {
        close();
        synchronized (this) {
            if (failure != null) {
                throw failure;
            }
        }
        channel.force(true);
    }

    /// Waits until the channel is not used any more. No thread may be writing when this is called.
    @Override
    public void close() {
        Thread last;
        synchronized (this) {
            last = forcing;
        }
        if (last != null) {
            Threads.join(last);
        }
    }
}
