package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.cpu.leaf.SimdKeys;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.cpu.threads.Helpers;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuickSortTest {
    private static final int MARGIN = 5;

    /// This many elements are sorted by SIMD functions alone, where there are any.
    private static final int LARGE = (1 << 20) + 777;

    private static final List<KeyType> TYPES =
            List.of(KeyType.I32, KeyType.U32, KeyType.F32, KeyType.I64, KeyType.U64, KeyType.F64);

    @BeforeEach
    void needsSimd() {
        assumeTrue(SimdKeys.of(MemorySegment.ofArray(new int[0]), SimdKeys.Type.INT, true) != null, "needs AVX-512");
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
                sort(sorted, count, threads);
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
        sort(values, values.length - 2 * MARGIN, 2);
        assertThat(values).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void sortsDoublesOfEachDistribution(InputDistribution distribution) {
        double[] values = new double[30_000];
        distribution.fill(MemorySegment.ofArray(values), KeyType.F64, 5);
        double[] expected = values.clone();
        Arrays.sort(expected, MARGIN, values.length - MARGIN);
        sort(values, values.length - 2 * MARGIN, 2);
        assertThat(values).isEqualTo(expected);
    }

    /// A range that one call would sort is partitioned first where its keys repeat.
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
        sort(longs, longs.length - 2 * MARGIN, 1, longs.length);
        assertThat(longs).isEqualTo(sortedLongs);
        sort(doubles, doubles.length - 2 * MARGIN, 2, doubles.length);
        assertThat(doubles).isEqualTo(sortedDoubles);
    }

    /// Wherever they are and however many: NaNs and negative zeros are sorted with all their bits.
    @ParameterizedTest
    @ValueSource(longs = {0x7ff8_0000_0000_0000L, 0xfff8_0000_0000_0000L, 0xffff_ffff_ffff_ffffL, 1L << 63})
    void sortsNansAndNegativeZeros(long strange) {
        SplittableRandom random = new SplittableRandom(6);
        for (int share : new int[] {1, 2, 3, 10, 20_000}) {
            for (int threads : new int[] {1, 2}) {
                double[] values = new double[20_000 + 2 * MARGIN];
                Arrays.setAll(values, i -> random.nextInt(3) - 1 + random.nextInt(2) * random.nextDouble());
                for (int i = 0; i < 20_000; i += share) {
                    int place = MARGIN + i / share * share + random.nextInt(Math.min(share, 20_000 - i));
                    values[place] = Double.longBitsToDouble(strange ^ random.nextInt(2) * (strange << 1 >>> 13));
                }
                long[] expected = LongStream.concat(
                                LongStream.concat(
                                        orders(values, 0, MARGIN),
                                        orders(values, MARGIN, 20_000 + MARGIN).sorted()),
                                orders(values, 20_000 + MARGIN, values.length))
                        .toArray();
                sort(values, 20_000, threads);
                assertThat(orders(values, 0, values.length).toArray()).isEqualTo(expected);
            }
        }
    }

    /// The place of each number in the order of all doubles.
    private static LongStream orders(double[] values, int from, int to) {
        return Arrays.stream(values, from, to)
                .mapToLong(Double::doubleToRawLongBits)
                .map(bits -> (bits ^ ((bits >> 63) >>> 1)) - 0x000f_ffff_ffff_ffffL);
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
    void sortsLargeArraysWithNansAndNegativeZeros(int threads) {
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

    /// Native memory, unsigned and floating-point types, and what is told to be final meanwhile.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void whatIsToldIsFinal(int threads) {
        for (SortCase sortCase : List.of(
                SortCase.of(KeyType.U64),
                SortCase.of(KeyType.U32),
                SortCase.of(KeyType.I32),
                SortCase.of(KeyType.F32),
                SortCase.of(KeyType.F64))) {
            for (InputDistribution distribution :
                    List.of(InputDistribution.UNIFORM, InputDistribution.FEW_DISTINCT, InputDistribution.ZIPF)) {
                try (Arena arena = Arena.ofShared();
                        CpuSorter sorter =
                                sortCase.with(CpuTuning.DEFAULT, threads).sorter()) {
                    int bytes = sortCase.type().byteSize();
                    MemorySegment keys = arena.allocate((long) LARGE * bytes, 8);
                    distribution.fill(keys, sortCase.type(), 11);
                    MemorySegment expected = MemorySegment.ofArray(keys.toArray(ValueLayout.JAVA_BYTE));
                    sortCase.checkSort(sorter, distribution.name(), expected, null);
                    long[] told = {0, 0};
                    sorter.sort(keys, null, count -> {
                        long before = told[0] * bytes;
                        assertThat(expected.asSlice(before, count * bytes - before)
                                        .mismatch(keys.asSlice(before, count * bytes - before)))
                                .isEqualTo(-1);
                        told[0] = count;
                        told[1]++;
                    });
                    assertThat(keys.mismatch(expected)).isEqualTo(-1);
                    assertThat(told[0]).isEqualTo(LARGE);
                    // Few distinct keys are written so fast that other threads may overtake the one that begins.
                    boolean mayBeToldOnce = threads > 1 && distribution == InputDistribution.FEW_DISTINCT;
                    assertThat(told[1]).isGreaterThan(mayBeToldOnce ? 0 : 3);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void sortsEachDistributionInDescendingOrder(InputDistribution distribution) {
        for (KeyType type : TYPES) {
            SortCase sortCase = SortCase.of(type).descending(true).with(CpuTuning.DEFAULT, 2);
            try (CpuSorter sorter = sortCase.sorter()) {
                sortCase.check(sorter, distribution, (1 << 17) + 99);
            }
        }
    }

    /// Numbers of one sign, and some NaNs and zeros of either.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sortsNumbersOfOneSign(boolean isDescending) {
        SplittableRandom random = new SplittableRandom(21);
        for (double sign : new double[] {1, -1}) {
            for (long strange : new long[] {0, 1L << 63, Double.doubleToRawLongBits(Double.NaN), -1}) {
                double[] values =
                        random.doubles(LARGE).map(value -> sign * value).toArray();
                for (int i = 0; i < 3; i++) {
                    values[random.nextInt(LARGE)] = Double.longBitsToDouble(strange);
                }
                SortCase sortCase =
                        SortCase.of(KeyType.F64).descending(isDescending).with(CpuTuning.DEFAULT, 2);
                try (CpuSorter sorter = sortCase.sorter()) {
                    sortCase.checkSort(sorter, sign + " " + strange, MemorySegment.ofArray(values), null);
                }
            }
        }
    }

    /// Keys and payloads of either size. Which of the two orders is taken differs from one distribution to the next.
    @ParameterizedTest
    @EnumSource
    void sortsPairsOfEachDistribution(InputDistribution distribution) {
        for (ElementType payload : List.of(ElementType.INT, ElementType.LONG)) {
            for (KeyType type : TYPES) {
                SortCase sortCase = SortCase.of(type)
                        .with(payload)
                        .descending((distribution.ordinal() + type.ordinal()) % 2 == 0)
                        .with(CpuTuning.DEFAULT, 3);
                try (CpuSorter sorter = sortCase.sorter()) {
                    sortCase.check(sorter, distribution, (1 << 17) + 99);
                }
            }
        }
    }

    /// Keys that share their leading bits, many or few; some are equal.
    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100, 5000, 100_000})
    void sortsPairsWhoseKeysDifferInTheirLastBits(int clusters) {
        SplittableRandom random = new SplittableRandom(19);
        long[] keys = random.longs(200_000)
                .map(v -> (v % clusters << 40) + (v >>> 20) % 1500)
                .toArray();
        SortCase sortCase = SortCase.of(KeyType.I64).with(ElementType.INT).with(CpuTuning.DEFAULT, 2);
        try (CpuSorter sorter = sortCase.sorter()) {
            sortCase.checkSort(sorter, "clusters", MemorySegment.ofArray(keys), SortCase.heap(keys.length, 4));
        }
    }

    private static void sort(MemorySegment keys, ElementType type, int threads) {
        try (CpuSorter sorter = new CpuSorter(type, null, Order.natural(), threads)) {
            sorter.sort(keys, null);
        }
    }

    /// Sorts all elements between the margins, with calls for at most 600 elements.
    private static void sort(Object array, int count, int threads) {
        sort(array, count, threads, 600);
    }

    private static void sort(Object array, int count, int threads, int callLimit) {
        SimdKeys keys = switch (array) {
            case int[] ints -> SimdKeys.of(MemorySegment.ofArray(ints), SimdKeys.Type.INT, true);
            case long[] longs -> SimdKeys.of(MemorySegment.ofArray(longs), SimdKeys.Type.LONG, true);
            default -> SimdKeys.of(MemorySegment.ofArray((double[]) array), SimdKeys.Type.DOUBLE, true);
        };
        try (Crew crew = new Crew(threads, Helpers.shared())) {
            new QuickSort(keys, crew, callLimit, count, null, null)
                    .sort(MARGIN, MARGIN + count, keys.sample(MARGIN, MARGIN + count));
        }
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
