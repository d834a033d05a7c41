package io.samplesort.gpu.inplace;

import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs.PieceMove;
import io.samplesort.gpu.sort.MoveKernels;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Puts moves of pieces on a stream. Their table goes by way of pinned memory, which the driver reads later; so each
/// table has a part of it, and once it is full the host waits for the stream.
final class MoveTable {
    private static final int FIELDS = PieceMove.values().length;

    /// The pieces of a launch. A region of a large array has some hundred.
    private static final int MOST_PIECES = 256;

    /// Bytes of device memory.
    static final long DEVICE_BYTES = (long) MOST_PIECES * FIELDS * Long.BYTES;

    /// Bytes of pinned memory, for all tables of most sorts.
    static final long PINNED_BYTES = 64 * DEVICE_BYTES;

    private final Stream stream;
    private final MoveKernels kernels;
    private final int[] columnBytes;
    private final long address;
    private final MemorySegment pinned;
    private long used;

    /// @param address of [#DEVICE_BYTES] of device memory
    /// @param pinned  [#PINNED_BYTES], for this table alone until the stream has come past all moves
    MoveTable(Stream stream, MoveKernels kernels, int[] columnBytes, long address, MemorySegment pinned) {
        this.stream = stream;
        this.kernels = kernels;
        this.columnBytes = columnBytes;
        this.address = address;
        this.pinned = pinned;
    }

    /// Moves pieces, which must not overlap each other where they come from and where they go.
    ///
    /// @param from device address of element 0 of each column
    /// @param to   the same of where they go
    void move(Pieces pieces, long[] from, long[] to) {
        for (int first = 0; first < pieces.size(); first += MOST_PIECES) {
            move(pieces, first, Math.min(first + MOST_PIECES, pieces.size()), from, to);
        }
    }

    private void move(Pieces pieces, int first, int last, long[] from, long[] to) {
        long bytes = (long) (last - first) * FIELDS * Long.BYTES;
        if (used + bytes > pinned.byteSize()) {
            stream.synchronize();
            used = 0;
        }
        MemorySegment table = pinned.asSlice(used, bytes);
        used += bytes;
        long tileSize = MoveKernels.tileSize(columnBytes);
        long tiles = 0;
        for (int piece = first; piece < last; piece++) {
            long at = (long) (piece - first) * FIELDS;
            set(table, at, PieceMove.SOURCE, pieces.from(piece));
            set(table, at, PieceMove.TARGET, pieces.to(piece));
            set(table, at, PieceMove.COUNT, pieces.count(piece));
            set(table, at, PieceMove.FIRST_TILE, tiles);
            tiles += Math.ceilDiv(pieces.count(piece), tileSize);
        }
        stream.copyToDevice(address, table, bytes);
        kernels.movePieces(stream, address, last - first, tiles, from, to, columnBytes);
    }

    private static void set(MemorySegment table, long at, PieceMove field, long value) {
        table.setAtIndex(ValueLayout.JAVA_LONG, at + field.ordinal(), value);
    }
}
