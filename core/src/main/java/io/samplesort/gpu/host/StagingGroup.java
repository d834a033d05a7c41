package io.samplesort.gpu.host;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Neighbouring blocks of host memory that share a buffer and a copy over the link. Threads take the blocks one by one
/// and move them between host memory and the buffer. The flow hands out blocks under its monitor; everything else may
/// be called at any time.
final class StagingGroup {
    /// The unit that one thread moves at a time: a piece of host memory and its place in the buffer.
    record Block(StagingGroup group, MemorySegment host, MemorySegment staged) {}

    /// States of the buffer.
    private static final int USED = 0;

    private static final int ASKED = 1;
    private static final int FREE = 2;

    private final TransferBatch batch;
    private final TransferBatch.Piece piece;
    private final StagingBuffer buffer;
    private final long blockBytes;
    private final AtomicLong movedBytes = new AtomicLong();
    private final AtomicInteger state = new AtomicInteger();
    private long takenBytes;

    /// @param piece no larger than the buffer
    StagingGroup(TransferBatch batch, TransferBatch.Piece piece, StagingBuffer buffer, long blockBytes) {
        this.batch = batch;
        this.piece = piece;
        this.buffer = buffer;
        this.blockBytes = blockBytes;
    }

    TransferBatch batch() {
        return batch;
    }

    /// Returns the device address where the group begins.
    long device() {
        return piece.device();
    }

    StagingBuffer buffer() {
        return buffer;
    }

    /// Returns the pinned memory that the copy over the link reads or writes.
    MemorySegment staged() {
        return buffer.segment().asSlice(0, byteSize());
    }

    private long byteSize() {
        return piece.host().byteSize();
    }

    /// Returns the next block.
    Block take() {
        long bytes = Math.min(blockBytes, byteSize() - takenBytes);
        MemorySegment host = piece.host().asSlice(takenBytes, bytes);
        Block block = new Block(this, host, buffer.segment().asSlice(takenBytes, bytes));
        takenBytes += bytes;
        return block;
    }

    /// Returns whether no block is left to take.
    boolean isTaken() {
        return takenBytes == byteSize();
    }

    /// Waits until the device is done with the buffer. One thread asks the driver, which takes a while, and the other
    /// threads watch the state that this thread sets. The event is not recorded again before all of them have passed
    /// here.
    void awaitBuffer() {
        for (int look = 1; state.get() != FREE; look++) {
            if (state.compareAndSet(USED, ASKED)) {
                askForBuffer();
            } else {
                FlowMonitor.pause(look);
            }
        }
    }

    private void askForBuffer() {
        boolean isFree = false;
        try {
            buffer.copied().synchronize();
            isFree = true;
        } finally {
            // After a failure the other threads ask the driver themselves.
            state.set(isFree ? FREE : USED);
        }
    }

    /// Counts a block as moved, and returns whether it was the last one of all.
    boolean isLast(Block block) {
        return movedBytes.addAndGet(block.host().byteSize()) == byteSize();
    }
}
