package io.samplesort.gpu.host;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.errors.CudaException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Copies in one direction between host memory and the device, batch after batch.
///
/// Several threads take blocks in order and move them between host memory and pinned buffers. A group of blocks shares
/// a buffer and is sent by one copy, since each copy over the link has a fixed cost. All copies are on one stream. The
/// thread that submits batches helps while it waits for them. In a flow of few bytes it is the only thread, and works
/// as soon as it submits. The same holds for pinned memory.
///
/// A flow never deadlocks. A thread waits for a free buffer only while it has no block and no group has one to take. In
/// that state every block in a buffer belongs to a thread that works on it and waits only for copies that are on the
/// stream. So the block gets done, and with the last block of a group a buffer becomes free, however few threads and
/// buffers there are. Other flows make no difference, since each has buffers of its own. Copies wait only for gates
/// that were recorded before them, and never for a thread.
public abstract class TransferFlow implements AutoCloseable {
    private final HostTransfer transfer;
    private final Stream stream;
    private final TransferPlan plan;
    private final StageClock clock;
    private final FlowMonitor monitor;
    private final FlowBuffers buffers;
    private final Owned events = new Owned();
    /// Batches with bytes that are in no group yet.
    private final Deque<TransferBatch> pending = new ArrayDeque<>();
    /// Groups with blocks to take.
    private final Deque<StagingGroup> open = new ArrayDeque<>();

    private long begunBytes;
    private int runningHelpers;
    private boolean isAwake;
    private boolean isComplete;
    private boolean isFinished;

    TransferFlow(HostTransfer transfer, Stream stream, TransferPlan plan, StageClock clock) {
        this.transfer = transfer;
        this.stream = stream;
        this.plan = plan;
        this.clock = clock;
        this.monitor = new FlowMonitor(plan.awakeNanos());
        this.buffers = new FlowBuffers(transfer, plan);
    }

    final Stream stream() {
        return stream;
    }

    final StageClock clock() {
        return clock;
    }

    final FlowMonitor monitor() {
        return monitor;
    }

    /// Returns whether a new group begins whenever a buffer is free, and not only when no other block is left to take.
    abstract boolean beginsAhead();

    /// Called when a group has got a buffer, under the monitor.
    abstract void groupBegun(StagingGroup group);

    /// Called when all blocks of a group have been moved, under the monitor.
    abstract void groupMoved(StagingGroup group);

    /// Copies a block from host memory to its buffer or back; the device is done with the buffer by then. Several
    /// threads call this at once.
    abstract void move(StagingGroup.Block block);

    /// Puts a copy on the stream.
    abstract void enqueueCopy(MemorySegment pinned, long device);

    /// Sends memory that needs no buffer.
    void sendPinned(TransferBatch batch, TransferBatch.Piece piece) {
        batch.send(piece.host(), piece.device());
        batch.taken(piece.host().byteSize());
    }

    final void send(StagingGroup group) {
        group.batch().send(group.staged(), group.device());
        group.buffer().copied().record(stream);
    }

    /// Adds a batch. Batches begin in the order in which they are added.
    ///
    /// @param gate device work that has to end first; already recorded, or null
    public final TransferBatch submit(List<TransferBatch.Part> parts, Event gate) {
        Event done = events.add(Event.create(transfer.context(), false));
        List<TransferBatch.Piece> pieces = pieces(parts);
        TransferBatch batch = new TransferBatch(this, pieces, gate, done);
        if (batch.byteSize() == 0) {
            batch.recordDone();
            return batch;
        }
        monitor.change(() -> {
            monitor.rethrowFailure();
            pending.add(batch);
        });
        if (plan.helpers() == 0 || isPinned(pieces)) {
            work(() -> !hasBlocks());
            monitor.rethrowFailure();
        } else {
            wake();
        }
        return batch;
    }

    private List<TransferBatch.Piece> pieces(List<TransferBatch.Part> parts) {
        List<TransferBatch.Piece> pieces = new ArrayList<>();
        for (TransferBatch.Part part : parts) {
            if (part.host().byteSize() > 0) {
                pieces.add(new TransferBatch.Piece(part.host(), part.device(), transfer.isPinned(part.host())));
            }
        }
        return pieces;
    }

    private static boolean isPinned(List<TransferBatch.Piece> pieces) {
        boolean isPinned = true;
        for (TransferBatch.Piece piece : pieces) {
            isPinned &= piece.isPinned();
        }
        return isPinned;
    }

    /// Wakes the threads of this flow, unless they are awake.
    private void wake() {
        if (!isAwake) {
            isAwake = true;
            startHelper(0);
        }
    }

    /// Starts a helper, which starts two more, and so on. If one thread started all of them, that would take longer
    /// than the first copies.
    private void startHelper(int helper) {
        if (helper >= plan.helpers()) {
            return;
        }
        try {
            transfer.start(() -> help(helper));
        } catch (RuntimeException | Error e) {
            monitor.fail(e);
        }
    }

    /// Returns false if there is nothing left to help with. No thread waits for a helper that has not begun, since on a
    /// busy machine milliseconds may pass before the helper gets a processor.
    private boolean beginHelping() {
        if (monitor.hasFailed() || isComplete && !hasBlocks()) {
            return false;
        }
        runningHelpers++;
        return true;
    }

    private void help(int helper) {
        if (!monitor.alone(this::beginHelping)) {
            return;
        }
        startHelper(2 * helper + 1);
        startHelper(2 * helper + 2);
        try (Context.Scope scope = transfer.context().enter()) {
            work(() -> isComplete && !hasBlocks());
        } catch (Throwable e) {
            monitor.fail(e);
        } finally {
            monitor.change(() -> runningHelpers--);
        }
    }

    /// Waits until all batches are complete, on the host as well. No batch may be submitted after this.
    public final void finish() {
        monitor.change(() -> isComplete = true);
        work(() -> !hasBlocks());
        monitor.await(() -> runningHelpers == 0);
        monitor.rethrowFailure();
        // Only the device reads or writes the user's pinned memory.
        stream.synchronize();
        isFinished = true;
    }

    /// Moves blocks until there is no more to do. A failure is kept until the submitting thread asks for it.
    ///
    /// @param isOver evaluated under the monitor
    final void work(BooleanSupplier isOver) {
        try {
            for (StagingGroup.Block block = take(isOver); block != null; block = take(isOver)) {
                block.group().awaitBuffer();
                move(block);
                moved(block);
            }
        } catch (Throwable e) {
            monitor.fail(e);
        }
    }

    /// Waits for the next block; returns null if there is no more to do.
    private StagingGroup.Block take(BooleanSupplier isOver) {
        return monitor.alone(() -> {
            try {
                return takeNext(isOver);
            } catch (RuntimeException | Error e) {
                // This happens before any other thread enters, since a piece may be missing from its batch.
                monitor.fail(e);
                throw e;
            }
        });
    }

    private StagingGroup.Block takeNext(BooleanSupplier isOver) {
        // Groups begin before `isOver` is evaluated, since sending the last pinned memory may end the work as well.
        monitor.await(() -> monitor.hasFailed() || beginGroups() || isOver.getAsBoolean());
        if (monitor.hasFailed() || isOver.getAsBoolean()) {
            return null;
        }
        StagingGroup group = open.element();
        StagingGroup.Block block = group.take();
        group.batch().taken(block.host().byteSize());
        if (group.isTaken()) {
            open.remove();
        }
        return block;
    }

    private void moved(StagingGroup.Block block) {
        StagingGroup group = block.group();
        if (group.isLast(block)) {
            monitor.change(() -> {
                if (!monitor.hasFailed()) {
                    groupMoved(group);
                    buffers.release(group.buffer());
                }
            });
        }
    }

    /// Returns whether there are or will be blocks to take.
    private boolean hasBlocks() {
        return !open.isEmpty() || !pending.isEmpty();
    }

    /// Begins all groups that can begin, and returns whether there is a block to take.
    private boolean beginGroups() {
        while (!pending.isEmpty() && (open.isEmpty() || beginsAhead())) {
            TransferBatch batch = pending.element();
            if (batch.isNextPinned()) {
                sendPinned(batch, batch.nextPiece());
            } else {
                StagingBuffer buffer = buffers.take();
                if (buffer == null) {
                    break;
                }
                TransferBatch.Piece piece = batch.nextPiece(plan.groupBytes(begunBytes));
                long bytes = piece.host().byteSize();
                begunBytes += bytes;
                StagingGroup group = new StagingGroup(batch, piece, buffer, plan.blockBytes(bytes));
                groupBegun(group);
                open.add(group);
            }
            if (batch.isHandedOut()) {
                pending.remove();
            }
        }
        return !open.isEmpty();
    }

    /// Closes after a failure. The caller is to learn this failure, so any further one is only added to it.
    public final void closeAfter(Throwable failure) {
        try {
            close();
        } catch (CudaException e) {
            // On a lost GPU this fails as well, but no copy is under way any more.
            failure.addSuppressed(e);
        }
    }

    /// Waits until no thread uses host memory or a buffer any more, whatever has happened.
    @Override
    public final void close() {
        monitor.change(() -> {
            if (!isComplete && !monitor.hasFailed()) {
                monitor.fail(new IllegalStateException("this transfer was given up"));
            }
        });
        monitor.await(() -> runningHelpers == 0);
        try {
            if (!isFinished) {
                stream.synchronize();
            }
        } catch (CudaException e) {
            // The failure has already been thrown, and a lost device copies nothing.
        }
        buffers.giveBack();
        events.close();
    }
}
