package io.samplesort.cpu.strings;

import io.samplesort.types.ElementType;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Finds where strings begin and end, many at a time. There is a loop for each kind of memory, since a loop over
/// several kinds is slow.
final class Offsets {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final MemorySegment segment;
    private final boolean isWide;
    /// The array of the offsets, and where the first offset is in it. One of the arrays is not null if the offsets lie
    /// in an array of their type.
    private final int[] ints;
    private final long[] longs;
    private final int base;
    private final int terminatorBytes;

    Offsets(Strings strings) {
        this.segment = strings.offsets();
        this.isWide = strings.offsetType().equals(ElementType.LONG);
        this.terminatorBytes = strings.terminatorBytes();
        Object array = segment.isReadOnly() ? null : segment.heapBase().orElse(null);
        long size = isWide ? Long.BYTES : Integer.BYTES;
        boolean isAligned = segment.address() % size == 0;
        this.ints = !isWide && isAligned && array instanceof int[] found ? found : null;
        this.longs = isWide && isAligned && array instanceof long[] found ? found : null;
        this.base = ints != null || longs != null ? (int) (segment.address() / size) : 0;
    }

    /// Finds where the strings `first` to `first + count - 1` begin and end.
    void find(long first, int count, long[] starts, long[] ends) {
        if (longs != null) {
            System.arraycopy(longs, base + (int) first, starts, 0, count);
            System.arraycopy(longs, base + (int) first + 1, ends, 0, count);
        } else if (ints != null) {
            widen(ints, base + (int) first, count, starts, ends);
        } else if (isWide) {
            MemorySegment.copy(segment, LONG, first * Long.BYTES, starts, 0, count);
            MemorySegment.copy(segment, LONG, (first + 1) * Long.BYTES, ends, 0, count);
        } else {
            // Java compiles loops over arrays sooner than those over segments.
            int[] part = new int[count + 1];
            MemorySegment.copy(segment, INT, first * Integer.BYTES, part, 0, part.length);
            widen(part, 0, count, starts, ends);
        }
        leaveOutTerminators(count, starts, ends);
    }

    private static void widen(int[] offsets, int from, int count, long[] starts, long[] ends) {
        for (int i = 0; i < count; i++) {
            starts[i] = offsets[from + i];
            ends[i] = offsets[from + i + 1];
        }
    }

    /// Finds where the strings of these indexes begin and end.
    void find(long[] indexes, int count, long[] starts, long[] ends) {
        if (longs != null) {
            for (int i = 0; i < count; i++) {
                int at = base + (int) indexes[i];
                starts[i] = longs[at];
                ends[i] = longs[at + 1];
            }
        } else if (ints != null) {
            for (int i = 0; i < count; i++) {
                int at = base + (int) indexes[i];
                starts[i] = ints[at];
                ends[i] = ints[at + 1];
            }
        } else if (isWide) {
            for (int i = 0; i < count; i++) {
                starts[i] = segment.get(LONG, indexes[i] * Long.BYTES);
                ends[i] = segment.get(LONG, (indexes[i] + 1) * Long.BYTES);
            }
        } else {
            for (int i = 0; i < count; i++) {
                starts[i] = segment.get(INT, indexes[i] * Integer.BYTES);
                ends[i] = segment.get(INT, (indexes[i] + 1) * Integer.BYTES);
            }
        }
        leaveOutTerminators(count, starts, ends);
    }

    private void leaveOutTerminators(int count, long[] starts, long[] ends) {
        if (terminatorBytes > 0) {
            for (int i = 0; i < count; i++) {
                ends[i] = Math.max(starts[i], ends[i] - terminatorBytes);
            }
        }
    }
}
