package io.samplesort.testkit;

import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/// Checks of the result of a sort.
public final class ResultCheck {
    private static final long PIECE = 1 << 16;

    private ResultCheck() {}

    /// Returns the first index i where key i + 1 should stand before key i; empty if the keys are in order.
    ///
    /// @param isDescending whether the keys should descend
    public static OptionalLong firstViolation(MemorySegment keys, KeyType type, boolean isDescending) {
        return firstViolation(type.count(keys), i -> {
            int comparison = type.compareBits(type.bits(keys, i), type.bits(keys, i + 1));
            return isDescending ? comparison < 0 : comparison > 0;
        });
    }

    /// Returns the first index i where element i + 1, of any size, should stand before element i; empty if the elements
    /// are in order.
    ///
    /// @param order compares two segments of one element each
    public static OptionalLong firstViolation(
            MemorySegment elements, int byteSize, Comparator<? super MemorySegment> order) {
        return firstViolation(
                elements.byteSize() / byteSize,
                i -> order.compare(element(elements, byteSize, i), element(elements, byteSize, i + 1)) > 0);
    }

    static MemorySegment element(MemorySegment elements, int byteSize, long index) {
        return elements.asSlice(index * byteSize, byteSize);
    }

    private interface Violation {
        boolean isAt(long index);
    }

    private static OptionalLong firstViolation(long count, Violation violation) {
        long pairs = Math.max(0, count - 1);
        return LongStream.range(0, (pairs + PIECE - 1) / PIECE)
                .parallel()
                .map(piece -> firstViolation(violation, piece * PIECE, Math.min(pairs, (piece + 1) * PIECE)))
                .filter(index -> index >= 0)
                .findFirst();
    }

    private static long firstViolation(Violation violation, long begin, long end) {
        for (long i = begin; i < end; i++) {
            if (violation.isAt(i)) {
                return i;
            }
        }
        return -1;
    }
}
