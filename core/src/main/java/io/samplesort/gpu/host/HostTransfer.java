package io.samplesort.gpu.host;

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

/// Moves host memory of any kind to the device and back by [TransferFlow]s, whose threads share pinned buffers. Heap
/// memory itself is never handed to an asynchronous copy, since the garbage collector may move it. Memory that is
/// pinned already needs no staging. Buffers are made when they are first needed, as large as the flow needs them, and
/// are kept until this is closed. With the default tuning, a large transfer has 48 MiB of buffers, and twice as much if
/// another one runs in the other direction.
public final class HostTransfer implements AutoCloseable {
    /// Idle threads are kept for ten seconds, since starting new ones would cost a sort of a few MiB as much time as
    /// its copies.
    private static final Executor THREADS =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "samplesort-transfer");
                thread.setDaemon(true);
                return thread;
            });

    private final Context context;
    private final Tuning tuning;
    private final Executor threads;
    private final Deque<StagingBuffer> idle = new ArrayDeque<>();
    private final Owned owned = new Owned();

    public HostTransfer(Context context, Tuning tuning) {
        this(context, tuning, THREADS);
    }

    /// @param threads runs the helpers of all flows; it may start them late, even after the flow is over
    HostTransfer(Context context, Tuning tuning, Executor threads) {
        this.context = context;
        this.tuning = tuning;
        this.threads = threads;
    }

    Context context() {
        return context;
    }

    /// Opens a flow to the device on `stream`.
    ///
    /// @param bytes about how many bytes will go through it
    public UploadFlow up(Stream stream, long bytes, StageClock clock) {
        return new UploadFlow(this, stream, plan(bytes), clock);
    }

    /// Opens a flow from the device on `stream`.
    ///
    /// @param bytes about how many bytes will go through it
    public DownloadFlow down(Stream stream, long bytes, StageClock clock) {
        return new DownloadFlow(this, stream, plan(bytes), clock);
    }

    private TransferPlan plan(long bytes) {
        return TransferPlan.of(bytes, tuning, Runtime.getRuntime().availableProcessors());
    }

    /// Copies all of `source` to the device; returns when `source` has been read.
    public void upload(Stream stream, MemorySegment source, long device) {
        copy(up(stream, source.byteSize(), StageClock.none()), source, device);
    }

    /// Copies from the device to all of `target`; returns when it is complete.
    public void download(Stream stream, long device, MemorySegment target) {
        copy(down(stream, target.byteSize(), StageClock.none()), target, device);
    }

    private static void copy(TransferFlow flow, MemorySegment host, long device) {
        try (flow) {
            flow.submit(List.of(new TransferBatch.Part(host, device)), null);
            flow.finish();
        }
    }

    /// Returns whether the copy engines can reach this memory without staging.
    boolean isPinned(MemorySegment segment) {
        return segment.isNative() && PinnedMemory.isPinned(context, segment);
    }

    /// Starts work on another thread.
    void start(Runnable work) {
        threads.execute(work);
    }

    /// Lends a buffer of at least this many bytes to the caller, until it gives the buffer back.
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

    /// Takes back a buffer, which no copy uses any more.
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
