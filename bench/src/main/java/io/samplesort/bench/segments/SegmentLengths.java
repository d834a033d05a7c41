package io.samplesort.bench.segments;

import io.samplesort.bench.results.Sizes;
import io.samplesort.types.SegmentOffsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/// The lengths of the segments of an array.
///
/// @param name      as the command line and results name them
/// @param rowLength of segments that are all of the same length; 0 for others
record SegmentLengths(String name, long rowLength) {
    private static final String POWER_LAW = "power-law";
    private static final String ONE_HUGE = "one-huge";

    /// With these, 2^27 elements have about 1.4 million segments, of which one in ten is empty and the longest has
    /// 2^24.
    private static final double LEAST = 6.6;

    private static final double EMPTY = 0.1;
    private static final int LONGEST_PART = 8;

    /// How many segments of 0 or 8 elements there are in addition to the huge one, if there are enough elements.
    private static final int MOST_TINY = 1_000_000;

    private static final int TINY = 8;

    /// Reads a length such as `2^20`, `power-law` or `one-huge`.
    ///
    /// @throws IllegalArgumentException if the text is none of these
    static SegmentLengths parse(String text) {
        if (text.equals(POWER_LAW) || text.equals(ONE_HUGE)) {
            return new SegmentLengths(text, 0);
        }
        try {
            long length = Sizes.parse(text).getFirst();
            return new SegmentLengths(text, length);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "no lengths '" + text + "': use a length such as 16 or 2^20, " + POWER_LAW + " or " + ONE_HUGE, e);
        }
    }

    /// Returns such segments of this many elements.
    SegmentOffsets offsets(int count, long seed) {
        if (rowLength > 0) {
            return SegmentOffsets.ofRows(count / rowLength, rowLength);
        }
        SplittableRandom random = new SplittableRandom(seed);
        return SegmentOffsets.ofLengths(name.equals(POWER_LAW) ? powerLaw(count, random) : oneHuge(count, random));
    }

    /// Draws lengths of at least `x` with a probability that falls as 1/x.
    private static int[] powerLaw(int count, SplittableRandom random) {
        int[] lengths = new int[count / 8 + 16];
        int longest = Math.max(1, count / LONGEST_PART);
        int segments = 0;
        int left = count;
        while (left > 0) {
            if (segments == lengths.length) {
                lengths = Arrays.copyOf(lengths, 2 * segments);
            }
            boolean isEmpty = random.nextDouble() < EMPTY;
            double drawn = segments == 0 ? longest : LEAST / (1 - random.nextDouble());
            int length = isEmpty && segments > 0 ? 0 : (int) Math.min(Math.min(drawn, longest), left);
            lengths[segments++] = length;
            left -= length;
        }
        int[] all = Arrays.copyOf(lengths, segments);
        shuffle(all, random);
        return all;
    }

    private static int[] oneHuge(int count, SplittableRandom random) {
        int tiny = Math.min(MOST_TINY, count / (4 * TINY));
        int[] lengths = new int[tiny + 1];
        int left = count;
        for (int i = 0; i < tiny; i++) {
            lengths[i] = random.nextBoolean() ? TINY : 0;
            left -= lengths[i];
        }
        lengths[tiny] = lengths[tiny / 2];
        lengths[tiny / 2] = left;
        return lengths;
    }

    private static void shuffle(int[] values, SplittableRandom random) {
        for (int i = values.length; i > 1; i--) {
            int other = random.nextInt(i);
            int value = values[i - 1];
            values[i - 1] = values[other];
            values[other] = value;
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
