package io.samplesort.gpu.host;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// The pinned buffers of one flow, each with room for a group. The flow holds its monitor whenever it uses this.
final class FlowBuffers {
    private final HostTransfer transfer;
    private final TransferPlan plan;
    private final List<StagingBuffer> all = new ArrayList<>();
    /// Buffers that no group uses. The first has been free for longest, so its copy is the first to end.
    private final Deque<StagingBuffer> free = new ArrayDeque<>();

    FlowBuffers(HostTransfer transfer, TransferPlan plan) {
        this.transfer = transfer;
        this.plan = plan;
    }

    /// Takes a buffer; returns null if all are in use.
    StagingBuffer take() {
        if (all.size() == plan.buffers()) {
            return free.poll();
        }
        StagingBuffer buffer = transfer.takeBuffer(plan.groupBytes());
        all.add(buffer);
        return buffer;
    }

    /// Takes a buffer back; a copy of it may still be on the stream.
    void release(StagingBuffer buffer) {
        free.add(buffer);
    }

    /// Gives all buffers back to other flows; no copy of theirs may be under way any more.
    void giveBack() {
        all.forEach(transfer::giveBack);
        all.clear();
    }
}
