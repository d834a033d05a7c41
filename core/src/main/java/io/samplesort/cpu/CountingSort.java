package io.samplesort.cpu;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;

/// Keys of 8 and 16 bits without payload: there are so few values that every one gets an equality bucket, and the keys
/// are
/// written anew from their counts. No extra memory beyond the counters.
final class CountingSort {
    private static final int STRIPE_MIN = 1 << 16;

    private CountingSort() {}

    static void sort(MemorySegment keys, Column column, int parallelism) {
        int keyBytes = column.type().byteSize();
        int valueCount = 1 << (keyBytes * Byte.SIZE);
        long count = keys.byteSize() / keyBytes;
        int stripes = (int) Math.clamp(count / STRIPE_MIN, 1, parallelism);
        long[] totals = IntStream.range(0, stripes)
                .parallel()
                .mapToObj(s -> count(keys, keyBytes, count * s / stripes, count * (s + 1) / stripes, valueCount))
                .reduce(new long[valueCount], CountingSort::add);
        long[] ends = new long[valueCount];
        int[] values = valuesInOrder(column, valueCount);
        long end = 0;
        for (int rank = 0; rank < valueCount; rank++) {
            end += totals[values[rank]];
            ends[rank] = end;
        }
        IntStream.range(0, stripes).parallel().forEach(s -> {
            long begin = count * s / stripes;
            long stripeEnd = count * (s + 1) / stripes;
            write(keys, keyBytes, begin, stripeEnd, values, ends);
        });
    }

    private static long[] count(MemorySegment keys, int keyBytes, long begin, long end, int valueCount) {
        long[] counts = new long[valueCount];
        if (keyBytes == Byte.BYTES) {
            for (long i = begin; i < end; i++) {
                counts[keys.get(ValueLayout.JAVA_BYTE, i) & 0xff]++;
            }
        } else {
            for (long i = begin; i < end; i++) {
                counts[keys.getAtIndex(ValueLayout.JAVA_SHORT, i) & 0xffff]++;
            }
        }
        return counts;
    }

    /// Makes a new array: the identity of a parallel reduction must stay as it is.
    private static long[] add(long[] a, long[] b) {
        long[] sum = new long[a.length];
        for (int i = 0; i < a.length; i++) {
            sum[i] = a[i] + b[i];
        }
        return sum;
    }

    /// The bit patterns of all values, first in order first.
    private static int[] valuesInOrder(Column column, int valueCount) {
        int[] values = new int[valueCount];
        boolean isReversed = column.codec().flip() != 0;
        int first = column.zeroExtends() ? 0 : valueCount / 2;
        for (int rank = 0; rank < valueCount; rank++) {
            values[isReversed ? valueCount - 1 - rank : rank] = (first + rank) % valueCount;
        }
        return values;
    }

    private static void write(MemorySegment keys, int keyBytes, long begin, long end, int[] values, long[] ends) {
        int rank = 0;
        long at = begin;
        while (at < end) {
            while (ends[rank] <= at) {
                rank++;
            }
            long runEnd = Math.min(ends[rank], end);
            if (keyBytes == Byte.BYTES) {
                keys.asSlice(at, runEnd - at).fill((byte) values[rank]);
            } else {
                for (long i = at; i < runEnd; i++) {
                    keys.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) values[rank]);
                }
            }
            at = runEnd;
        }
    }
}
