package io.samplesort.gpu.transfer;

import java.lang.foreign.MemorySegment;

/// Neighbouring blocks of host memory that share a buffer and a copy over the link. Threads take blocks one by one;
/// the group is whole when each has been moved, between host memory and the buffer. Used under the monitor of its
/// flow.
final class StagingGroup {
    /// What one thread moves at a time: a piece of host memory and its place in the buffer.
    record Block(StagingGroup group, MemorySegment host, MemorySegment staged) {}

    private final TransferFlow.Batch batch;
    private final TransferFlow.Piece piece;
    private final StagingBuffer buffer;
    private final long blockBytes;
    private long takenBytes;
    private long movedBytes;

    /// @param piece as many bytes as the buffer has, or fewer
    StagingGroup(TransferFlow.Batch batch, TransferFlow.Piece piece, StagingBuffer buffer, long blockBytes) {
        this.batch = batch;
        this.piece = piece;
        this.buffer = buffer;
        this.blockBytes = blockBytes;
    }

    TransferFlow.Batch batch() {
        return batch;
    }

    /// Where the group begins on the device.
    long device() {
        return piece.device();
    }

    StagingBuffer buffer() {
        return buffer;
    }

    /// What the copy over the link reads or writes.
    MemorySegment staged() {
        return buffer.segment().asSlice(0, byteSize());
    }

    private long byteSize() {
        return piece.host().byteSize();
    }

    /// The next block.
    Block take() {
        long bytes = Math.min(blockBytes, byteSize() - takenBytes);
        MemorySegment host = piece.host().asSlice(takenBytes, bytes);
        Block block = new Block(this, host, buffer.segment().asSlice(takenBytes, bytes));
        takenBytes += bytes;
        return block;
    }

    /// Whether there is no block left to take.
    boolean isTaken() {
        return takenBytes == byteSize();
    }

    /// Counts a block as moved.
    void moved(Block block) {
        movedBytes += block.host().byteSize();
    }

    boolean isWhole() {
        return movedBytes == byteSize();
    }
}
