package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunMergeTest {
    /// Enough to be merged, and no multiple of a tile.
    private static final int COUNT = (1 << 17) + 12_345;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void mergesLongsOfAnyRange(int threads) {
        SplittableRandom random = new SplittableRandom(1);
        for (int runs : new int[] {2, 3, 4}) {
            for (long range : new long[] {3, 1000, Long.MAX_VALUE}) {
                long[] values = random.longs(COUNT, -range, range).toArray();
                sortRuns(values, runs, random);
                long[] expected = values.clone();
                Arrays.sort(expected);
                boolean isMerged = sort(MemorySegment.ofArray(values), ElementType.LONG, Order.natural(), threads);
                // Few values are counted where the processor has kernels for that.
                assertThat(isMerged || range < Long.MAX_VALUE)
                        .as("merged %d runs", runs)
                        .isTrue();
                assertThat(values).isEqualTo(expected);
            }
        }
    }

    @Test
    void mergesIntsInEveryOrder() {
        SplittableRandom random = new SplittableRandom(2);
        int[] values = random.ints(COUNT).toArray();
        int[] expected = values.clone();
        Arrays.sort(expected);
        Arrays.sort(values, 0, 100_000);
        Arrays.sort(values, 100_000, COUNT);
        int[] ascending = values.clone();
        assertThat(sort(MemorySegment.ofArray(ascending), ElementType.INT, Order.natural(), 2))
                .isTrue();
        assertThat(ascending).isEqualTo(expected);
        int[] descending = Arrays.stream(values).map(v -> ~v).toArray();
        assertThat(sort(
                        MemorySegment.ofArray(descending),
                        ElementType.INT,
                        Order.natural().reversed(),
                        2))
                .isTrue();
        assertThat(Arrays.stream(descending).map(v -> ~v).toArray()).isEqualTo(expected);
        int[] unsigned = Arrays.stream(values).map(v -> v ^ Integer.MIN_VALUE).toArray();
        assertThat(sort(MemorySegment.ofArray(unsigned), ElementType.INT, Order.unsigned(), 2))
                .isTrue();
        assertThat(Arrays.stream(unsigned).map(v -> v ^ Integer.MIN_VALUE).toArray())
                .isEqualTo(expected);
    }

    @Test
    void mergesDoublesWithNansAndNegativeZerosInNativeMemory() {
        SplittableRandom random = new SplittableRandom(3);
        double[] values = random.doubles(COUNT, -1, 1).toArray();
        for (int i = 0; i < COUNT; i += 100) {
            values[i] = new double[] {-0.0, 0.0, Double.NaN, Double.NEGATIVE_INFINITY}[random.nextInt(4)];
        }
        double[] expected = values.clone();
        Arrays.sort(expected);
        Arrays.sort(values, 0, 30_000);
        Arrays.sort(values, 30_000, COUNT);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment segment = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, values);
            assertThat(sort(segment, ElementType.DOUBLE, Order.natural(), 3)).isTrue();
            assertThat(segment.toArray(ValueLayout.JAVA_DOUBLE)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void payloadsMoveWithTheirKeys(boolean isWide) {
        SplittableRandom random = new SplittableRandom(4);
        int[] keys = random.ints(COUNT, 0, 50_000).toArray();
        Arrays.sort(keys, 0, 70_000);
        Arrays.sort(keys, 70_000, COUNT);
        long[] longKeys = Arrays.stream(keys).asLongStream().toArray();
        int[] payload = new int[COUNT];
        Arrays.setAll(payload, i -> i);
        MemorySegment segment = isWide ? MemorySegment.ofArray(longKeys) : MemorySegment.ofArray(keys.clone());
        try (CpuSorter sorter =
                new CpuSorter(isWide ? ElementType.LONG : ElementType.INT, ElementType.INT, Order.natural(), 2)) {
            assertThat(isMerged(sorter.sort(segment, MemorySegment.ofArray(payload), null)))
                    .isTrue();
        }
        int[] sorted = isWide
                ? Arrays.stream(segment.toArray(ValueLayout.JAVA_LONG))
                        .mapToInt(v -> (int) v)
                        .toArray()
                : segment.toArray(ValueLayout.JAVA_INT);
        assertThat(sorted).isSorted();
        assertThat(Arrays.stream(payload).map(i -> keys[i]).toArray()).isEqualTo(sorted);
        assertThat(Arrays.stream(payload).distinct().count()).isEqualTo(COUNT);
    }

    @Test
    void runsMayBeginAnywhereAndRiseOrFall() {
        long[] values = new long[COUNT];
        for (int start : new int[] {1, 2, 2047, 2048, 2049, 65_536, COUNT - 2, COUNT - 1}) {
            for (int first : new int[] {-2, 0, 2}) {
                for (int second : new int[] {-2, 0, 2}) {
                    Arrays.setAll(values, i -> i < start ? first * (long) i : second * (long) (i - start) + 1);
                    long[] expected = values.clone();
                    Arrays.sort(expected);
                    sort(MemorySegment.ofArray(values), ElementType.LONG, Order.natural(), 2);
                    assertThat(values).as("from %d on", start).isEqualTo(expected);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void mergesRunsThatFall(int threads) {
        SplittableRandom random = new SplittableRandom(6);
        for (long range : new long[] {3, 1000, Long.MAX_VALUE}) {
            long[] values = random.longs(COUNT, -range, range).toArray();
            long[] expected = values.clone();
            Arrays.sort(expected);
            Arrays.sort(values, 0, 50_000);
            reverse(values, 0, 50_000);
            Arrays.sort(values, 50_000, 100_000);
            Arrays.sort(values, 100_000, COUNT);
            reverse(values, 100_000, COUNT);
            assertThat(sort(MemorySegment.ofArray(values), ElementType.LONG, Order.natural(), threads))
                    .isTrue();
            assertThat(values).isEqualTo(expected);
        }
    }

    @Test
    void manyRunsAreSortedInAnotherWay() {
        SplittableRandom random = new SplittableRandom(5);
        for (int runs : new int[] {9, 200, 20_000}) {
            long[] values = random.longs(COUNT).toArray();
            sortRuns(values, runs, random);
            long[] expected = values.clone();
            Arrays.sort(expected);
            assertThat(sort(MemorySegment.ofArray(values), ElementType.LONG, Order.natural(), 2))
                    .isFalse();
            assertThat(values).isEqualTo(expected);
        }
    }

    /// Whoever asks how much is final has no memory for a copy.
    @Test
    void nothingIsMergedWhereSomebodyListens() {
        long[] values = new long[COUNT];
        Arrays.setAll(values, i -> i % 100_000);
        LongConsumer listener = count -> {};
        try (CpuSorter sorter = new CpuSorter(ElementType.LONG, null, Order.natural(), 2)) {
            assertThat(isMerged(sorter.sort(MemorySegment.ofArray(values.clone()), null, listener)))
                    .isFalse();
            SortReport report = sorter.sort(MemorySegment.ofArray(values), null, null);
            assertThat(isMerged(report)).isTrue();
            assertThat(report.extraBytes()).isGreaterThanOrEqualTo(8L * COUNT);
        }
        assertThat(values).isSorted();
    }

    private static boolean sort(MemorySegment keys, ElementType type, Order order, int threads) {
        try (CpuSorter sorter = new CpuSorter(type, null, order, threads)) {
            return isMerged(sorter.sort(keys, null, null));
        }
    }

    private static boolean isMerged(SortReport report) {
        return report.phases().stream().anyMatch(phase -> phase.name().equals("merge_runs"));
    }

    @Test
    void payloadsOfRunsThatFallMoveWithTheirKeys() {
        int[] keys = new int[COUNT];
        Arrays.setAll(keys, i -> i < 50_000 ? i / 3 : (COUNT - i) / 7);
        int[] sorted = keys.clone();
        long[] payload = new long[COUNT];
        Arrays.setAll(payload, i -> i);
        try (CpuSorter sorter = new CpuSorter(ElementType.INT, ElementType.LONG, Order.natural(), 2)) {
            assertThat(isMerged(sorter.sort(MemorySegment.ofArray(sorted), MemorySegment.ofArray(payload), null)))
                    .isTrue();
        }
        assertThat(sorted).isSorted();
        assertThat(Arrays.stream(payload).mapToInt(i -> keys[(int) i]).toArray())
                .isEqualTo(sorted);
        assertThat(Arrays.stream(payload).distinct().count()).isEqualTo(COUNT);
    }

    /// This takes less time than to count even a few different keys.
    @Test
    void oneRunThatFallsIsReversedHoweverManyKeysAreEqual() {
        for (int distinct : new int[] {2, 100}) {
            long[] values = new long[COUNT];
            Arrays.setAll(values, i -> (COUNT - 1L - i) * distinct / COUNT);
            try (CpuSorter sorter = new CpuSorter(ElementType.LONG, null, Order.natural(), 2)) {
                SortReport report = sorter.sort(MemorySegment.ofArray(values), null, null);
                assertThat(report.phases().getLast().name()).isEqualTo("reverse");
            }
            assertThat(values).isSorted();
        }
    }

    private static void reverse(long[] values, int from, int to) {
        for (int i = from, j = to - 1; i < j; i++, j--) {
            long value = values[i];
            values[i] = values[j];
            values[j] = value;
        }
    }

    /// Sorts this many parts of random lengths.
    private static void sortRuns(long[] values, int runs, SplittableRandom random) {
        int from = 0;
        for (int run = 1; run <= runs; run++) {
            int to = run == runs ? values.length : from + random.nextInt(2 * (values.length - from) / (runs - run + 1));
            to = Math.min(to, values.length);
            Arrays.sort(values, from, to);
            from = to;
        }
    }
}
