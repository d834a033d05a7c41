package io.samplesort.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;

/// Has the disk write a file now and then while more of it is made, so that little is left for the end. A system left
/// to itself would only begin after seconds or gigabytes.
///
/// A thread of its own waits for the disk, while others go on writing. Several threads may write.
final class EarlyForce implements Closeable {
    /// The disk begins to write when so much is there for it.
    private static final long FORCED_BYTES = 64L << 20;

    private final FileChannel channel;
    private long unforcedBytes;
    /// Waits for the disk, or has done so; null before the first time.
    private Thread forcing;
    /// A system tells only once that the disk has failed.
    private IOException failure;

    EarlyForce(FileChannel channel) {
        this.channel = channel;
    }

    /// Tells that bytes were written to the file.
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
            // The system refuses another thread, so the disk begins when the system has it begin, or in the end.
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

    /// Waits until nobody uses the channel any more. Nobody writes when this is called.
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
