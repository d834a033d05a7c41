package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.function.IntUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Keys at the edges of what cells can tell apart, in single buckets (cell_sort.cuh) and as splitters
/// (splitter_grid.cuh): spread evenly or not at all, in one word of two, with as many keys in a cell as fit and one
/// more.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuCellsTest {
    static final Tuning SMALL = Tuning.defaultFor(ElementType.LONG, ElementType.LONG)
            .with("distributionThreads=64,distributionItems=4,distributionBlocks=1,maxBucketCount=16")
            .with("bucketTarget=200,rankedSize=0,smallSortThreads=32,smallSortItems=4,smallSortCells=4");

    static final Tuning WITHOUT_CELLS = SMALL.with("smallSortCells=0");

    private static final List<InputDistribution> GRID_INPUTS = List.of(
            InputDistribution.GAUSSIAN,
            InputDistribution.EIGHT_DUPLICATES,
            InputDistribution.ROOT_DUPLICATES,
            InputDistribution.ZIPF,
            InputDistribution.FEW_DISTINCT);

    record Keys(String name, long[] keys) {
        @Override
        public String toString() {
            return name + ", " + keys.length;
        }
    }

    static Stream<Keys> inputs(int count) {
        SplittableRandom random = new SplittableRandom(count);
        long[] even = random.longs(count).toArray();
        return Stream.of(
                new Keys("evenly spread", even),
                new Keys(
                        "upper words alike",
                        random.longs(count, 5L << 32, 6L << 32).toArray()),
                new Keys(
                        "two upper words",
                        random.longs(count, -1L << 31, 1L << 31).toArray()),
                new Keys(
                        "fewer numbers than cells", random.longs(count, -50, 50).toArray()),
                new Keys(
                        "each number once",
                        LongStream.range(0, count).map(i -> count - i).toArray()),
                new Keys(
                        "each key twice",
                        IntStream.range(0, count).mapToLong(i -> even[i / 2]).toArray()),
                new Keys("all equal", new long[count]),
                new Keys(
                        "crowded between the ends",
                        with(random.longs(count, 0, 1L << 40).toArray(), 0, new long[] {Long.MIN_VALUE, Long.MAX_VALUE
                        })),
                new Keys(
                        "crowded at the beginning",
                        with(random.longs(count, 0, 1L << 20).toArray(), count / 2, even)),
                new Keys("a crowded cell, full", with(even.clone(), 0, new long[32])),
                new Keys("a crowded cell, one key more", with(even.clone(), 0, new long[33])),
                new Keys("a crowded cell, more than a byte counts", with(even.clone(), 0, new long[257])),
                new Keys("a frequent key and a few others in its cell", frequent(random, count, 1)),
                new Keys("two frequent keys in a cell", frequent(random, count, 2)),
                new Keys(
                        "a few more numbers than cells",
                        random.longs(count, 0, count + count / 2 + 20)
                                .map(key -> (key & 3) == 0 ? key & -64 : key)
                                .toArray()),
                new Keys(
                        "exponents",
                        random.longs(count).map(key -> key >>> (key & 63)).toArray()));
    }

    /// Returns keys; every fourth one lies anywhere. The others share a cell: most are one of `numbers`, and a few lie
    /// near these.
    private static long[] frequent(SplittableRandom random, int count, int numbers) {
        return IntStream.range(0, count)
                .mapToLong(i -> i % 4 == 0 ? random.nextLong() : random.nextInt(16) == 0 ? i : i % numbers)
                .toArray();
    }

    private static long[] with(long[] keys, int place, long[] others) {
        System.arraycopy(others, 0, keys, place, Math.min(others.length, keys.length - place));
        return keys;
    }

    /// What a block sorts alone, and what takes two passes of few buckets.
    @ParameterizedTest
    @ValueSource(ints = {2, 33, 511, 4000})
    void sortsPairs(int count) {
        sortPairs(count, SampleSort.onGpu().tuning(SMALL));
    }

    @ParameterizedTest
    @ValueSource(ints = {3000, 8192, 20_000})
    @Tag("exhaustive")
    void sortsMorePairs(int count) {
        sortPairs(count, SampleSort.onGpu().tuning(SMALL));
    }

    /// With blocks as large as users have.
    @Test
    void sortsPairsInALargeBlock() {
        sortPairs(3000, SampleSort.onGpu());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 33, 511, 8192, 20_000})
    @Tag("exhaustive")
    void sortsPairsInLargeBlocks(int count) {
        sortPairs(count, SampleSort.onGpu());
    }

    private static void sortPairs(int count, SorterBuilder builder) {
        try (Sorter sorter = builder.payload(ElementType.LONG).build(ElementType.LONG)) {
            inputs(count).forEach(input -> sortAndCheck(sorter, input));
        }
    }

    private static void sortAndCheck(Sorter sorter, Keys of) {
        long[] input = of.keys;
        long[] keys = input.clone();
        long[] places = LongStream.range(0, keys.length).toArray();
        sorter.sort(MemorySegment.ofArray(keys), MemorySegment.ofArray(places));
        long[] expected = input.clone();
        Arrays.sort(expected);
        assertThat(keys).as(of.toString()).isEqualTo(expected);
        assertThat(Arrays.stream(places).map(place -> input[(int) place]).toArray())
                .as("keys at the payloads, %s", of)
                .isEqualTo(expected);
        assertThat(Arrays.stream(places).distinct().count()).as(of.toString()).isEqualTo(keys.length);
    }

    /// Numbers of keys grow as the keys do in each order, which the contract tells of most orders.
    @Test
    @Tag("exhaustive")
    void sortsInEveryOrder() {
        SplittableRandom random = new SplittableRandom(8);
        long[] longs = random.longs(5000).toArray();
        int[] ints = random.ints(5000).toArray();
        try (Sorter sorter = SampleSort.onGpu().build(ElementType.LONG)) {
            sortAndCheck(sorter, longs, Comparator.naturalOrder());
        }
        // The orders differ in how a key becomes a number, which is the same with blocks that compile faster.
        try (Sorter sorter = SampleSort.onGpu()
                .tuning(SMALL)
                .order(Order.natural().reversed())
                .build(ElementType.LONG)) {
            sortAndCheck(sorter, longs, Comparator.reverseOrder());
        }
        try (Sorter sorter =
                SampleSort.onGpu().tuning(SMALL).order(Order.unsigned()).build(ElementType.LONG)) {
            sortAndCheck(sorter, longs, Long::compareUnsigned);
        }
        try (Sorter sorter = SampleSort.onGpu().build(ElementType.INT)) {
            int[] keys = ints.clone();
            sorter.sort(keys);
            Arrays.sort(ints);
            assertThat(keys).isEqualTo(ints);
        }
    }

    private static void sortAndCheck(Sorter sorter, long[] input, Comparator<Long> comparator) {
        long[] keys = input.clone();
        sorter.sort(keys);
        assertThat(keys)
                .isEqualTo(Arrays.stream(input)
                        .boxed()
                        .sorted(comparator)
                        .mapToLong(Long::longValue)
                        .toArray());
    }

    /// Numbers that differ in some of their bits alone (number_index.cuh), with one that lies between them or without,
    /// and numbers that are neighbours of equal ones, as in an array that is almost in order.
    @Test
    void sortsNumbersThatLieFarApart() {
        SplittableRandom random = new SplittableRandom(9);
        int count = 6000;
        try (Sorter sorter = SampleSort.onGpu().build(ElementType.INT)) {
            for (IntUnaryOperator number : List.<IntUnaryOperator>of(
                    i -> random.nextInt(2000) * 64,
                    i -> random.nextInt(2000) * 64 + random.nextInt(2) - 50_000,
                    i -> random.nextInt(50) << 20 | random.nextInt(16),
                    i -> i == 77 ? 1000 : random.nextInt(3000) * 32,
                    i -> random.nextInt(2) == 0 ? Integer.MIN_VALUE : 16,
                    i -> i / 8 * 16)) {
                int[] keys = IntStream.range(0, count).map(number).toArray();
                int[] expected = keys.clone();
                Arrays.sort(expected);
                sorter.sort(keys);
                assertThat(keys).isEqualTo(expected);
            }
        }
    }

    @Test
    @Tag("exhaustive")
    void sortsWholeValuesThatLieFarApart() {
        SplittableRandom random = new SplittableRandom(9);
        int count = 6000;
        try (Sorter sorter = SampleSort.onGpu().build(ElementType.FLOAT)) {
            for (IntUnaryOperator number : List.<IntUnaryOperator>of(
                    i -> random.nextInt(3000) - 1000,
                    i -> random.nextInt(3000) << 8,
                    i -> i / 8,
                    i -> random.nextInt(100) == 0 ? random.nextInt(count) : i / 8 * 3)) {
                sortAndCheck(sorter, count, number);
            }
        }
    }

    private static void sortAndCheck(Sorter sorter, int count, IntUnaryOperator number) {
        float[] keys = new float[count];
        for (int i = 0; i < count; i++) {
            keys[i] = number.applyAsInt(i);
        }
        float[] expected = keys.clone();
        Arrays.sort(expected);
        sorter.sort(keys);
        assertThat(keys).isEqualTo(expected);
    }

    /// Values that have counters of their own (own_counters.cuh), a word for each or half of one, of which some are
    /// frequent, or none.
    @Test
    void sortsFrequentValues() {
        SplittableRandom random = new SplittableRandom(11);
        int count = 12_000;
        try (Sorter sorter = SampleSort.onGpu().tuning(SMALL).build(ElementType.FLOAT)) {
            for (IntUnaryOperator number : List.<IntUnaryOperator>of(
                    i -> random.nextInt(3) == 0 ? random.nextInt(40) * 100 : random.nextInt(4000),
                    i -> i % 3 == 0 ? random.nextInt(20) * 100 : random.nextInt(4000),
                    i -> random.nextInt(4000),
                    i -> i % 3 == 0 ? random.nextInt(20) * 900 : random.nextInt(18_000),
                    i -> random.nextInt(18_000))) {
                sortAndCheck(sorter, count, number);
            }
        }
    }

    /// Values around zero, which have many exponents (value_map.cuh): spread evenly by value, of both signs, by
    /// exponent, and with numbers that no difference can be taken of.
    @Test
    void sortsValuesOfManyExponents() {
        sortValuesOfManyExponents(
                ElementType.FLOAT, Order.natural(), SampleSort.onGpu().tuning(SMALL));
    }

    /// In blocks as large as users have.
    @Test
    @Tag("exhaustive")
    void sortsValuesOfManyExponentsInLargeBlocks() {
        for (Order order : List.of(Order.natural(), Order.natural().reversed())) {
            sortValuesOfManyExponents(ElementType.DOUBLE, order, SampleSort.onGpu());
            sortValuesOfManyExponents(ElementType.FLOAT, order, SampleSort.onGpu());
        }
    }

    private static void sortValuesOfManyExponents(ElementType type, Order order, SorterBuilder builder) {
        SplittableRandom random = new SplittableRandom(10);
        for (DoubleSupplier value : List.<DoubleSupplier>of(
                () -> random.nextInt(1 << 20) * 0x1p-24,
                () -> random.nextDouble(-1e-3, 3e-3),
                () -> Math.scalb(random.nextDouble(-1, 1), random.nextInt(-140, 100)),
                () -> random.nextInt(100) == 0 ? Double.NEGATIVE_INFINITY : random.nextDouble(1e38),
                () -> random.nextInt(100) == 0 ? Double.NaN : random.nextDouble(),
                () -> random.nextInt(5) * (double) Float.MIN_VALUE * random.nextInt(1000),
                () -> random.nextInt(3000) == 0 ? -1e-30 : -random.nextDouble())) {
            double[] values = DoubleStream.generate(value).limit(6000).toArray();
            try (Sorter sorter = builder.order(order).build(type)) {
                sortAndCheck(sorter, type, order, values);
            }
        }
    }

    private static void sortAndCheck(Sorter sorter, ElementType type, Order order, double[] values) {
        double[] expected = values.clone();
        if (type.equals(ElementType.FLOAT)) {
            Arrays.setAll(expected, i -> (float) values[i]);
        }
        double[] keys = expected.clone();
        Arrays.sort(expected);
        if (order.equals(Order.natural().reversed())) {
            double[] ascending = expected.clone();
            Arrays.setAll(expected, i -> ascending[ascending.length - 1 - i]);
        }
        if (type.equals(ElementType.DOUBLE)) {
            sorter.sort(keys);
        } else {
            float[] narrow = new float[keys.length];
            for (int i = 0; i < keys.length; i++) {
                narrow[i] = (float) keys[i];
            }
            sorter.sort(narrow);
            Arrays.setAll(keys, i -> narrow[i]);
        }
        assertThat(keys).as(type + " " + order).isEqualTo(expected);
    }

    /// Tables for as many splitters as a pass can have, and for few, of which some or all are equal. The small sort
    /// behind them has no cells, without which it compiles in a third of the time.
    @Test
    void findsBucketsByGrids() {
        findBucketsByGrids(KeyType.F64, "gridCells=16,maxBucketCount=64");
    }

    @Test
    @Tag("exhaustive")
    void findsBucketsByOtherGrids() {
        findBucketsByGrids(KeyType.F64, "gridCells=0");
        findBucketsByGrids(KeyType.I32, "gridCells=1");
        findBucketsByGrids(KeyType.I32, "gridCells=4,maxBucketCount=2");
        for (InputDistribution input : GRID_INPUTS) {
            CheckedSorts.sortAndCheck(WITHOUT_CELLS.with("gridCells=2"), 15_000, input, KeyType.I64, -1);
        }
    }

    private static void findBucketsByGrids(KeyType type, String tuning) {
        for (InputDistribution input : GRID_INPUTS) {
            CheckedSorts.sortKeysAndCheck(type, WITHOUT_CELLS.with(tuning), 12_000, input);
        }
    }

    /// Equal splitters in one cell, at both ends of the range and between them. The grid tells two that differ apart,
    /// and leaves three to the tree.
    @Test
    void findsEqualSplittersOfOneCell() {
        SplittableRandom random = new SplittableRandom(9);
        try (Sorter sorter =
                SampleSort.onGpu().tuning(SMALL).payload(ElementType.LONG).build(ElementType.LONG)) {
            for (int frequent = 1; frequent <= 3; frequent++) {
                for (long first : new long[] {Long.MIN_VALUE, -1, Long.MAX_VALUE - 2}) {
                    int numbers = frequent;
                    long[] keys = IntStream.range(0, 10_000)
                            .mapToLong(i -> i % 2 == 0 ? random.nextLong() : first + random.nextInt(numbers))
                            .toArray();
                    sortAndCheck(sorter, new Keys("%d keys from %d on".formatted(frequent, first), keys));
                }
            }
        }
    }
}
