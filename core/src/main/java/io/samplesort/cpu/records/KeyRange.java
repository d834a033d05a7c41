package io.samplesort.cpu.records;

import java.lang.foreign.MemorySegment;
import java.util.function.LongUnaryOperator;

/// The least and the greatest value that a part of the sort key has. Several threads may add elements at once.
final class KeyRange {
    private final KeyBits part;
    private final MemorySegment elements;
    private final int elementBytes;
    private final LongUnaryOperator indexes;
    private long least = -1;
    private long greatest;

    /// @param indexes returns the index of the element at a place
    KeyRange(KeyBits part, MemorySegment elements, int elementBytes, LongUnaryOperator indexes) {
        this.part = part;
        this.elements = elements;
        this.elementBytes = elementBytes;
        this.indexes = indexes;
    }

    /// Includes every `step`-th of the elements at places `from..to`.
    void look(int from, int to, int step) {
        // The inverted sign bit turns unsigned bits into signed ones.
        long least = Long.MAX_VALUE;
        long greatest = Long.MIN_VALUE;
        for (long i = from; i < to; i += step) {
            long bits = part.bits(elements, indexes.applyAsLong(i) * elementBytes) ^ Long.MIN_VALUE;
            least = Math.min(least, bits);
            greatest = Math.max(greatest, bits);
        }
        include(least ^ Long.MIN_VALUE, greatest ^ Long.MIN_VALUE);
    }

    private synchronized void include(long least, long greatest) {
        if (Long.compareUnsigned(least, this.least) < 0) {
            this.least = least;
        }
        if (Long.compareUnsigned(greatest, this.greatest) > 0) {
            this.greatest = greatest;
        }
    }

    /// Returns the part with as few bits as this range needs.
    synchronized KeyBits narrowedPart() {
        return part.narrowed(least, greatest);
    }
}
