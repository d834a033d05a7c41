package io.samplesort.cpu.records;

import io.samplesort.cpu.threads.Parallel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLongArray;

/// A permutation in host memory: the indexes of elements, each exactly once.
public final class Permutation {
    private static final int GRAIN = 1 << 14;

    private final MemorySegment indexes;
    private final boolean isLong;
    private final long count;

    /// @param indexes   ints or longs
    /// @param indexBytes bytes of an index, 4 or 8
    /// @throws IllegalArgumentException if an index is out of range or appears twice
    public Permutation(MemorySegment indexes, int indexBytes) {
        this.indexes = indexes;
        this.isLong = indexBytes == Long.BYTES;
        this.count = indexes.byteSize() / indexBytes;
        AtomicLongArray met = new AtomicLongArray(Math.toIntExact((count + Long.SIZE - 1) / Long.SIZE));
        over(indexes).forRanges(count, GRAIN, (from, to) -> {
            for (long i = from; i < to; i++) {
                long index = at(i);
                if (index < 0 || index >= count) {
                    throw new IllegalArgumentException("the permutation is not valid: the index at place " + i + " is "
                            + index + ", but the elements have the indexes 0 to " + (count - 1));
                }
                long bit = 1L << index;
                if ((met.getAndAccumulate((int) (index / Long.SIZE), bit, (a, b) -> a | b) & bit) != 0) {
                    throw new IllegalArgumentException(
                            "the permutation is not valid: the index " + index + " appears twice, once at place " + i);
                }
            }
        });
    }

    /// Puts element `indexes[i]` of `source` at place i of `target`.
    ///
    /// @param target room for as many elements as there are indexes; must not overlap `source`
    public void apply(MemorySegment source, MemorySegment target, int elementBytes) {
        over(indexes, source, target).forRanges(count, GRAIN, (from, to) -> {
            for (long i = from; i < to; i++) {
                MemorySegment.copy(source, at(i) * elementBytes, target, i * elementBytes, elementBytes);
            }
        });
    }

    /// Returns the threads for work on these segments: only the calling thread if helpers may not use one of them.
    private static Parallel over(MemorySegment... segments) {
        for (MemorySegment segment : segments) {
            if (!Parallel.isShared(segment)) {
                return new Parallel(1);
            }
        }
        return new Parallel(Parallel.commonParallelism());
    }

    private long at(long i) {
        return isLong
                ? indexes.get(ValueLayout.JAVA_LONG_UNALIGNED, i * Long.BYTES)
                : indexes.get(ValueLayout.JAVA_INT_UNALIGNED, i * Integer.BYTES);
    }
}
