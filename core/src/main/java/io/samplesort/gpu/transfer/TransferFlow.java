package io.samplesort.gpu.transfer;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.types.CudaException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Copies in one direction between host memory and the device, batch after batch. Several threads take blocks in
/// order and move them between host memory and pinned buffers. A group of blocks shares a buffer and is sent by one
/// copy, since a copy over the link costs some time beside its bytes. All copies are on one stream. The thread that
/// submits batches helps while it waits for them; in a flow of few bytes it is the only one, and works when it
/// submits.
///
/// This cannot come to a standstill. A thread waits for a free buffer only while it has no block and no group has one
/// to take. Then every block in a buffer belongs to a thread that is at it and waits for nothing but copies that are
/// on the stream. So it gets done, and with the last block of a group a buffer is free, however few threads and
/// buffers there are. Other flows make no difference, in the other direction or not: each has buffers of its own.
/// Copies wait only for gates, which were recorded before them, hence never for a thread.
public abstract class TransferFlow implements AutoCloseable {
    /// Host memory and the device address of its twin.
    public record Part(MemorySegment host, long device) {}

    /// What is left of a part, or a group's share of it.
    record Piece(MemorySegment host, long device, boolean isPinned) {
        Piece slice(long from, long to) {
            return new Piece(host.asSlice(from, to - from), device + from, isPinned);
        }
    }

    private final HostTransfer transfer;
    private final Context context;
    private final Stream stream;
    private final TransferPlan plan;
    private final StageClock clock;
    private final Owned events = new Owned();
    /// Batches with bytes that are in no group yet.
    private final Deque<Batch> pending = new ArrayDeque<>();
    /// Groups with blocks to take.
    private final Deque<StagingGroup> open = new ArrayDeque<>();
    private final List<StagingBuffer> buffers = new ArrayList<>();
    /// Buffers that no group has, the one first that has been so for longest: its copy is the first to be done.
    private final Deque<StagingBuffer> free = new ArrayDeque<>();

    private int runningHelpers;
    private boolean isStarted;
    private boolean isComplete;
    private boolean isFinished;
    private Throwable failure;

    TransferFlow(HostTransfer transfer, Stream stream, TransferPlan plan, StageClock clock) {
        this.transfer = transfer;
        this.context = transfer.context();
        this.stream = stream;
        this.plan = plan;
        this.clock = clock;
    }

    final Stream stream() {
        return stream;
    }

    /// Parts that are copied one after another and complete together.
    public final class Batch {
        private final Deque<Piece> pieces = new ArrayDeque<>();
        private final Event gate;
        private final Event done = events.add(Event.create(context, false));
        private final long bytes;
        private long untakenBytes;
        private long unsentBytes;

        private Batch(List<Part> parts, Event gate) {
            this.gate = gate;
            long sum = 0;
            for (Part part : parts) {
                if (part.host().byteSize() > 0) {
                    pieces.add(new Piece(part.host(), part.device(), transfer.isPinned(part.host())));
                    sum += part.host().byteSize();
                }
            }
            this.bytes = sum;
            this.untakenBytes = sum;
            this.unsentBytes = sum;
        }

        /// Cuts off the next group's share.
        private Piece nextPiece() {
            Piece piece = pieces.pop();
            long most = plan.groupBytes();
            if (piece.host().byteSize() <= most) {
                return piece;
            }
            pieces.push(piece.slice(most, piece.host().byteSize()));
            return piece.slice(0, most);
        }

        private void send(MemorySegment pinned, long device) {
            if (unsentBytes == bytes) {
                if (gate != null) {
                    stream.waitFor(gate);
                }
                clock.begin(stream);
            }
            putCopy(pinned, device);
            unsentBytes -= pinned.byteSize();
            if (unsentBytes == 0) {
                clock.end(stream, bytes);
                done.record(stream);
                TransferFlow.this.notifyAll();
            }
        }

        /// An event for when the device is done with this batch. Waits until all copies are on their way.
        public Event completion() {
            // Blocks of later batches are left to others.
            work(() -> untakenBytes == 0 || unsentBytes == 0);
            synchronized (TransferFlow.this) {
                awaitUntil(() -> unsentBytes == 0 || failure != null);
                rethrowFailure();
            }
            return done;
        }
    }

    /// Whether groups are begun wherever there are buffers, rather than where there is no other block to take.
    abstract boolean beginsAhead();

    /// A group has got a buffer. Called under this monitor, like [#whole].
    abstract void begun(StagingGroup group);

    /// All blocks of a group have been moved.
    abstract void whole(StagingGroup group);

    /// Copies a block from host memory to its buffer or back, when the device is done with the buffer. Called by
    /// several threads at once.
    abstract void move(StagingGroup.Block block);

    /// Puts a copy on the stream.
    abstract void putCopy(MemorySegment pinned, long device);

    final void send(StagingGroup group) {
        group.batch().send(group.staged(), group.device());
        group.buffer().copied().record(stream);
    }

    /// Sends memory that needs no buffer.
    void sendPinned(Batch batch, Piece piece) {
        batch.send(piece.host(), piece.device());
        batch.untakenBytes -= piece.host().byteSize();
    }

    /// Adds a batch, which begins when those before it have.
    ///
    /// @param gate device work that has to be done first; recorded already, or null
    public final Batch submit(List<Part> parts, Event gate) {
        Batch batch = new Batch(parts, gate);
        if (batch.bytes == 0) {
            batch.done.record(stream);
            return batch;
        }
        synchronized (this) {
            rethrowFailure();
            pending.add(batch);
            notifyAll();
        }
        if (plan.helpers() == 0) {
            work(() -> !hasBlocks());
            rethrowFailure();
        } else if (!isStarted) {
            start();
        }
        return batch;
    }

    private void start() {
        isStarted = true;
        for (int i = 0; i < plan.helpers(); i++) {
            try {
                change(() -> runningHelpers++);
                transfer.start(this::help);
            } catch (RuntimeException | Error e) {
                change(() -> runningHelpers--);
                fail(e);
            }
        }
    }

    private void help() {
        try (Context.Scope scope = context.enter()) {
            work(() -> isComplete && !hasBlocks());
        } catch (Throwable e) {
            fail(e);
        } finally {
            change(() -> runningHelpers--);
        }
    }

    /// Waits until all batches are complete, on the host as well. None may be submitted any more.
    public final void finish() {
        change(() -> isComplete = true);
        work(() -> !hasBlocks());
        awaitHelpers();
        rethrowFailure();
        // Pinned memory is written by the device alone.
        stream.synchronize();
        isFinished = true;
    }

    /// Moves blocks until there is no more to do. A failure is kept for whoever asks.
    ///
    /// @param isOver asked under this monitor
    private void work(BooleanSupplier isOver) {
        try {
            for (StagingGroup.Block block = take(isOver); block != null; block = take(isOver)) {
                move(block);
                moved(block);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    /// The next block, as soon as there is one; null if there is no more to do.
    private synchronized StagingGroup.Block take(BooleanSupplier isOver) {
        // In this order: to send the last of pinned memory ends it, too.
        awaitUntil(() -> failure != null || beginsGroups() || isOver.getAsBoolean());
        if (failure != null || isOver.getAsBoolean()) {
            return null;
        }
        StagingGroup group = open.peek();
        StagingGroup.Block block = group.take();
        group.batch().untakenBytes -= block.host().byteSize();
        if (group.isTaken()) {
            open.remove();
        }
        return block;
    }

    private synchronized void moved(StagingGroup.Block block) {
        StagingGroup group = block.group();
        group.moved(block);
        if (group.isWhole() && failure == null) {
            whole(group);
            free.add(group.buffer());
            notifyAll();
        }
    }

    /// Whether there are blocks to take, now or later.
    private boolean hasBlocks() {
        return !open.isEmpty() || !pending.isEmpty();
    }

    /// Begins what groups can be. True if there is a block to take.
    private boolean beginsGroups() {
        while (!pending.isEmpty() && (open.isEmpty() || beginsAhead())) {
            Batch batch = pending.peek();
            if (batch.pieces.peek().isPinned()) {
                sendPinned(batch, batch.pieces.pop());
            } else {
                StagingBuffer buffer = freeBuffer();
                if (buffer == null) {
                    break;
                }
                StagingGroup group = new StagingGroup(batch, batch.nextPiece(), buffer, plan.blockBytes());
                begun(group);
                open.add(group);
            }
            if (batch.pieces.isEmpty()) {
                pending.remove();
            }
        }
        return !open.isEmpty();
    }

    /// Null if all are in use.
    private StagingBuffer freeBuffer() {
        if (buffers.size() == plan.buffers()) {
            return free.poll();
        }
        StagingBuffer buffer = transfer.takeBuffer(plan.groupBytes());
        buffers.add(buffer);
        return buffer;
    }

    private synchronized void change(Runnable change) {
        change.run();
        notifyAll();
    }

    private void fail(Throwable e) {
        change(() -> {
            if (failure == null) {
                failure = e;
            } else if (!failure.equals(e)) {
                failure.addSuppressed(e);
            }
        });
    }

    private synchronized void rethrowFailure() {
        switch (failure) {
            case null -> {}
            case Error error -> throw error;
            case RuntimeException exception -> throw exception;
            default -> throw new AssertionError("only unchecked ones are thrown", failure);
        }
    }

    private synchronized void awaitHelpers() {
        awaitUntil(() -> runningHelpers == 0);
    }

    /// Waits on this monitor; an interrupt is kept for later, since host memory must not be left half copied.
    private void awaitUntil(BooleanSupplier condition) {
        boolean wasInterrupted = false;
        try {
            while (!condition.getAsBoolean()) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                }
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Waits until no thread touches host memory or a buffer any more, whatever has happened.
    @Override
    public final void close() {
        change(() -> {
            if (!isComplete && failure == null) {
                failure = new IllegalStateException("this transfer was given up");
            }
        });
        awaitHelpers();
        try {
            if (!isFinished) {
                stream.synchronize();
            }
        } catch (CudaException e) {
            // What went wrong has been thrown already; a device that is lost copies nothing.
        }
        buffers.forEach(transfer::giveBack);
        buffers.clear();
        events.close();
    }
}
