package io.samplesort.rows;

import io.samplesort.cpu.threads.Parallel;
import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A column of strings, which the sorter of strings sorts. The tied rows of all groups are sorted together: their
/// strings are gathered, each with the number of its group in front.
///
/// An earlier step has compared whether rows are null, so nulls are tied only with nulls, and count as empty strings.
final class StringStep implements RowStep {
    /// Longer strings are copied as a whole. Others are copied byte by byte, which takes less time than calling a copy.
    private static final int SHORT = 16;

    private final KeyColumn column;
    private boolean isDone;

    StringStep(KeyColumn column) {
        this.column = column;
    }

    @Override
    public boolean isDone() {
        return isDone;
    }

    /// Notes that rows have been sorted by this column.
    void done() {
        isDone = true;
    }

    /// Returns the order of the strings, and of the groups in front of them.
    StringOrder order() {
        return column.isReversed() ? StringOrder.bytes().reversed() : StringOrder.bytes();
    }

    private long start(long row) {
        return column.hasStrings() ? column.strings().start(row) : row * column.valueBytes();
    }

    private long end(long row) {
        return column.hasStrings() ? column.strings().end(row) : (row + 1) * column.valueBytes();
    }

    private MemorySegment bytes() {
        return column.hasStrings() ? column.strings().bytes() : column.values();
    }

    /// Returns whether the strings of two rows are equal. Either both are null or neither is.
    boolean areEqual(long row, long other) {
        return column.isNull(row)
                || end(row) - start(row) == end(other) - start(other)
                        && MemorySegment.mismatch(bytes(), start(row), end(row), bytes(), start(other), end(other)) < 0;
    }

    /// Returns the strings of tied rows in a form that the sorter of strings takes.
    ///
    /// @param rows  the tied rows; null for all rows in order
    /// @param arena owns memory that does not fit an array
    Strings strings(TiedRows tied, int[] rows, Arena arena, Parallel parallel, int grain) {
        if (rows == null && column.hasStrings() && !column.hasValidity()) {
            return column.strings();
        }
        int count = tied.count();
        int groupBytes = Math.ceilDiv(tied.groupBits(), Byte.SIZE);
        long[] offsets = new long[count + 1];
        parallel.forRanges(count, grain, (from, to) -> {
            for (int i = (int) from; i < to; i++) {
                long row = rows == null ? i : rows[i];
                offsets[i + 1] = groupBytes + (column.isNull(row) ? 0 : end(row) - start(row));
            }
        });
        for (int i = 0; i < count; i++) {
            offsets[i + 1] += offsets[i];
        }
        MemorySegment gathered = room(offsets[count], arena);
        parallel.forRanges(count, grain, (from, to) -> {
            for (int i = (int) from; i < to; i++) {
                writeGroup(tied.group(i), groupBytes, gathered, offsets[i]);
                long row = rows == null ? i : rows[i];
                if (!column.isNull(row)) {
                    copy(bytes(), start(row), gathered, offsets[i] + groupBytes, end(row) - start(row));
                }
            }
        });
        return Strings.of(gathered, MemorySegment.ofArray(offsets), ElementType.LONG);
    }

    private static MemorySegment room(long bytes, Arena arena) {
        return bytes <= Integer.MAX_VALUE - 8 ? MemorySegment.ofArray(new byte[(int) bytes]) : arena.allocate(bytes);
    }

    /// Writes the number of a group such that the groups keep their order.
    private void writeGroup(int group, int bytes, MemorySegment target, long at) {
        int ordered = column.isReversed() ? ~group : group;
        for (int i = 0; i < bytes; i++) {
            target.set(ValueLayout.JAVA_BYTE, at + i, (byte) (ordered >>> (bytes - 1 - i) * Byte.SIZE));
        }
    }

    private static void copy(MemorySegment source, long from, MemorySegment target, long at, long bytes) {
        if (bytes > SHORT) {
            MemorySegment.copy(source, from, target, at, bytes);
            return;
        }
        for (long i = 0; i < bytes; i++) {
            target.set(ValueLayout.JAVA_BYTE, at + i, source.get(ValueLayout.JAVA_BYTE, from + i));
        }
    }
}
