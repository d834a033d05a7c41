package io.samplesort.spark.rows;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// An array of longs that grows.
final class LongBuffer {
    private static final int MOST = Integer.MAX_VALUE - 8;

    private long[] values = new long[1024];
    private int count;

    void add(long value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, (int) Math.min(MOST, 2L * count));
        }
        values[count++] = value;
    }

    long get(int index) {
        return values[index];
    }

    int count() {
        return count;
    }

    MemorySegment segment() {
        return MemorySegment.ofArray(values).asSlice(0, (long) count * Long.BYTES);
    }
}
