package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Runs of longs, and of ints.
class LongRunsTest {
    private static final int MARGIN = 3;

    private static final double[] DOUBLES = {
        Double.NEGATIVE_INFINITY,
        -1,
        -Double.MIN_VALUE,
        -0.0,
        0.0,
        Double.MIN_VALUE,
        1,
        Double.POSITIVE_INFINITY,
        Double.NaN,
        Double.longBitsToDouble(0x7ff8_0000_0000_0001L),
        Double.longBitsToDouble(0xfff8_0000_0000_0000L),
        Double.longBitsToDouble(0xffff_ffff_ffff_ffffL)
    };

    @Test
    void mergesRunsOfAllLengthsAndLeavesTheRestAlone() {
        SplittableRandom random = new SplittableRandom(1);
        for (int first = 0; first < 40; first++) {
            for (int second = 0; second < 40; second++) {
                for (int range : new int[] {1, 10, Integer.MAX_VALUE}) {
                    check(
                            first,
                            second,
                            random.ints(first + second + 2 * MARGIN, -range, range)
                                    .toArray());
                }
            }
        }
        check(1000, 3, random.ints(1003 + 2 * MARGIN).toArray());
        check(5, 20_000, random.ints(20_005 + 2 * MARGIN).toArray());
    }

    /// One run may lie wholly before the other, in either order.
    @Test
    void mergesRunsThatDoNotOverlap() {
        int[] ascending = new int[200 + 2 * MARGIN];
        Arrays.setAll(ascending, i -> i);
        check(50, 150, ascending);
        check(150, 50, ascending);
        int[] turned = new int[200 + 2 * MARGIN];
        Arrays.setAll(turned, i -> i < MARGIN + 120 ? i + 1000 : i);
        check(120, 80, turned);
    }

    @Test
    void doublesRunAsTheirLongsDo() {
        for (double first : DOUBLES) {
            for (double second : DOUBLES) {
                assertThat(LongRuns.isAscending(new double[] {first, second}, 0, 2))
                        .as(
                                "%s (%x), %s (%x)",
                                first, Double.doubleToRawLongBits(first), second, Double.doubleToRawLongBits(second))
                        .isEqualTo(LongRuns.place(first) <= LongRuns.place(second));
            }
        }
    }

    @Test
    void oneViolationAnywhereIsSeen() {
        double[] doubles = new SplittableRandom(1).doubles(500).sorted().toArray();
        long[] longs = Arrays.stream(doubles).mapToLong(LongRuns::place).toArray();
        int[] ints = new SplittableRandom(2).ints(500).sorted().toArray();
        assertThat(LongRuns.isAscending(doubles, 0, 500)).isTrue();
        for (int i = 0; i < 499; i++) {
            double[] swappedDoubles = doubles.clone();
            swappedDoubles[i] = doubles[i + 1];
            swappedDoubles[i + 1] = doubles[i];
            long[] swappedLongs = longs.clone();
            swappedLongs[i] = longs[i + 1];
            swappedLongs[i + 1] = longs[i];
            int[] swappedInts = ints.clone();
            swappedInts[i] = ints[i + 1];
            swappedInts[i + 1] = ints[i];
            assertThat(LongRuns.isAscending(swappedDoubles, 0, 500)).isFalse();
            assertThat(LongRuns.isAscending(swappedLongs, 0, 500, 0)).isFalse();
            assertThat(IntRuns.isAscending(swappedInts, 0, 500, 0)).isFalse();
            assertThat(LongRuns.isAscending(swappedDoubles, 0, i + 1)).isTrue();
            assertThat(LongRuns.isAscending(swappedDoubles, i + 1, 500)).isTrue();
        }
    }

    private static void check(int first, int second, int[] ints) {
        int middle = MARGIN + first;
        int end = middle + second;
        Arrays.sort(ints, MARGIN, middle);
        Arrays.sort(ints, middle, end);
        long[] longs = Arrays.stream(ints).mapToLong(v -> (long) v << 32 | 7).toArray();
        int[] expectedInts = new int[ints.length];
        long[] expectedLongs = new long[ints.length];
        System.arraycopy(ints, MARGIN, expectedInts, MARGIN, first + second);
        System.arraycopy(longs, MARGIN, expectedLongs, MARGIN, first + second);
        Arrays.sort(expectedInts, MARGIN, end);
        Arrays.sort(expectedLongs, MARGIN, end);
        int[] mergedInts = new int[ints.length];
        IntRuns.merge(ints, MARGIN, middle, end, mergedInts);
        assertThat(mergedInts).isEqualTo(expectedInts);
        long[] mergedLongs = new long[ints.length];
        LongRuns.merge(longs, MARGIN, middle, end, mergedLongs);
        assertThat(mergedLongs).isEqualTo(expectedLongs);
    }
}
