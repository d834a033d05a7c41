package io.samplesort.cpu.strings;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Copies the strings of one block to where they belong. Strings are gathered in a buffer that stays in a core's cache:
/// short ones are copied fastest as words, and there it does no harm that this writes a few bytes too many.
final class StringGather {
    private static final int BUFFER = 1 << 16;

    /// Longer strings do not pass through the buffer.
    private static final int LONG_STRING = 1 << 12;

    private final int count;
    private final long[] starts;
    private final long[] ends;
    private final byte[] buffer = new byte[BUFFER + LONG_STRING + Long.BYTES];

    StringGather(int count) {
        this.count = count;
        this.starts = new long[count];
        this.ends = new long[count];
    }

    /// Finds the strings at places `from` and on of a permutation, and returns how many bytes they have.
    long find(Indexes permutation, Offsets offsets, long from) {
        long[] indexes = new long[count];
        permutation.read(from, indexes, count);
        offsets.find(indexes, count, starts, ends);
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += ends[i] - starts[i];
        }
        return bytes;
    }

    /// Copies the strings to `target`, one after another from byte `at` on.
    void copy(StringBytes text, MemorySegment source, MemorySegment target, long at) {
        long written = at;
        int filled = 0;
        for (int i = 0; i < count; i++) {
            long length = ends[i] - starts[i];
            if (length > LONG_STRING || filled > BUFFER) {
                MemorySegment.copy(buffer, 0, target, ValueLayout.JAVA_BYTE, written, filled);
                written += filled;
                filled = 0;
            }
            if (length > LONG_STRING) {
                MemorySegment.copy(source, starts[i], target, written, length);
                written += length;
            } else {
                text.copy(starts[i], (int) length, buffer, filled);
                filled += (int) length;
            }
        }
        MemorySegment.copy(buffer, 0, target, ValueLayout.JAVA_BYTE, written, filled);
    }

    /// Writes the ends of the strings to places `to` and on of the offsets.
    ///
    /// @param at where the first string begins
    void writeOffsets(Indexes offsets, long to, long at) {
        long end = at;
        for (int i = 0; i < count; i++) {
            end += ends[i] - starts[i];
            ends[i] = end;
        }
        offsets.write(ends, 0, to, count);
    }
}
