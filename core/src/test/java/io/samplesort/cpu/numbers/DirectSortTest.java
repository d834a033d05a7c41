package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cpu.leaf.LeafSort;
import io.samplesort.keys.OrderedBits;
import io.samplesort.memory.ArrayRange;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.reflect.Array;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectSortTest {
    private static final double[] SPECIAL = {
        0.0,
        -0.0,
        1,
        -1,
        Double.NEGATIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        Double.NaN,
        Double.longBitsToDouble(0x7ff8_0000_0000_0001L),
        Double.longBitsToDouble(0xfff8_0000_0000_0001L)
    };

    /// The JDK leaves NaNs in any order.
    @Test
    void fewDoublesAreOrderedToTheLastBitOfANan() {
        double[] keys = new Random(1)
                .ints(60, 0, SPECIAL.length)
                .mapToDouble(i -> SPECIAL[i])
                .toArray();
        long[] expected = Arrays.stream(keys)
                .mapToObj(Double::doubleToRawLongBits)
                .sorted(Comparator.comparingLong(OrderedBits::ofDouble))
                .mapToLong(Long::longValue)
                .toArray();
        assertThat(DirectSort.trySort(keys, 0, keys.length)).isNotNull();
        assertThat(Arrays.stream(keys).mapToLong(Double::doubleToRawLongBits)).containsExactly(box(expected));
    }

    @Test
    void fewFloatsAreOrderedToTheLastBitOfANan() {
        float[] keys = new float[60];
        Random random = new Random(2);
        for (int i = 0; i < keys.length; i++) {
            keys[i] = Float.intBitsToFloat(random.nextBoolean() ? 0xffc0_0000 | random.nextInt(8) : random.nextInt());
        }
        int[] expected = IntStream.range(0, keys.length)
                .map(i -> OrderedBits.ofFloat(Float.floatToRawIntBits(keys[i])))
                .sorted()
                .map(OrderedBits::floatBits)
                .toArray();
        assertThat(DirectSort.trySort(keys, 0, keys.length)).isNotNull();
        assertThat(IntStream.range(0, keys.length).map(i -> Float.floatToRawIntBits(keys[i])))
                .containsExactly(Arrays.stream(expected).boxed().toArray(Integer[]::new));
    }

    private static Long[] box(long[] longs) {
        return Arrays.stream(longs).boxed().toArray(Long[]::new);
    }

    @Test
    void onlyTheRangeIsSortedAndTheReportSaysByWhat() {
        int[] keys = {5, 4, 3, 2, 1};
        SortReport report = DirectSort.trySort(keys, 1, 4);
        assertThat(keys).containsExactly(5, 2, 3, 4, 1);
        assertThat(report.device()).isEqualTo("cpu, 1 thread");
        assertThat(report.elementCount()).isEqualTo(3);
        assertThat(report.total()).isEqualTo(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(ints = {97, 5000, 1 << 17})
    void whatIsInOrderOrReversedNeedsNoSorter(int count) {
        int[] ints = IntStream.range(0, count).map(i -> i / 3).toArray();
        for (Object array : arrays(ints)) {
            Object sorted = copy(array);
            assertThat(DirectSort.trySort(array, 0, count)).isNotNull();
            assertThat(array).isEqualTo(sorted);
            Object reversed = ofClass(
                    array,
                    IntStream.range(0, count).map(i -> ints[count - 1 - i]).toArray());
            assertThat(DirectSort.trySort(reversed, 0, count)).isNotNull();
            assertThat(reversed).isEqualTo(sorted);
        }
    }

    /// Doubles and floats that are equal as numbers are not always in order by their bits.
    @Test
    void aNegativeZeroBehindAPositiveOneIsNoOrder() {
        double[] doubles = new double[200];
        doubles[100] = -0.0;
        assertThat(DirectSort.trySort(doubles, 0, 200)).isNull();
        float[] floats = new float[20_000];
        floats[100] = -0.0f;
        assertThat(DirectSort.trySort(floats, 0, 20_000)).isNull();
    }

    @Test
    void otherArraysAreLeftAlone() {
        int[] ints = new Random(3).ints(20_000).toArray();
        for (Object array : arrays(ints)) {
            Object before = copy(array);
            assertThat(DirectSort.trySort(array, 0, 20_000)).isNull();
            assertThat(array).isEqualTo(before);
        }
    }

    /// Two runs are merged: both rising, both falling, in ranges that overlap or not.
    @ParameterizedTest
    @ValueSource(ints = {2000, 30_000})
    void twoRunsAreMerged(int count) {
        int[] random = new Random(4).ints(count).toArray();
        Arrays.sort(random, 0, count / 3);
        Arrays.sort(random, count / 3, count);
        int[] sorted = IntStream.range(0, count).toArray();
        int[] rotated = IntStream.range(0, count)
                .map(i -> sorted[(i + count / 3) % count])
                .toArray();
        int[] falling =
                IntStream.range(0, count).map(i -> random[count - 1 - i]).toArray();
        for (int[] keys : new int[][] {random, rotated, falling}) {
            int[] expected = keys.clone();
            Arrays.sort(expected);
            List<ElementType> types = List.of(ElementType.INT, ElementType.LONG, ElementType.DOUBLE);
            for (int i = 0; i < types.size(); i++) {
                Object array = arrays(keys).get(i);
                try (CpuSorter sorter = new CpuSorter(types.get(i), null, Order.natural())) {
                    SortReport report = sorter.sort(new ArrayRange(array, 0, count));
                    assertThat(array).isEqualTo(ofClass(array, expected));
                    assertThat(report.phases())
                            .extracting(SortReport.Phase::name)
                            .containsExactly("merge_runs");
                }
            }
        }
    }

    @Test
    void fewDifferentIntsAreSorted() {
        int[] keys = new Random(5).ints(30_000, 0, 5).toArray();
        int[] expected = keys.clone();
        Arrays.sort(expected);
        new LeafSort().sort(keys, 0, keys.length);
        assertThat(keys).isEqualTo(expected);
    }

    /// Returns the same numbers as arrays of ints, longs, doubles and floats.
    private static List<Object> arrays(int[] ints) {
        float[] floats = new float[ints.length];
        for (int i = 0; i < ints.length; i++) {
            floats[i] = ints[i];
        }
        return List.of(
                ints.clone(),
                Arrays.stream(ints).asLongStream().toArray(),
                Arrays.stream(ints).asDoubleStream().toArray(),
                floats);
    }

    private static Object ofClass(Object like, int[] ints) {
        return arrays(ints).stream()
                .filter(array -> array.getClass().equals(like.getClass()))
                .findFirst()
                .orElseThrow();
    }

    private static Object copy(Object array) {
        int length = Array.getLength(array);
        Object copy = Array.newInstance(array.getClass().getComponentType(), length);
        System.arraycopy(array, 0, copy, 0, length);
        return copy;
    }
}
