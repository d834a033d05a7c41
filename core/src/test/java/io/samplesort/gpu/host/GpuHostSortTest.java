package io.samplesort.gpu.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.Device;
import io.samplesort.PinnedSegment;
import io.samplesort.RecordCase;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Sorts of host memory in chunks: those that fit the device, and those of more memory than the device may hold.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuHostSortTest {
    private static final int COUNT = 20_011;
    /// A few chunks.
    private static final int FEW = 9001;
    private static final String TINY_CHUNKS = "chunkBytes=16384,transferBytes=4096,transferThreads=3,maxChunkCount=7";

    /// Where the elements are between the sort of chunks and the sort of buckets.
    enum Way {
        DEVICE,
        HOST;

        SorterBuilder builder() {
            SorterBuilder builder =
                    SampleSort.onGpu().tuning(GpuContractTest.TINY).tuning(TINY_CHUNKS);
            return this == DEVICE ? builder : builder.deviceMemory(256 << 10);
        }

        /// For sorts of many chunks, which take turns in device memory.
        SorterBuilder builderOfManyChunks() {
            return this == DEVICE ? builder() : builder().deviceMemory(110 << 10);
        }

        void check(SortReport report) {
            List<SortReport.Stage> stages = report.stages();
            assertThat(stages).extracting(SortReport.Stage::name).containsExactly("upload", "sort", "download");
            long up = stages.get(0).bytes();
            assertThat(stages.get(1).bytes())
                    .as("every element is sorted twice")
                    .isEqualTo(this == HOST ? up : 2 * up);
            assertThat(stages.get(2).bytes()).isEqualTo(up);
            assertThat(report.bottleneck()).isPresent();
            assertThat(stages)
                    .allSatisfy(stage -> assertThat(stage.busy().plus(stage.waiting()))
                            .as("pieces that overlap count once")
                            .isLessThanOrEqualTo(report.total()));
        }
    }

    /// Random keys, equal ones, frequent ones, and chunks that follow each other in the opposite order.
    @ParameterizedTest
    @EnumSource(Way.class)
    void sortsFewDistributions(Way way) {
        sorts(
                way,
                InputDistribution.UNIFORM,
                InputDistribution.ALL_EQUAL,
                InputDistribution.ZIPF,
                InputDistribution.REVERSE);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @Tag("exhaustive")
    void sortsEveryDistribution(Way way) {
        sorts(way, InputDistribution.values());
    }

    private static void sorts(Way way, InputDistribution... distributions) {
        try (Sorter sorter = way.builderOfManyChunks().timesPhases().build(ElementType.LONG)) {
            for (InputDistribution distribution : distributions) {
                long[] keys = new long[FEW];
                distribution.fill(MemorySegment.ofArray(keys), KeyType.I64, 7);
                long[] expected = keys.clone();
                Arrays.sort(expected);
                SortReport report = sorter.sort(keys);
                assertThat(keys).as(distribution.toString()).isEqualTo(expected);
                way.check(report);
                assertThat(report.stages().getFirst().bytes()).isEqualTo((way == Way.HOST ? 2L : 1L) * FEW * 8);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void sortsEverySizeAroundAChunk(Way way) {
        try (Sorter sorter = way.builder().build(ElementType.DOUBLE)) {
            for (int count : new int[] {0, 1, 2, 2047, 2048, 2049, 4097, 8191, 14_335, 14_336, 14_337}) {
                double[] keys = new SplittableRandom(count).doubles(count).toArray();
                if (count > 3) {
                    keys[1] = Double.NaN;
                    keys[2] = -0.0;
                    keys[3] = 0.0;
                }
                double[] expected = keys.clone();
                Arrays.sort(expected);
                sorter.sort(keys);
                assertThat(keys).as("%d elements", count).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"DEVICE, 2, 3", "HOST, 1, 3", "HOST, 64, 1"})
    void sortsByGroupsOfFewAndManyBlocks(Way way, int blocks, int threads) {
        sortsByGroupsOfAnyNumberOfBlocks(way, blocks, threads);
    }

    @ParameterizedTest
    @CsvSource({"DEVICE, 1, 1", "DEVICE, 1, 3", "HOST, 2, 1", "HOST, 2, 3", "HOST, 64, 3"})
    @Tag("exhaustive")
    void sortsByGroupsOfAnyNumberOfBlocks(Way way, int blocks, int threads) {
        long[] keys = new SplittableRandom(blocks).longs(COUNT).toArray();
        int[] places = IntStream.range(0, COUNT).toArray();
        long[] input = keys.clone();
        try (Sorter sorter = way.builder()
                .tuning("transferBlocks=" + blocks + ",transferThreads=" + threads)
                .payload(ElementType.INT)
                .build(ElementType.LONG)) {
            sorter.sort(MemorySegment.ofArray(keys), MemorySegment.ofArray(places));
        }
        assertThat(keys).isSorted();
        for (int i = 0; i < COUNT; i++) {
            assertThat(keys[i]).isEqualTo(input[places[i]]);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void movesPayloadsOfSeveralColumnsStably(Way way) {
        int[] keys = new SplittableRandom(3).ints(COUNT, 0, 50).toArray();
        int[] places = IntStream.range(0, COUNT).toArray();
        short[] shorts = new short[COUNT];
        for (int i = 0; i < COUNT; i++) {
            shorts[i] = (short) (keys[i] * 3);
        }
        int[] input = keys.clone();
        try (Sorter sorter = way.builder()
                .payloads(ElementType.INT, ElementType.SHORT)
                .stable()
                .build(ElementType.INT)) {
            sorter.sort(MemorySegment.ofArray(keys), MemorySegment.ofArray(places), MemorySegment.ofArray(shorts));
        }
        int[] expected = IntStream.range(0, COUNT)
                .boxed()
                .sorted(Comparator.comparingInt(i -> input[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        assertThat(places).isEqualTo(expected);
        for (int i = 0; i < COUNT; i++) {
            assertThat(keys[i]).isEqualTo(input[places[i]]);
            assertThat(shorts[i]).isEqualTo((short) (keys[i] * 3));
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void sortsRecords(Way way) {
        RecordCase longs = RecordCase.all().getFirst();
        int count = 6007;
        try (Arena arena = Arena.ofConfined();
                Sorter sorter = way.builder().order(longs.order()).build(longs.type())) {
            MemorySegment records = arena.allocate((long) count * longs.type().byteSize(), 8);
            longs.fill(records, new Random(11));
            byte[] expected = RecordCase.gathered(records, longs.type().byteSize(), longs.stableOrder(records));
            sorter.sort(records);
            assertThat(records.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void losesNothingByAnOrderThatContradictsItself(Way way) {
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
        try (Sorter sorter = way.builder().order(contradictory).build(type)) {
            sorter.sort(MemorySegment.ofArray(elements));
        }
        Arrays.sort(elements);
        assertThat(elements).isEqualTo(sortedBits);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void sortsPinnedMemoryWithoutStaging(Way way) {
        long[] keys = new SplittableRandom(9).longs(COUNT).toArray();
        long[] expected = keys.clone();
        Arrays.sort(expected);
        try (Arena arena = Arena.ofShared();
                Sorter sorter = way.builderOfManyChunks().build(ElementType.LONG);
                PinnedSegment allocated = PinnedSegment.allocate(Device.gpu(0), COUNT * 8L)) {
            // Nothing but the order on the streams keeps copies apart here. Which stream lags changes each time.
            for (int repetition = 0; repetition < 4; repetition++) {
                sorter.sort(allocated.segment().copyFrom(MemorySegment.ofArray(keys)));
                assertThat(allocated.segment().toArray(ValueLayout.JAVA_LONG)).isEqualTo(expected);
            }
            MemorySegment own = arena.allocate(COUNT * 8L, 4096).copyFrom(MemorySegment.ofArray(keys));
            try (PinnedSegment registered = PinnedSegment.register(Device.gpu(0), own)) {
                assertThat(registered.segment()).isEqualTo(own);
                sorter.sort(own);
            }
            assertThat(own.toArray(ValueLayout.JAVA_LONG)).isEqualTo(expected);
        }
    }

    @Test
    void badPinsAreRefused() {
        MemorySegment heap = MemorySegment.ofArray(new long[4]);
        assertThatThrownBy(() -> PinnedSegment.register(Device.gpu(0), heap))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("heap");
        assertThatThrownBy(() -> PinnedSegment.allocate(Device.cpu(), 64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gpu:0");
        assertThatThrownBy(() -> PinnedSegment.allocate(Device.gpu(0), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("positive");
    }

    @Test
    void tooLittleMemoryForAnyChunkIsRefused() {
        long[] keys = new SplittableRandom(1).longs(COUNT).toArray();
        long[] untouched = keys.clone();
        try (Sorter sorter = SampleSort.onGpu()
                .tuning(GpuContractTest.TINY)
                .deviceMemory(1000)
                .build(ElementType.LONG)) {
            assertThatThrownBy(() -> sorter.sort(keys))
                    .isInstanceOf(InsufficientDeviceMemoryException.class)
                    .hasMessageContaining("may take 1000");
            assertThat(keys).isEqualTo(untouched);
        }
        assertThatThrownBy(() -> SampleSort.onGpu().deviceMemory(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be positive");
    }
}
