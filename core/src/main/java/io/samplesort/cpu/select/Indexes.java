package io.samplesort.cpu.select;

import io.samplesort.cpu.records.IndexedCpuSorter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A list of indexes, which are ints or longs.
///
/// @param bytes bytes of an index, 4 or 8
record Indexes(MemorySegment segment, int bytes) {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    /// Returns the list in a segment that has room for `count` indexes.
    static Indexes in(MemorySegment segment, long count) {
        return new Indexes(segment, count == 0 ? Integer.BYTES : (int) (segment.byteSize() / count));
    }

    /// Returns a new list for `count` indexes that are less than `end`.
    ///
    /// @throws IllegalArgumentException if no array has room for them
    static Indexes allocate(long count, long end) {
        if (count > IndexedCpuSorter.MAX_COUNT) {
            throw new IllegalArgumentException(count + " elements: on the CPU no more than "
                    + IndexedCpuSorter.MAX_COUNT + " can be selected by index: select from parts");
        }
        int length = (int) count;
        return end <= Integer.MAX_VALUE
                ? new Indexes(MemorySegment.ofArray(new int[length]), Integer.BYTES)
                : new Indexes(MemorySegment.ofArray(new long[length]), Long.BYTES);
    }

    long get(long place) {
        return bytes == Integer.BYTES ? segment.get(INT, place * Integer.BYTES) : segment.get(LONG, place * Long.BYTES);
    }

    void set(long place, long index) {
        if (bytes == Integer.BYTES) {
            segment.set(INT, place * Integer.BYTES, (int) index);
        } else {
            segment.set(LONG, place * Long.BYTES, index);
        }
    }
}
