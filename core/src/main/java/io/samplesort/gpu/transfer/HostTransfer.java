package io.samplesort.gpu.transfer;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Moves host memory of any kind to the device and back: by [TransferFlow]s, whose threads share pinned buffers. Heap
/// memory is never handed to an asynchronous copy itself, since the garbage collector may move it; memory that is
/// pinned already needs no staging. Buffers are made when they are first needed, as large as the flow needs them, and
/// kept until this is closed: with the default tuning 48 MiB for a large transfer, each way if both are under way at
/// once.
public final class HostTransfer implements AutoCloseable {
    /// Kept for ten seconds: starting threads anew would cost a sort of a few MiB as much as its copies.
    private static final Executor THREADS =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "samplesort-transfer");
                thread.setDaemon(true);
                return thread;
            });

    private final Context context;
    private final Tuning tuning;
    private final Deque<StagingBuffer> idle = new ArrayDeque<>();
    private final Owned owned = new Owned();

    public HostTransfer(Context context, Tuning tuning) {
        this.context = context;
        this.tuning = tuning;
    }

    Context context() {
        return context;
    }

    /// A flow to the device by way of `stream`.
    ///
    /// @param bytes how many will go through it, about
    public UploadFlow up(Stream stream, long bytes, StageClock clock) {
        return new UploadFlow(this, stream, plan(bytes), clock);
    }

    /// A flow from the device.
    public DownloadFlow down(Stream stream, long bytes, StageClock clock) {
        return new DownloadFlow(this, stream, plan(bytes), clock);
    }

    private TransferPlan plan(long bytes) {
        return TransferPlan.of(bytes, tuning, Runtime.getRuntime().availableProcessors());
    }

    /// Copies all of `source` to the device; returns when `source` has been read.
    public void upload(Stream stream, MemorySegment source, long device) {
        try (TransferFlow flow = up(stream, source.byteSize(), StageClock.none())) {
            flow.submit(List.of(new TransferFlow.Part(source, device)), null);
            flow.finish();
        }
    }

    /// Copies from the device to all of `target`; returns when it is complete.
    public void download(Stream stream, long device, MemorySegment target) {
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

    /// A buffer of so many bytes or more, for the caller until it gives it back.
    StagingBuffer takeBuffer(long bytes) {
        synchronized (idle) {
            for (Iterator<StagingBuffer> all = idle.iterator(); all.hasNext(); ) {
                StagingBuffer buffer = all.next();
                if (buffer.segment().byteSize() >= bytes) {
                    all.remove();
                    return buffer;
                }
            }
            return owned.add(new StagingBuffer(context, bytes));
        }
    }

    /// @param buffer no copy of which is under way any more
    void giveBack(StagingBuffer buffer) {
        synchronized (idle) {
            idle.push(buffer);
        }
    }

    @Override
    public void close() {
        owned.close();
    }
}
