package io.samplesort.cpu.sorted;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A list of counts or offsets that an operation writes.
///
/// @param bytes bytes of a number, 4 or 8
record Numbers(MemorySegment segment, int bytes) {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    void set(long place, long number) {
        if (bytes == Integer.BYTES) {
            segment.set(INT, place * Integer.BYTES, (int) number);
        } else {
            segment.set(LONG, place * Long.BYTES, number);
        }
    }
}
