package io.samplesort.gpu.host;

import io.samplesort.cuda.Stream;
import java.lang.foreign.MemorySegment;

/// A flow to the device: threads fill a group, then it is sent. The next group begins when all blocks of the one before
/// it are taken, so that threads fill each group together and not one group each. A buffer is free as soon as its group
/// is sent; the thread that fills it next waits for the copy.
public final class UploadFlow extends TransferFlow {
    UploadFlow(HostTransfer transfer, Stream stream, TransferPlan plan, StageClock clock) {
        super(transfer, stream, plan, clock);
    }

    @Override
    boolean beginsAhead() {
        return false;
    }

    @Override
    void groupBegun(StagingGroup group) {}

    @Override
    void move(StagingGroup.Block block) {
        HostCopy.copy(block.host(), block.staged(), block.host().byteSize());
    }

    @Override
    void groupMoved(StagingGroup group) {
        send(group);
    }

    @Override
    void enqueueCopy(MemorySegment pinned, long device) {
        stream().copyToDevice(device, pinned, pinned.byteSize());
    }
}
