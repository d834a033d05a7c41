package io.samplesort.gpu.transfer;

import java.lang.foreign.MemorySegment;

/// Neighbouring blocks of host memory that share a buffer and a copy over the link. Threads take the blocks one by one
/// and move them between host memory and the buffer. The flow uses this under its monitor.
final class StagingGroup {
    /// What one thread moves at a time: a piece of host memory and its place in the buffer.
    record Block(StagingGroup group, MemorySegment host, MemorySegment staged) {}

    private final TransferBatch batch;
    private final TransferBatch.Piece piece;
    private final StagingBuffer buffer;
    private final long blockBytes;
    private long takenBytes;
    private long movedBytes;

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

    /// Counts a block as moved.
    void moved(Block block) {
        movedBytes += block.host().byteSize();
    }

    /// Returns whether all blocks have been moved.
    boolean isMoved() {
        return movedBytes == byteSize();
    }
}
