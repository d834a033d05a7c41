package io.samplesort.testkit;

import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/// Checks on the result of a sort.
public final class ResultCheck {
    private static final long PIECE = 1 << 16;

    private ResultCheck() {}

    /// The first index i where key i + 1 should stand before key i; empty if the keys are in order.
    ///
    /// @param isDescending whether they should descend
    public static OptionalLong firstViolation(MemorySegment keys, KeyType type, boolean isDescending) {
        long pairs = Math.max(0, type.count(keys) - 1);
        return LongStream.range(0, (pairs + PIECE - 1) / PIECE)
                .parallel()
                .map(piece ->
                        firstViolation(keys, type, isDescending, piece * PIECE, Math.min(pairs, (piece + 1) * PIECE)))
                .filter(index -> index >= 0)
                .findFirst();
    }

    private static long firstViolation(MemorySegment keys, KeyType type, boolean isDescending, long begin, long end) {
        for (long i = begin; i < end; i++) {
            int comparison = type.compareBits(type.bits(keys, i), type.bits(keys, i + 1));
            if (isDescending ? comparison < 0 : comparison > 0) {
                return i;
            }
        }
        return -1;
    }
}
