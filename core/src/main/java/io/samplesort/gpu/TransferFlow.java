package io.samplesort.gpu;

import io.samplesort.CudaException;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Stream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Copies in one direction between host memory and the device, batch after batch. Several threads take blocks of the
/// batches in order; each stages its blocks through its own pinned buffers, so no thread waits for another, and all put
/// their copies on one stream, which keeps the copy engine busy. The thread that submits batches helps while it waits
/// for
/// them. A flow of few bytes has no other threads and works when a batch is submitted.
final class TransferFlow implements AutoCloseable {
    /// Host memory and the device address of its twin.
    record Part(MemorySegment host, long device) {}

    private record Block(Batch batch, MemorySegment host, long device, boolean isPinned) {}

    /// A block on its way from the device to a buffer.
    private record Landing(StagingRing.Buffer buffer, MemorySegment host) {}

    private final HostTransfer transfer;
    private final Context context;
    private final Stream stream;
    private final boolean isUp;
    private final StageClock clock;
    private final int helpers;
    private final long blockBytes;
    private final CountDownLatch ended;
    private final List<Batch> batches = new ArrayList<>();
    private final AtomicLong writtenBytes = new AtomicLong();
    private final Owned events = new Owned();
    /// The batches before this one have no blocks left to take.
    private int current;

    private boolean isStarted;
    private boolean isComplete;
    private boolean isFinished;
    private Throwable failure;

    TransferFlow(HostTransfer transfer, Stream stream, boolean isUp, int helpers, long blockBytes, StageClock clock) {
        this.transfer = transfer;
        this.context = transfer.context();
        this.stream = stream;
        this.isUp = isUp;
        this.helpers = helpers;
        this.blockBytes = blockBytes;
        this.clock = clock;
        this.ended = new CountDownLatch(helpers);
    }

    /// Parts that are copied one after another and complete together.
    final class Batch {
        private final Deque<Block> parts = new ArrayDeque<>();
        private final Event gate;
        private final Event done = events.add(Event.create(context, false));
        private final CountDownLatch enqueued = new CountDownLatch(1);
        private final long bytes;
        private final AtomicLong leftBytes;
        private boolean isBegun;

        private Batch(List<Part> parts, Event gate) {
            this.gate = gate;
            long sum = 0;
            for (Part part : parts) {
                if (part.host().byteSize() > 0) {
                    this.parts.add(new Block(this, part.host(), part.device(), transfer.isPinned(part.host())));
                    sum += part.host().byteSize();
                }
            }
            this.bytes = sum;
            this.leftBytes = new AtomicLong(sum);
        }

        /// The next block; null if there is none left.
        private Block next() {
            if (!isBegun) {
                isBegun = true;
                // Before any copy of this batch is put on the stream, whoever puts it there.
                if (gate != null) {
                    stream.waitFor(gate);
                }
                clock.begin(stream);
            }
            Block part = parts.poll();
            if (part == null || part.isPinned() || part.host().byteSize() <= blockBytes) {
                return part;
            }
            long length = blockBytes;
            parts.push(new Block(this, part.host().asSlice(length), part.device() + length, false));
            return new Block(this, part.host().asSlice(0, length), part.device(), false);
        }

        private void enqueued(long copiedBytes) {
            if (leftBytes.addAndGet(-copiedBytes) == 0) {
                clock.end(stream, bytes);
                done.record(stream);
                enqueued.countDown();
            }
        }

        /// An event for when the device is done with this batch. Waits until all copies are on their way.
        Event completion() {
            work(() -> takeOf(this), () -> null);
            awaitUninterruptibly(enqueued);
            rethrowFailure();
            return done;
        }
    }

    /// Adds a batch, which begins when those before it have.
    ///
    /// @param gate device work that has to be done first; recorded already, or null
    Batch submit(List<Part> parts, Event gate) {
        Batch batch = new Batch(parts, gate);
        if (batch.bytes == 0) {
            batch.done.record(stream);
            batch.enqueued.countDown();
            return batch;
        }
        synchronized (this) {
            rethrowFailure();
            batches.add(batch);
            notifyAll();
        }
        if (helpers == 0) {
            work(() -> take(false), () -> null);
            rethrowFailure();
        } else if (!isStarted) {
            start();
        }
        return batch;
    }

    private void start() {
        isStarted = true;
        for (int i = 0; i < helpers; i++) {
            try {
                transfer.start(this::help);
            } catch (RuntimeException | Error e) {
                fail(e);
                ended.countDown();
            }
        }
    }

    /// Waits until all batches are complete, on the host as well. None may be submitted any more.
    void finish() {
        synchronized (this) {
            isComplete = true;
            notifyAll();
        }
        work(() -> take(false), () -> null);
        if (isStarted) {
            awaitUninterruptibly(ended);
        }
        rethrowFailure();
        // Pinned memory is written by the device alone.
        stream.synchronize();
        isFinished = true;
    }

    /// Bytes of host memory that have been written, or are about to be.
    long writtenBytes() {
        return writtenBytes.get();
    }

    private void help() {
        try (Context.Scope scope = context.enter()) {
            work(() -> take(false), () -> take(true));
        } catch (Throwable e) {
            fail(e);
        } finally {
            ended.countDown();
        }
    }

    /// Copies blocks until there is none. A failure is kept for whoever asks.
    ///
    /// @param ready gives the next block, or null if there is none at the moment
    /// @param last  the same where this is about to end; it may wait for one
    private void work(Supplier<Block> ready, Supplier<Block> last) {
        Block block = orElse(ready.get(), last);
        if (block == null) {
            return;
        }
        try {
            StagingRing ring = transfer.takeRing();
            Deque<Landing> landings = new ArrayDeque<>();
            try {
                while (block != null) {
                    copy(block, ring, landings);
                    block = ready.get();
                    if (block == null) {
                        // Rather than leave finished work lying about while there is nothing to begin.
                        landAll(landings, 0);
                        block = last.get();
                    }
                }
            } finally {
                transfer.giveBack(ring);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    private static Block orElse(Block block, Supplier<Block> last) {
        return block == null ? last.get() : block;
    }

    private void copy(Block block, StagingRing ring, Deque<Landing> landings) {
        MemorySegment host = block.host();
        long bytes = host.byteSize();
        if (block.isPinned()) {
            writtenBytes.addAndGet(bytes);
            if (isUp) {
                stream.copyToDevice(block.device(), host, bytes);
            } else {
                stream.copyToHost(host, block.device(), bytes);
            }
        } else if (isUp) {
            StagingRing.Buffer buffer = ring.next();
            buffer.done().synchronize();
            HostCopy.copy(host, buffer.segment(), bytes);
            stream.copyToDevice(block.device(), buffer.segment(), bytes);
            buffer.done().record(stream);
        } else {
            landAll(landings, ring.size() - 1);
            StagingRing.Buffer buffer = ring.next();
            // Somebody else's upload may still read it.
            buffer.done().synchronize();
            stream.copyToHost(buffer.segment(), block.device(), bytes);
            buffer.done().record(stream);
            landings.add(new Landing(buffer, host));
        }
        block.batch().enqueued(bytes);
    }

    private void landAll(Deque<Landing> landings, int leftOver) {
        while (landings.size() > leftOver) {
            Landing landing = landings.poll();
            landing.buffer().done().synchronize();
            writtenBytes.addAndGet(landing.host().byteSize());
            HostCopy.copy(
                    landing.buffer().segment(), landing.host(), landing.host().byteSize());
        }
    }

    /// The next block of one batch; null if there is none.
    private synchronized Block takeOf(Batch batch) {
        return failure == null
                        && current < batches.size()
                        && batches.get(current).equals(batch)
                ? batch.next()
                : null;
    }

    /// The next block of all batches; null if there is none and, where this waits, will be none.
    private synchronized Block take(boolean waits) {
        while (failure == null) {
            Block block = current < batches.size() ? batches.get(current).next() : null;
            if (block != null) {
                return block;
            }
            if (current < batches.size()) {
                current++;
            } else if (!waits || isComplete) {
                return null;
            } else {
                try {
                    wait();
                } catch (InterruptedException e) {
                    // These threads are ours: nobody has a reason to.
                    throw new IllegalStateException("a thread that copies to or from a GPU was interrupted", e);
                }
            }
        }
        return null;
    }

    private synchronized void fail(Throwable e) {
        if (failure == null) {
            failure = e;
        } else if (!failure.equals(e)) {
            failure.addSuppressed(e);
        }
        batches.forEach(batch -> batch.enqueued.countDown());
        notifyAll();
    }

    private synchronized void rethrowFailure() {
        switch (failure) {
            case null -> {}
            case Error error -> throw error;
            case RuntimeException exception -> throw exception;
            default -> throw new AssertionError("only unchecked ones are thrown", failure);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean wasInterrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits until no thread touches host memory or a buffer any more, whatever has happened.
    @Override
    public void close() {
        synchronized (this) {
            if (!isComplete && failure == null) {
                failure = new IllegalStateException("this transfer was given up");
            }
            notifyAll();
        }
        if (isStarted) {
            awaitUninterruptibly(ended);
        }
        try {
            if (!isFinished) {
                stream.synchronize();
            }
        } catch (CudaException e) {
            // What went wrong has been thrown already; a device that is lost copies nothing.
        }
        events.close();
    }
}
