package io.samplesort.bench.segments;

import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.SegmentOffsets;
import java.lang.foreign.MemorySegment;

/// Keys that are sorted by segments, as they were drawn, and what the JDK makes of them.
///
/// @param drawn    an array of the keys
/// @param expected an array with each segment sorted
record SegmentInput(
        KeyType type, SegmentLengths lengths, SegmentOffsets offsets, int count, Object drawn, Object expected) {
    static SegmentInput draw(KeyType type, SegmentLengths lengths, int count, long seed) {
        SegmentOffsets offsets = lengths.offsets(count, seed);
        Object drawn = JdkSegments.array(type, count);
        InputDistribution.UNIFORM.fill(JdkSegments.segment(drawn), type, seed);
        Object expected = JdkSegments.array(type, count);
        JdkSegments.segment(expected).copyFrom(JdkSegments.segment(drawn));
        flipSigns(expected, type);
        try (JdkSegments jdk =
                new JdkSegments(expected, offsets, Runtime.getRuntime().availableProcessors())) {
            jdk.sort();
        }
        flipSigns(expected, type);
        return new SegmentInput(type, lengths, offsets, count, drawn, expected);
    }

    /// Makes the order of unsigned keys that of signed ones, and back.
    private static void flipSigns(Object keys, KeyType type) {
        if (!type.isUnsigned()) {
            return;
        }
        if (keys instanceof int[] ints) {
            for (int i = 0; i < ints.length; i++) {
                ints[i] ^= Integer.MIN_VALUE;
            }
        } else if (keys instanceof long[] longs) {
            for (int i = 0; i < longs.length; i++) {
                longs[i] ^= Long.MIN_VALUE;
            }
        }
    }

    MemorySegment keys() {
        return JdkSegments.segment(drawn);
    }

    boolean isSorted(MemorySegment keys) {
        return keys.mismatch(JdkSegments.segment(expected)) == -1;
    }
}
