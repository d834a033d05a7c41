package io.samplesort.gpu.chunks;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.Device;
import io.samplesort.PinnedSegment;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Sorts of host memory whose elements are divided into buckets as they arrive.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuArrivalSortTest {
    private static final int COUNT = 20_011;
    /// Pieces of 4096 longs.
    private static final String TINY_PIECES =
            "arrivalBytes=65536,transferBytes=4096,transferThreads=3,transferAwakeMicros=100";

    private static SorterBuilder builder() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY).tuning(TINY_PIECES);
    }

    /// Every element crosses the link once each way and is in order after one sort.
    private static void check(SortReport report, long bytes) {
        List<SortReport.Stage> stages = report.stages();
        assertThat(stages).extracting(SortReport.Stage::name).containsExactly("upload", "sort", "download");
        assertThat(stages).extracting(SortReport.Stage::bytes).containsOnly(bytes);
        assertThat(stages)
                .allSatisfy(stage -> assertThat(stage.busy().plus(stage.waiting()))
                        .as("pieces that overlap count once")
                        .isLessThanOrEqualTo(report.total()));
    }

    @ParameterizedTest
    @EnumSource(InputDistribution.class)
    void sortsEveryDistribution(InputDistribution distribution) {
        try (Sorter sorter = builder().timesPhases(true).build(ElementType.LONG)) {
            long[] keys = new long[COUNT];
            distribution.fill(MemorySegment.ofArray(keys), KeyType.I64, 7);
            long[] expected = keys.clone();
            Arrays.sort(expected);
            SortReport report = sorter.sort(keys);
            assertThat(keys).isEqualTo(expected);
            check(report, COUNT * 8L);
            assertThat(report.passes()).as("passes behind the first one").isGreaterThan(1);
        }
    }

    @Test
    void sortsEverySizeAroundAPiece() {
        try (Sorter sorter = builder().build(ElementType.DOUBLE)) {
            for (int count : new int[] {8191, 8192, 8193, 12_287, 12_288, 12_289, 16_383, 16_384, 16_385}) {
                double[] keys = new SplittableRandom(count).doubles(count).toArray();
                keys[1] = Double.NaN;
                keys[2] = -0.0;
                keys[3] = 0.0;
                double[] expected = keys.clone();
                Arrays.sort(expected);
                sorter.sort(keys);
                assertThat(keys).as("%d elements", count).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = KeyType.class,
            names = {"I32", "I64"})
    void movesPayloads(KeyType payload) {
        int[] keys = new SplittableRandom(3).ints(COUNT, 0, 5000).toArray();
        int[] input = keys.clone();
        boolean isWide = payload == KeyType.I64;
        long[] wide = IntStream.range(0, COUNT).asLongStream().toArray();
        int[] narrow = IntStream.range(0, COUNT).toArray();
        try (Sorter sorter =
                builder().payload(isWide ? ElementType.LONG : ElementType.INT).build(ElementType.INT)) {
            sorter.sort(
                    MemorySegment.ofArray(keys), isWide ? MemorySegment.ofArray(wide) : MemorySegment.ofArray(narrow));
        }
        assertThat(keys).isSorted();
        long[] places = isWide ? wide : Arrays.stream(narrow).asLongStream().toArray();
        for (int i = 0; i < COUNT; i++) {
            assertThat(keys[i]).isEqualTo(input[(int) places[i]]);
        }
        assertThat(Arrays.stream(places).sorted().toArray())
                .isEqualTo(IntStream.range(0, COUNT).asLongStream().toArray());
    }

    @Test
    void sortsStructsByAnOrderOfTheirFields() {
        ElementType type = ElementType.of(
                MemoryLayout.structLayout(ValueLayout.JAVA_LONG.withName("a"), ValueLayout.JAVA_LONG.withName("b")));
        Order order = Order.by("b").reversed().thenBy("a");
        long[] words = new SplittableRandom(11).longs(2L * COUNT, 0, 300).toArray();
        long[] expected = words.clone();
        try (Sorter sorter = builder().order(order).build(type);
                Sorter cpu = SampleSort.onCpu().order(order).build(type)) {
            cpu.sort(MemorySegment.ofArray(expected));
            sorter.sort(MemorySegment.ofArray(words));
        }
        assertThat(words).isEqualTo(expected);
    }

    @Test
    void losesNothingByAnOrderThatContradictsItself() {
        ElementType type = ElementType.of(
                MemoryLayout.structLayout(ValueLayout.JAVA_INT.withName("a"), ValueLayout.JAVA_INT.withName("b")));
        Order contradictory = Order.custom("((a.a * 31 + b.a * 17 + a.b) & 4) != 0", (x, y) -> {
            int mix = x.get(ValueLayout.JAVA_INT, 0) * 31
                    + y.get(ValueLayout.JAVA_INT, 0) * 17
                    + x.get(ValueLayout.JAVA_INT, 4);
            return (mix & 4) != 0 ? -1 : 1;
        });
        long[] elements = new SplittableRandom(5).longs(COUNT).toArray();
        long[] sortedBits = elements.clone();
        Arrays.sort(sortedBits);
        try (Sorter sorter = builder().order(contradictory).build(type)) {
            sorter.sort(MemorySegment.ofArray(elements));
        }
        Arrays.sort(elements);
        assertThat(elements).isEqualTo(sortedBits);
    }

    @Test
    void sortsPinnedMemoryWithoutStaging() {
        long[] keys = new SplittableRandom(9).longs(COUNT).toArray();
        long[] expected = keys.clone();
        Arrays.sort(expected);
        try (Sorter sorter = builder().build(ElementType.LONG);
                PinnedSegment pinned = PinnedSegment.allocate(Device.gpu(0), COUNT * 8L)) {
            // Nothing but the order on the streams keeps copies apart here. Which stream lags changes each time.
            for (int repetition = 0; repetition < 8; repetition++) {
                sorter.sort(pinned.segment().copyFrom(MemorySegment.ofArray(keys)));
                assertThat(pinned.segment().toArray(ValueLayout.JAVA_LONG)).isEqualTo(expected);
            }
        }
    }

    /// The sample takes no element but the smaller ones of each stratum, so the last bucket gets most elements.
    @Test
    void sortsAsAWholeWhereTheSampleIsUnlucky() {
        long[] keys = keysThatDeceiveTheSample();
        long[] expected = keys.clone();
        Arrays.sort(expected);
        try (Sorter sorter = builder().timesPhases(true).build(ElementType.LONG)) {
            SortReport report = sorter.sort(keys);
            assertThat(keys).isEqualTo(expected);
            check(report, COUNT * 8L);
        }
    }

    private static long[] keysThatDeceiveTheSample() {
        long[] keys = new SplittableRandom(5).longs(COUNT, 1L << 40, 1L << 60).toArray();
        for (long place : ArrivalSample.places(COUNT, 1024)) {
            keys[(int) place] = place;
        }
        return keys;
    }

    @Test
    void goesByChunksWhereMemoryIsShort() {
        long[] keys = new SplittableRandom(1).longs(COUNT).toArray();
        long[] expected = keys.clone();
        Arrays.sort(expected);
        try (Sorter sorter = builder().deviceMemory(512 << 10).build(ElementType.LONG)) {
            sorter.sort(keys);
        }
        assertThat(keys).isEqualTo(expected);
    }
}
