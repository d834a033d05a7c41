package io.samplesort.disk;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;

/// Fills a segment from a file with several threads. A single thread does not reach the speed of the memory if the
/// system has the file in its cache, since each page of a fresh segment costs time too; and a disk works on several
/// requests at a time.
final class ParallelRead {
    private static final int MOST_THREADS = 4;

    /// How much a thread reads at a time.
    private static final long TURN_BYTES = 16L << 20;

    private final FileChannel channel;
    /// Null if everything is read through the cache.
    private final DirectRead direct;

    private final long position;
    private final MemorySegment target;
    private final LongConsumer moved;
    private final AtomicLong next = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    private ParallelRead(
            FileChannel channel, DirectRead direct, long position, MemorySegment target, LongConsumer moved) {
        this.channel = channel;
        this.direct = direct;
        this.position = position;
        this.target = target;
        this.moved = moved;
    }

    /// Fills a segment. When this returns or throws, no thread uses it any more.
    ///
    /// @param direct   the same file past the cache; null if all is read through it
    /// @param position of the first byte in the file
    /// @param moved    is called with the bytes of each piece, by several threads at once; an exception that it throws
    ///     ends the reading
    /// @throws IOException as by [SegmentIo#read]
    static void read(FileChannel channel, DirectRead direct, long position, MemorySegment target, LongConsumer moved)
            throws IOException {
        long turns = Math.ceilDiv(target.byteSize(), TURN_BYTES);
        // Asking for the number of processors is a call of the system, which a sort of many small files would repeat.
        long threads = turns <= 1
                ? turns
                : Math.min(Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()), turns);
        ParallelRead reading = new ParallelRead(channel, direct, position, target, moved);
        List<Thread> helpers = reading.startHelpers((int) threads - 1);
        reading.readTurns();
        helpers.forEach(Threads::join);
        Closing.rethrow(reading.failure.get());
    }

    private List<Thread> startHelpers(int count) {
        List<Thread> helpers = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                Thread helper = Thread.ofPlatform()
                        .daemon()
                        .name("samplesort-read-" + (i + 1))
                        .unstarted(this::readTurns);
                helper.start();
                helpers.add(helper);
            }
        } catch (OutOfMemoryError e) {
            // The system refuses another thread, so the existing ones read everything.
        }
        return helpers;
    }

    private void readTurns() {
        try {
            long size = target.byteSize();
            for (long from = next.getAndAdd(TURN_BYTES); from < size; from = next.getAndAdd(TURN_BYTES)) {
                if (failure.get() != null) {
                    return;
                }
                MemorySegment turn = target.asSlice(from, Math.min(TURN_BYTES, size - from));
                if (direct == null) {
                    SegmentIo.read(channel, position + from, turn, moved);
                } else {
                    direct.read(position + from, turn, moved);
                }
            }
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        }
    }
}
