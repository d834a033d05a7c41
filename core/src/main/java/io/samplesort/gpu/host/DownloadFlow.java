package io.samplesort.gpu.host;

import io.samplesort.cuda.Stream;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/// A flow from the device: a group is sent, then threads empty it. New groups begin as long as there are buffers, so
/// that the link has copies to do while threads empty other groups.
public final class DownloadFlow extends TransferFlow {
    private final AtomicLong writtenBytes = new AtomicLong();

    DownloadFlow(HostTransfer transfer, Stream stream, TransferPlan plan, StageClock clock) {
        super(transfer, stream, plan, clock);
    }

    /// Returns how many bytes of host memory have been written or are about to be.
    public long writtenBytes() {
        return writtenBytes.get();
    }

    @Override
    boolean beginsAhead() {
        return true;
    }

    @Override
    void groupBegun(StagingGroup group) {
        send(group);
    }

    @Override
    void move(StagingGroup.Block block) {
        writtenBytes.addAndGet(block.host().byteSize());
        HostCopy.copy(block.staged(), block.host(), block.host().byteSize());
    }

    @Override
    void groupMoved(StagingGroup group) {}

    @Override
    void sendPinned(TransferBatch batch, TransferBatch.Piece piece) {
        writtenBytes.addAndGet(piece.host().byteSize());
        super.sendPinned(batch, piece);
    }

    @Override
    void enqueueCopy(MemorySegment pinned, long device) {
        stream().copyToHost(pinned, device, pinned.byteSize());
    }
}
