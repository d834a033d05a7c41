package io.samplesort.gpu;

import io.samplesort.Tuning;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Moves host memory of any kind to the device and back: by [TransferFlow]s, whose threads each have a [StagingRing] of
/// pinned buffers. Heap memory is never handed to an asynchronous copy itself, since the garbage collector may move it;
/// memory that is pinned already needs no staging. Buffers are made when they are first needed and kept until this is
/// closed: with the default tuning 4 MiB for each thread.
final class HostTransfer implements AutoCloseable {
    /// Kept for ten seconds: starting threads anew would cost a sort of a few MiB as much as its copies.
    private static final Executor THREADS =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "samplesort-transfer");
                thread.setDaemon(true);
                return thread;
            });

    /// Smaller ones cost the driver more than the copy engine.
    private static final long MIN_BLOCK_BYTES = 128 << 10;

    private static final int BLOCKS_PER_THREAD = 4;

    /// Fewer cost more to wake a thread for than to copy.
    private static final long MAX_BYTES_PER_THREAD = 1 << 20;

    /// The same where buffers are small.
    private static final int BUFFERS_PER_THREAD = 8;

    private final Context context;
    private final int maxThreads;
    private final long bufferBytes;
    private final Deque<StagingRing> idle = new ArrayDeque<>();
    private final Owned owned = new Owned();

    HostTransfer(Context context, Tuning tuning) {
        this.context = context;
        this.maxThreads =
                Math.min(tuning.transferThreads(), Runtime.getRuntime().availableProcessors());
        this.bufferBytes = tuning.transferBytes();
    }

    Context context() {
        return context;
    }

    /// A flow to the device by way of `stream`.
    ///
    /// @param bytes how many will go through it, about
    TransferFlow up(Stream stream, long bytes, StageClock clock) {
        return flow(stream, true, bytes, clock);
    }

    /// A flow from the device.
    TransferFlow down(Stream stream, long bytes, StageClock clock) {
        return flow(stream, false, bytes, clock);
    }

    private TransferFlow flow(Stream stream, boolean isUp, long bytes, StageClock clock) {
        // Small enough that all threads have some, and the first copy begins soon.
        long share = bytes / ((long) BLOCKS_PER_THREAD * maxThreads);
        long blockBytes = Math.min(bufferBytes, Math.max(MIN_BLOCK_BYTES, Long.highestOneBit(Math.max(1, share))));
        long perThread = Math.min(MAX_BYTES_PER_THREAD, BUFFERS_PER_THREAD * bufferBytes);
        int helpers = Math.clamp(bytes / perThread, 1, maxThreads) - 1;
        return new TransferFlow(this, stream, isUp, helpers, blockBytes, clock);
    }

    /// Copies all of `source` to the device; returns when `source` has been read.
    void upload(Stream stream, MemorySegment source, long device) {
        try (TransferFlow flow = up(stream, source.byteSize(), StageClock.none())) {
            flow.submit(List.of(new TransferFlow.Part(source, device)), null);
            flow.finish();
        }
    }

    /// Copies from the device to all of `target`; returns when it is complete.
    void download(Stream stream, long device, MemorySegment target) {
        try (TransferFlow flow = down(stream, target.byteSize(), StageClock.none())) {
            flow.submit(List.of(new TransferFlow.Part(target, device)), null);
            flow.finish();
        }
    }

    /// Whether the copy engines reach this memory themselves.
    boolean isPinned(MemorySegment segment) {
        return segment.isNative() && PinnedMemory.isPinned(context, segment);
    }

    /// Has another thread do something.
    void start(Runnable work) {
        THREADS.execute(work);
    }

    /// A ring for the calling thread until it gives it back.
    StagingRing takeRing() {
        synchronized (idle) {
            if (!idle.isEmpty()) {
                return idle.pop();
            }
        }
        StagingRing ring = new StagingRing(context, bufferBytes);
        synchronized (idle) {
            return owned.add(ring);
        }
    }

    void giveBack(StagingRing ring) {
        synchronized (idle) {
            idle.push(ring);
        }
    }

    @Override
    public void close() {
        owned.close();
    }
}
