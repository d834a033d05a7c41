package io.samplesort.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.cpu.leaf.SimdArray;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuickSortTest {
    private static final int MARGIN = 5;

    /// So many elements are sorted by SIMD functions alone, where there are any.
    private static final int LARGE = (1 << 20) + 777;

    @BeforeEach
    void needsSimd() {
        assumeTrue(SimdArray.of(new int[0]) != null, "needs the JDK's AVX-512 sort");
    }

    @ParameterizedTest
    @EnumSource
    void sortsLongsOfEachDistribution(InputDistribution distribution) {
        for (int count : new int[] {100, 5000, 40_000}) {
            long[] values = new long[count];
            distribution.fill(MemorySegment.ofArray(values), KeyType.I64, 3);
            long[] expected = surrounded(values);
            Arrays.sort(expected, MARGIN, MARGIN + count);
            for (int threads : new int[] {1, 2, 3}) {
                long[] sorted = surrounded(values);
                assertThat(sort(sorted, count, threads)).isTrue();
                assertThat(sorted).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void sortsIntsOfEachDistribution(InputDistribution distribution) {
        int[] values = new int[30_000];
        distribution.fill(MemorySegment.ofArray(values), KeyType.I32, 4);
        int[] expected = values.clone();
        Arrays.sort(expected, MARGIN, values.length - MARGIN);
        assertThat(sort(values, values.length - 2 * MARGIN, 2)).isTrue();
        assertThat(values).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void sortsDoublesOfEachDistribution(InputDistribution distribution) {
        double[] values = new double[30_000];
        distribution.fill(MemorySegment.ofArray(values), KeyType.F64, 5);
        double[] expected = values.clone();
        Arrays.sort(expected, MARGIN, values.length - MARGIN);
        assertThat(sort(values, values.length - 2 * MARGIN, 2)).isTrue();
        assertThat(values).isEqualTo(expected);
    }

    /// A range that one call sorts loses its frequent keys first.
    @ParameterizedTest
    @EnumSource
    void sortsEachDistributionByFewCalls(InputDistribution distribution) {
        long[] longs = new long[50_000];
        distribution.fill(MemorySegment.ofArray(longs), KeyType.I64, 10);
        double[] doubles = Arrays.stream(longs).asDoubleStream().toArray();
        long[] sortedLongs = longs.clone();
        Arrays.sort(sortedLongs, MARGIN, longs.length - MARGIN);
        double[] sortedDoubles = doubles.clone();
        Arrays.sort(sortedDoubles, MARGIN, doubles.length - MARGIN);
        assertThat(sort(longs, longs.length - 2 * MARGIN, 1, longs.length)).isTrue();
        assertThat(longs).isEqualTo(sortedLongs);
        assertThat(sort(doubles, doubles.length - 2 * MARGIN, 2, doubles.length))
                .isTrue();
        assertThat(doubles).isEqualTo(sortedDoubles);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 500, 1000})
    void aFrequentKeyHasAPartOfItsOwn(int frequent) {
        SplittableRandom random = new SplittableRandom(11);
        int[] values = random.ints(10_000, 0, 1000)
                .map(key -> random.nextInt(3) == 0 ? frequent : key)
                .toArray();
        int[] expected = values.clone();
        SimdArray.Parts parts = SimdArray.of(values).splitByFrequentKey(0, values.length);
        assertThat(parts).isNotNull();
        assertThat(Arrays.stream(values, 0, parts.firstEnd())).allMatch(key -> key < frequent);
        assertThat(Arrays.copyOfRange(values, parts.firstEnd(), parts.lastStart()))
                .hasSizeGreaterThan(3000)
                .containsOnly(frequent);
        assertThat(Arrays.stream(values, parts.lastStart(), values.length)).allMatch(key -> key > frequent);
        Arrays.sort(values);
        Arrays.sort(expected);
        assertThat(values).isEqualTo(expected);
        assertThat(SimdArray.of(random.ints(10_000).toArray()).splitByFrequentKey(0, 10_000))
                .isNull();
    }

    /// Wherever they are and however many: what cannot be sorted is found, and every element is still there.
    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, -0.0})
    void givesUpNansAndNegativeZerosAndLosesNothing(double strange) {
        SplittableRandom random = new SplittableRandom(6);
        for (int share : new int[] {1, 2, 3, 10, 20_000}) {
            double[] values = new double[20_000 + 2 * MARGIN];
            Arrays.setAll(values, i -> random.nextInt(3) - 1 + random.nextInt(2) * random.nextDouble());
            for (int i = 0; i < 20_000; i += share) {
                values[MARGIN + i / share * share + random.nextInt(Math.min(share, 20_000 - i))] = strange;
            }
            long[] before = sortedBits(values);
            assertThat(sort(values, 20_000, 1)).isFalse();
            assertThat(sortedBits(values)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void sortsLargeArrays(int threads) {
        for (InputDistribution distribution : new InputDistribution[] {
            InputDistribution.UNIFORM,
            InputDistribution.ZIPF,
            InputDistribution.FEW_DISTINCT,
            InputDistribution.ORGAN_PIPE
        }) {
            int[] ints = new int[LARGE];
            distribution.fill(MemorySegment.ofArray(ints), KeyType.I32, 7);
            int[] sortedInts = ints.clone();
            Arrays.sort(sortedInts, 1, LARGE);
            sort(MemorySegment.ofArray(ints).asSlice(Integer.BYTES), ElementType.INT, threads);
            assertThat(ints).isEqualTo(sortedInts);
            double[] doubles = new double[LARGE];
            distribution.fill(MemorySegment.ofArray(doubles), KeyType.F64, 8);
            double[] sortedDoubles = doubles.clone();
            Arrays.sort(sortedDoubles, 1, LARGE);
            sort(MemorySegment.ofArray(doubles).asSlice(Double.BYTES), ElementType.DOUBLE, threads);
            assertThat(doubles).isEqualTo(sortedDoubles);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void sortsLargeArraysWithNansAndNegativeZerosInAnotherWay(int threads) {
        SplittableRandom random = new SplittableRandom(9);
        double[] values = random.doubles(LARGE, -1, 1).toArray();
        values[LARGE / 2] = -0.0;
        values[LARGE / 2 + 1] = 0.0;
        values[LARGE - 1] = Double.NaN;
        double[] expected = values.clone();
        Arrays.sort(expected);
        sort(MemorySegment.ofArray(values), ElementType.DOUBLE, threads);
        assertThat(sortedBits(values)).isEqualTo(sortedBits(expected));
        assertThat(values).isEqualTo(expected);
    }

    private static void sort(MemorySegment keys, ElementType type, int threads) {
        try (CpuSorter sorter = new CpuSorter(type, null, Order.natural(), threads)) {
            sorter.sort(keys, null);
        }
    }

    /// Sorts all elements between the margins, with calls for at most 100 elements.
    private static boolean sort(Object array, int count, int threads) {
        return sort(array, count, threads, 100);
    }

    private static boolean sort(Object array, int count, int threads, int callLimit) {
        return new QuickSort(SimdArray.of(array), new Parallel(threads), callLimit).trySort(MARGIN, MARGIN + count);
    }

    private static long[] surrounded(long[] values) {
        long[] surrounded = new long[values.length + 2 * MARGIN];
        Arrays.fill(surrounded, 5);
        System.arraycopy(values, 0, surrounded, MARGIN, values.length);
        return surrounded;
    }

    private static long[] sortedBits(double[] values) {
        return Arrays.stream(values)
                .mapToLong(Double::doubleToRawLongBits)
                .sorted()
                .toArray();
    }
}
