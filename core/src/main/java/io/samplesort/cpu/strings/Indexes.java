package io.samplesort.cpu.strings;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The permutation of a sort in host memory: ints or longs, which are read and written many at a time. All of them go
/// through an array, because Java compiles loops over arrays sooner than those over segments.
final class Indexes {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final MemorySegment segment;
    private final boolean isWide;
    /// The array of the indexes, if they are ints in an array, and where the first one is.
    private final int[] array;

    private final int base;

    /// @param indexBytes bytes of an index, 4 or 8
    Indexes(MemorySegment segment, int indexBytes) {
        this.segment = segment;
        this.isWide = indexBytes == Long.BYTES;
        boolean isAligned = segment.address() % Integer.BYTES == 0;
        this.array = !isWide && isAligned && segment.heapBase().orElse(null) instanceof int[] found ? found : null;
        this.base = array == null ? 0 : (int) (segment.address() / Integer.BYTES);
    }

    /// Reads `count` indexes from place `from` on.
    void read(long from, long[] target, int count) {
        if (isWide) {
            MemorySegment.copy(segment, LONG, from * Long.BYTES, target, 0, count);
        } else {
            int[] part = new int[count];
            MemorySegment.copy(segment, INT, from * Integer.BYTES, part, 0, count);
            for (int i = 0; i < count; i++) {
                target[i] = part[i];
            }
        }
    }

    /// Writes `count` indexes to place `to` and on.
    void write(long[] source, int at, long to, int count) {
        if (isWide) {
            MemorySegment.copy(source, at, segment, LONG, to * Long.BYTES, count);
        } else {
            int[] part = new int[count];
            for (int i = 0; i < count; i++) {
                part[i] = (int) source[at + i];
            }
            MemorySegment.copy(part, 0, segment, INT, to * Integer.BYTES, count);
        }
    }

    /// Writes the `count` consecutive indexes from `first` on, each to its given place.
    void scatter(long[] places, long first, int count) {
        if (isWide) {
            for (int i = 0; i < count; i++) {
                segment.set(LONG, places[i] * Long.BYTES, first + i);
            }
        } else if (array != null) {
            for (int i = 0; i < count; i++) {
                array[base + (int) places[i]] = (int) first + i;
            }
        } else {
            for (int i = 0; i < count; i++) {
                segment.set(INT, places[i] * Integer.BYTES, (int) first + i);
            }
        }
    }
}
