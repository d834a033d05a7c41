package io.samplesort.cpu.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MonotonyTest {
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
    void doublesRunAsTheirLongsDo() {
        for (double first : DOUBLES) {
            for (double second : DOUBLES) {
                assertThat(Monotony.isAscending(new double[] {first, second}, 0, 2))
                        .as(
                                "%s (%x), %s (%x)",
                                first, Double.doubleToRawLongBits(first), second, Double.doubleToRawLongBits(second))
                        .isEqualTo(Monotony.place(first) <= Monotony.place(second));
            }
        }
    }

    @Test
    void oneViolationAnywhereIsSeen() {
        double[] doubles = new SplittableRandom(1).doubles(500).sorted().toArray();
        long[] longs = Arrays.stream(doubles).mapToLong(Monotony::place).toArray();
        int[] ints = new SplittableRandom(2).ints(500).sorted().toArray();
        assertThat(Monotony.isAscending(doubles, 0, 500)).isTrue();
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
            assertThat(Monotony.isAscending(swappedDoubles, 0, 500)).isFalse();
            assertThat(Monotony.isAscending(swappedLongs, 0, 500, 0)).isFalse();
            assertThat(Monotony.isAscending(swappedInts, 0, 500)).isFalse();
            assertThat(Monotony.isAscending(swappedDoubles, 0, i + 1)).isTrue();
            assertThat(Monotony.isAscending(swappedDoubles, i + 1, 500)).isTrue();
        }
    }
}
