package io.samplesort.study.historic;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// The pinned memory through which the host and the kernels of a sort exchange figures. No part of it is used twice
/// within one sort, so that a copy never waits for another one.
final class PinnedMail implements AutoCloseable {
    private static final long PIECE_BYTES = 1 << 20;
    private static final long ALIGNMENT = 16;

    private final Context context;
    private final List<PinnedMemory> pieces = new ArrayList<>();
    private int piece;
    private long used;

    PinnedMail(Context context) {
        this.context = context;
    }

    /// Starts again from the beginning. Everything that was put here must have arrived.
    void reset() {
        piece = 0;
        used = 0;
    }

    /// Returns memory of this many bytes, which may be used until the next reset.
    MemorySegment take(long bytes) {
        long needed = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        while (piece < pieces.size() && pieces.get(piece).segment().byteSize() - used < needed) {
            piece++;
            used = 0;
        }
        if (piece == pieces.size()) {
            pieces.add(PinnedMemory.allocate(context, Math.max(PIECE_BYTES, needed)));
        }
        MemorySegment room = pieces.get(piece).segment().asSlice(used, bytes);
        used += needed;
        return room;
    }

    void upload(Stream stream, long address, MemorySegment taken) {
        stream.copyToDevice(address, taken, taken.byteSize());
    }

    void upload(Stream stream, long address, long[] values) {
        MemorySegment room = take((long) values.length * Long.BYTES);
        MemorySegment.copy(values, 0, room, ValueLayout.JAVA_LONG, 0, values.length);
        upload(stream, address, room);
    }

    /// Copies from device memory in the order of the stream, and waits for the end.
    MemorySegment download(Stream stream, long address, long bytes) {
        MemorySegment room = take(bytes);
        stream.copyToHost(room, address, bytes);
        stream.synchronize();
        return room;
    }

    long[] downloadLongs(Stream stream, long address, int count) {
        return download(stream, address, (long) count * Long.BYTES).toArray(ValueLayout.JAVA_LONG);
    }

    int[] downloadInts(Stream stream, long address, int count) {
        return download(stream, address, (long) count * Integer.BYTES).toArray(ValueLayout.JAVA_INT);
    }

    @Override
    public void close() {
        pieces.forEach(PinnedMemory::close);
        pieces.clear();
    }
}
