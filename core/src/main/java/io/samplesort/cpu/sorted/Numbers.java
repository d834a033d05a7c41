package io.samplesort.cpu.sorted;

import io.samplesort.cpu.leaf.SortedKernels;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A list of counts or offsets that an operation writes.
///
/// @param bytes bytes of a number, 4 or 8
record Numbers(MemorySegment segment, int bytes) {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    static boolean isAligned(MemorySegment segment, int bytes) {
        return segment.byteSize() == 0 || segment.maxByteAlignment() >= bytes;
    }

    boolean isAligned() {
        return isAligned(segment, bytes);
    }

    /// Writes places, counted from `base`, as numbers from `at` on.
    void setOffsets(SortedKernels kernels, int[] places, int count, long base, long at) {
        if (kernels != null) {
            SortedKernels.offsets(bytes, places, count, base, segment.asSlice(at * bytes, (long) count * bytes));
            return;
        }
        for (int i = 0; i < count; i++) {
            set(at + i, base + places[i]);
        }
    }

    /// Writes how far each place is from the one before it, the first one from `before`, as numbers from `at` on.
    void setLengths(SortedKernels kernels, int[] places, int count, long before, long at) {
        if (kernels != null) {
            long first = count == 0 ? 0 : places[0] - before;
            SortedKernels.lengths(bytes, places, count, first, segment.asSlice(at * bytes, (long) count * bytes));
            return;
        }
        long begin = before;
        for (int i = 0; i < count; i++) {
            set(at + i, places[i] - begin);
            begin = places[i];
        }
    }

    void set(long place, long number) {
        if (bytes == Integer.BYTES) {
            segment.set(INT, place * Integer.BYTES, (int) number);
        } else {
            segment.set(LONG, place * Long.BYTES, number);
        }
    }
}
