package io.samplesort.cpu.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TwoRunsTest {
    private static final int MARGIN = 3;

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
        TwoRuns.merge(ints, MARGIN, middle, end, mergedInts);
        assertThat(mergedInts).isEqualTo(expectedInts);
        long[] mergedLongs = new long[ints.length];
        TwoRuns.merge(longs, MARGIN, middle, end, mergedLongs);
        assertThat(mergedLongs).isEqualTo(expectedLongs);
    }
}
