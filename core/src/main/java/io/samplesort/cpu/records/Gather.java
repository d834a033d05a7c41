package io.samplesort.cpu.records;

import io.samplesort.cpu.threads.Parallel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Moves the elements of columns to their places by a permutation.
public final class Gather {
    /// An element of up to this many bytes is moved as two words, which takes half the time of a copy. For larger
    /// elements, copies are faster than loops.
    private static final int TWO_WORDS = 2 * Long.BYTES;

    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final Parallel parallel;
    private final int grain;
    private final int[] permutation;
    private final int count;

    /// @param permutation the index of the element that comes first, second, …
    public Gather(Parallel parallel, int grain, int[] permutation, int count) {
        this.parallel = parallel;
        this.grain = grain;
        this.permutation = permutation;
        this.count = count;
    }

    /// Returns whether all elements are where they belong.
    public boolean isIdentity() {
        for (int i = 0; i < count; i++) {
            if (permutation[i] != i) {
                return false;
            }
        }
        return true;
    }

    /// Permutes a column.
    ///
    /// @param copy room for all elements of the column; it holds them afterwards
    public void permute(MemorySegment column, int elementBytes, MemorySegment copy) {
        parallel.forRanges(count, grain, (from, to) -> gather(column, elementBytes, copy, (int) from, (int) to));
        parallel.forRanges(
                count,
                grain,
                (from, to) -> MemorySegment.copy(
                        copy, from * elementBytes, column, from * elementBytes, (to - from) * elementBytes));
    }

    private void gather(MemorySegment source, int bytes, MemorySegment target, int from, int to) {
        switch (bytes) {
            case Byte.BYTES -> {
                for (int i = from; i < to; i++) {
                    target.set(BYTE, i, source.get(BYTE, permutation[i]));
                }
            }
            case Short.BYTES -> {
                for (int i = from; i < to; i++) {
                    target.set(SHORT, i * 2L, source.get(SHORT, permutation[i] * 2L));
                }
            }
            case Integer.BYTES -> {
                for (int i = from; i < to; i++) {
                    target.set(INT, i * 4L, source.get(INT, permutation[i] * 4L));
                }
            }
            case Long.BYTES -> {
                for (int i = from; i < to; i++) {
                    target.set(LONG, i * 8L, source.get(LONG, permutation[i] * 8L));
                }
            }
            default -> {
                if (bytes > Long.BYTES && bytes <= TWO_WORDS) {
                    gatherTwoWords(source, bytes, target, from, to);
                } else {
                    gatherCopies(source, bytes, target, from, to);
                }
            }
        }
    }

    private void gatherCopies(MemorySegment source, int bytes, MemorySegment target, int from, int to) {
        for (int i = from; i < to; i++) {
            MemorySegment.copy(source, (long) permutation[i] * bytes, target, (long) i * bytes, bytes);
        }
    }

    private void gatherTwoWords(MemorySegment source, int bytes, MemorySegment target, int from, int to) {
        long lastWord = (long) bytes - Long.BYTES;
        for (int i = from; i < to; i++) {
            long at = (long) permutation[i] * bytes;
            long put = (long) i * bytes;
            target.set(LONG, put, source.get(LONG, at));
            // The last word may overlap the first one.
            target.set(LONG, put + lastWord, source.get(LONG, at + lastWord));
        }
    }

    /// Writes the permutation itself.
    ///
    /// @param target room for one int or one long for each element
    void writeIndexes(MemorySegment target) {
        boolean isLong = target.byteSize() == (long) count * Long.BYTES;
        parallel.forRanges(count, grain, (from, to) -> {
            if (isLong) {
                for (int i = (int) from; i < to; i++) {
                    target.set(LONG, i * 8L, permutation[i]);
                }
            } else {
                MemorySegment.copy(permutation, (int) from, target, INT, from * 4, (int) (to - from));
            }
        });
    }
}
