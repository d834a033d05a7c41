package io.samplesort.lines.runs;

import io.samplesort.lines.keys.ByteRange;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Compares bytes where they lie, a piece at a time. Two threads must not use it at once.
public final class RangeComparison {
    private static final int WINDOW_BYTES = 128 << 10;

    private final Arena arena;
    private MemorySegment window;
    private MemorySegment otherWindow;

    /// @param arena provides memory when there is something to compare
    public RangeComparison(Arena arena) {
        this.arena = arena;
    }

    /// Compares keys as [#compare(ByteRange, ByteRange, long)] does, beginning with the bytes that are held of them.
    ///
    /// @param common how many bytes are known to be the same, which are held of both
    int compare(HeldKey one, HeldKey other, int common) throws IOException {
        int held = Math.min(one.length(), other.length());
        int ascending = Arrays.compareUnsigned(
                one.bytes(),
                one.from() + common,
                one.from() + held,
                other.bytes(),
                other.from() + common,
                other.from() + held);
        return ascending != 0 ? ascending : compare(one.whole(), other.whole(), held);
    }

    /// Compares bytes as unsigned numbers, with an end before all bytes.
    ///
    /// @param common how many bytes are known to be the same
    int compare(ByteRange one, ByteRange other, long common) throws IOException {
        if (window == null) {
            window = arena.allocate(WINDOW_BYTES);
            otherWindow = arena.allocate(WINDOW_BYTES);
        }
        long end = Math.min(one.byteSize(), other.byteSize());
        for (long at = common; at < end; at += WINDOW_BYTES) {
            long bytes = Math.min(WINDOW_BYTES, end - at);
            MemorySegment piece = window.asSlice(0, bytes);
            MemorySegment otherPiece = otherWindow.asSlice(0, bytes);
            one.read(at, piece);
            other.read(at, otherPiece);
            long different = piece.mismatch(otherPiece);
            if (different >= 0) {
                return Byte.compareUnsigned(
                        piece.get(ValueLayout.JAVA_BYTE, different), otherPiece.get(ValueLayout.JAVA_BYTE, different));
            }
        }
        return Long.compare(one.byteSize(), other.byteSize());
    }
}
