package io.samplesort.gpu.host;

import io.samplesort.cuda.Event;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// Parts of host memory that a [TransferFlow] copies one after another and that complete together. All methods that
/// change its state are called under the monitor of the flow.
public final class TransferBatch {
    /// Host memory, and the device address that it is copied to or from.
    public record Part(MemorySegment host, long device) {}

    /// The rest of a part, or what one group takes of it.
    record Piece(MemorySegment host, long device, boolean isPinned) {
        Piece slice(long from, long to) {
            return new Piece(host.asSlice(from, to - from), device + from, isPinned);
        }
    }

    private final TransferFlow flow;
    private final Deque<Piece> pieces = new ArrayDeque<>();
    private final Event gate;
    private final Event done;
    private final long byteSize;
    private long untakenBytes;
    private long unsentBytes;

    /// @param pieces without empty ones
    /// @param gate   device work that has to end before the first copy; already recorded, or null
    /// @param done   recorded after the last copy
    TransferBatch(TransferFlow flow, List<Piece> pieces, Event gate, Event done) {
        this.flow = flow;
        this.pieces.addAll(pieces);
        this.gate = gate;
        this.done = done;
        long sum = 0;
        for (Piece piece : pieces) {
            sum += piece.host().byteSize();
        }
        byteSize = sum;
        untakenBytes = sum;
        unsentBytes = sum;
    }

    long byteSize() {
        return byteSize;
    }

    /// Returns whether all pieces have been handed out.
    boolean isHandedOut() {
        return pieces.isEmpty();
    }

    boolean isNextPinned() {
        return pieces.getFirst().isPinned();
    }

    /// Hands out the next piece.
    Piece nextPiece() {
        return pieces.pop();
    }

    /// Hands out the next piece, or the first `most` bytes of it.
    Piece nextPiece(long most) {
        Piece piece = pieces.pop();
        if (piece.host().byteSize() <= most) {
            return piece;
        }
        pieces.push(piece.slice(most, piece.host().byteSize()));
        return piece.slice(0, most);
    }

    /// Counts bytes that a thread has taken to move, or that need no thread.
    void taken(long bytes) {
        untakenBytes -= bytes;
    }

    /// Puts a copy of this batch on the stream.
    void send(MemorySegment pinned, long device) {
        if (unsentBytes == byteSize) {
            if (gate != null) {
                flow.stream().waitFor(gate);
            }
            flow.clock().begin(flow.stream());
        }
        flow.enqueueCopy(pinned, device);
        unsentBytes -= pinned.byteSize();
        if (unsentBytes == 0) {
            flow.clock().end(flow.stream(), byteSize);
            recordDone();
        }
    }

    /// Marks the batch as done at the present end of the stream, and wakes those who wait for that.
    void recordDone() {
        flow.monitor().change(() -> done.record(flow.stream()));
    }

    /// Returns an event that the device passes when it is done with this batch. Waits until all copies are on the
    /// stream; meanwhile this thread moves blocks of this batch and of those before it.
    public Event completion() {
        flow.work(() -> untakenBytes == 0 || unsentBytes == 0);
        FlowMonitor monitor = flow.monitor();
        monitor.await(() -> unsentBytes == 0 || monitor.hasFailed());
        monitor.rethrowFailure();
        return done;
    }
}
