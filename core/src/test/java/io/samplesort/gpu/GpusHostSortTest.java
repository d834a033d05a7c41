package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.RecordCase;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.cuda.Context;
import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.reports.CancelledSort;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sorts of host memory on several GPUs.
@Tag("gpu")
@Tag("several")
@ExtendWith(GpuEnvironment.class)
class GpusHostSortTest {
    private static final int COUNT = 20_011;
    private static final String TINY_CHUNKS = "chunkBytes=16384,transferBytes=4096,transferThreads=3,maxChunkCount=7";

    private static SorterBuilder onGpus(int... ordinals) {
        return SampleSort.onGpus(ordinals).tuning(GpuContractTest.TINY).tuning(TINY_CHUNKS);
    }

    private static long[] longs(int count, long seed) {
        return new SplittableRandom(seed).longs(count).toArray();
    }

    private static long[] sorted(long[] numbers) {
        long[] sorted = numbers.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    /// What becomes of the elements between their way up and their way down.
    enum Way {
        /// The GPUs hold all of them together and exchange them.
        EXCHANGE,
        /// They go to the host in between.
        HOST;

        SorterBuilder on(int... ordinals) {
            SorterBuilder builder = onGpus(ordinals);
            return this == EXCHANGE ? builder : builder.deviceMemory(120 << 10);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aListenerCancelsBeforeResultsComeBack(Way way) {
        long[] source = longs(COUNT, 5);
        long[] keys = new long[COUNT];
        int[] permutation = new int[COUNT];
        try (SeveralGpus gpus = SeveralGpus.of(3);
                Sorter sorter = way.on().build(ElementType.LONG)) {
            int[] expected = sorter.argsort(source);
            int stops = CancelledSort.atManyPlaces(
                    COUNT,
                    () -> System.arraycopy(source, 0, keys, 0, COUNT),
                    () -> sorter.sort(keys),
                    isUnchanged -> {
                        assertThat(isUnchanged).isTrue();
                        assertThat(keys).isEqualTo(source);
                    },
                    () -> assertThat(keys).isEqualTo(sorted(source)));
            assertThat(stops).isGreaterThan(1);
            CancelledSort.atManyPlaces(
                    COUNT,
                    () -> {},
                    () -> sorter.argsort(MemorySegment.ofArray(source), MemorySegment.ofArray(permutation)),
                    isUnchanged -> assertThat(isUnchanged).isTrue(),
                    () -> assertThat(permutation).isEqualTo(expected));
        }
    }

    static Stream<Arguments> waysAndCounts() {
        return Arrays.stream(Way.values())
                .flatMap(way -> IntStream.rangeClosed(2, 4).mapToObj(count -> Arguments.of(way, count)));
    }

    @ParameterizedTest
    @EnumSource
    void threeGpusSortTogether(Way way) {
        allGpusSortTogether(way, 3);
    }

    @ParameterizedTest
    @MethodSource("waysAndCounts")
    @Tag("exhaustive")
    void allGpusSortTogether(Way way, int count) {
        try (SeveralGpus gpus = SeveralGpus.of(count);
                Sorter sorter = way.on().timesPhases().build(ElementType.LONG)) {
            long[] numbers = longs(COUNT, count);
            long[] expected = sorted(numbers);
            SortReport report = sorter.sort(numbers);
            assertThat(numbers).isEqualTo(expected);
            assertThat(report.elementCount()).isEqualTo(COUNT);
            for (int gpu = 0; gpu < count; gpu++) {
                String name = "gpu:" + gpu;
                assertThat(report.device()).containsPattern(name + " .*\\(\\d+%\\)");
                assertThat(report.stages())
                        .extracting(SortReport.Stage::name)
                        .contains("upload " + name, "download " + name);
            }
            assertThat(report.exchange().isPresent()).isEqualTo(way == Way.EXCHANGE);
            int crossings = way == Way.EXCHANGE ? 1 : 2;
            for (String direction : List.of("upload", "download")) {
                assertThat(report.stages().stream()
                                .filter(stage -> stage.name().startsWith(direction))
                                .mapToLong(SortReport.Stage::bytes)
                                .sum())
                        .isEqualTo((long) crossings * COUNT * Long.BYTES);
            }
            long[] again = longs(COUNT, 17);
            long[] sortedAgain = sorted(again);
            sorter.sort(again);
            assertThat(again).isEqualTo(sortedAgain);
        }
    }

    /// Half of them are exchanged, and half go through the host.
    @ParameterizedTest
    @EnumSource(names = {"SORTED", "REVERSE", "FEW_DISTINCT", "ZIPF"})
    void fewInputDistributions(InputDistribution distribution) {
        everyInputDistribution(distribution);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("exhaustive")
    void everyInputDistribution(InputDistribution distribution) {
        Way way = distribution.ordinal() % 2 == 0 ? Way.EXCHANGE : Way.HOST;
        try (SeveralGpus gpus = SeveralGpus.of(2);
                Sorter sorter = way.on(1, 0).build(ElementType.LONG)) {
            long[] numbers = new long[9001];
            distribution.fill(MemorySegment.ofArray(numbers), KeyType.I64, 3);
            long[] expected = sorted(numbers);
            sorter.sort(numbers);
            assertThat(numbers).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 257, 2048, 4097})
    void everySize(int count) {
        try (SeveralGpus gpus = SeveralGpus.of(2);
                Sorter sorter = onGpus().build(ElementType.LONG)) {
            long[] numbers = longs(count, count);
            long[] expected = sorted(numbers);
            sorter.sort(numbers);
            assertThat(numbers).isEqualTo(expected);
        }
    }

    @Test
    void gpusOfDifferentMemoryHoldDifferentShares() {
        try (SeveralGpus gpus = SeveralGpus.withMemory(32L << 20, 1L << 20);
                Sorter sorter = onGpus().build(ElementType.LONG)) {
            long[] numbers = longs(60_003, 5);
            long[] expected = sorted(numbers);
            SortReport report = sorter.sort(numbers);
            assertThat(numbers).isEqualTo(expected);
            Matcher shares =
                    Pattern.compile("\\((\\d+)%\\), gpu:1 .*\\((\\d+)%\\)").matcher(report.device());
            assertThat(shares.find()).isTrue();
            assertThat(Integer.parseInt(shares.group(1))).isGreaterThan(60);
            assertThat(Integer.parseInt(shares.group(2))).isPositive();
        }
    }

    @Test
    void gpusOfDifferentMemoryTakeMoreThanTheyHold() {
        try (SeveralGpus gpus = SeveralGpus.withMemory(2L << 20, 1L << 20, 4L << 20)) {
            try (Sorter sorter = onGpus().deviceMemory(200 << 10).build(ElementType.LONG)) {
                long[] numbers = longs(60_003, 5);
                long[] expected = sorted(numbers);
                SortReport report = sorter.sort(numbers);
                assertThat(numbers).isEqualTo(expected);
                assertThat(report.device()).contains("gpu:0 ", "gpu:1 ", "gpu:2 ");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void gpusThatCannotReachEachOtherSortAsWell(Way way) {
        try (SeveralGpus gpus = SeveralGpus.of(3).separate(0, 1).separate(1, 2);
                Sorter sorter = way.on().build(ElementType.LONG)) {
            long[] numbers = longs(COUNT, 6);
            long[] expected = sorted(numbers);
            sorter.sort(numbers);
            assertThat(numbers).isEqualTo(expected);
        }
    }

    @Test
    void payloadsMoveAlongStably() {
        try (SeveralGpus gpus = SeveralGpus.of(2);
                Sorter sorter = onGpus().payloads(ElementType.INT, ElementType.LONG)
                        .stable()
                        .build(ElementType.INT)) {
            SplittableRandom random = new SplittableRandom(7);
            int[] keys = random.ints(COUNT, 0, 50).toArray();
            int[] first = IntStream.range(0, COUNT).toArray();
            long[] second =
                    IntStream.range(0, COUNT).asLongStream().map(i -> -i).toArray();
            int[] before = keys.clone();
            sorter.sort(MemorySegment.ofArray(keys), MemorySegment.ofArray(first), MemorySegment.ofArray(second));
            Integer[] order = stableOrder(before, Comparator.naturalOrder());
            for (int i = 0; i < COUNT; i++) {
                assertThat(first[i]).isEqualTo(order[i]);
                assertThat(second[i]).isEqualTo(-order[i]);
                assertThat(keys[i]).isEqualTo(before[order[i]]);
            }
        }
    }

    private static Integer[] stableOrder(int[] keys, Comparator<Integer> order) {
        Integer[] indexes = IntStream.range(0, keys.length).boxed().toArray(Integer[]::new);
        Arrays.sort(indexes, Comparator.comparing(i -> keys[i], order));
        return indexes;
    }

    @ParameterizedTest
    @EnumSource
    void recordsByFields(Way way) {
        RecordCase longs = RecordCase.all().getFirst();
        try (SeveralGpus gpus = SeveralGpus.of(2);
                Sorter sorter = way.on().order(longs.order()).build(longs.type())) {
            MemorySegment records = MemorySegment.ofArray(new long[2 * 6000]);
            longs.fill(records, new Random(8));
            byte[] expected = RecordCase.gathered(records, longs.type().byteSize(), longs.stableOrder(records));
            sorter.sort(records);
            assertThat(records.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
        }
    }

    static Stream<Arguments> waysAndIndexes() {
        return Arrays.stream(Way.values())
                .flatMap(way -> Stream.of(Integer.BYTES, Long.BYTES).map(bytes -> Arguments.of(way, bytes)));
    }

    @Test
    void argsortOfEitherKindOfIndexes() {
        argsortLeavesTheElementsAndIsStable(Way.EXCHANGE, Long.BYTES);
        argsortLeavesTheElementsAndIsStable(Way.HOST, Integer.BYTES);
    }

    @ParameterizedTest
    @MethodSource("waysAndIndexes")
    @Tag("exhaustive")
    void argsortLeavesTheElementsAndIsStable(Way way, int indexBytes) {
        try (SeveralGpus gpus = SeveralGpus.of(2);
                Sorter sorter = way.on().build(ElementType.INT)) {
            int[] keys = new SplittableRandom(9).ints(COUNT, 0, 99).toArray();
            int[] before = keys.clone();
            MemorySegment permutation = indexBytes == Integer.BYTES
                    ? MemorySegment.ofArray(new int[COUNT])
                    : MemorySegment.ofArray(new long[COUNT]);
            // A second permutation may have the other size.
            sorter.argsort(MemorySegment.ofArray(keys));
            sorter.argsort(MemorySegment.ofArray(keys), permutation);
            assertThat(keys).isEqualTo(before);
            Integer[] order = stableOrder(keys, Comparator.naturalOrder());
            for (int i = 0; i < COUNT; i++) {
                long index = indexBytes == Integer.BYTES
                        ? permutation.getAtIndex(ValueLayout.JAVA_INT, i)
                        : permutation.getAtIndex(ValueLayout.JAVA_LONG, i);
                assertThat(index).isEqualTo(order[i].longValue());
            }
        }
    }

    @Test
    void oneGpuIsAsOnGpu() {
        assertThat(Device.gpus(0)).isEqualTo(Device.gpu(0));
        // All GPUs of a machine that has one.
        try (SeveralGpus gpus = SeveralGpus.of(1);
                Sorter sorter = onGpus().build(ElementType.LONG);
                DeviceMemory memory = DeviceMemory.allocate(Device.gpu(0), 8 * 1000)) {
            if (GpuEnvironment.IS_EMULATED) {
                long[] numbers = longs(1000, 11);
                memory.copyFrom(MemorySegment.ofArray(numbers));
                sorter.sort(memory);
                long[] found = new long[1000];
                memory.copyTo(MemorySegment.ofArray(found));
                assertThat(found).isEqualTo(sorted(numbers));
                assertThat(sorter.sort(numbers).device()).startsWith("gpu:0 ").doesNotContain("%");
            }
        }
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> SampleSort.onGpus(0, 2, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the GPUs [0, 2, 0] name one of them twice: name each GPU once");
        assertThatThrownBy(() -> SampleSort.onGpus(0, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("device ordinal -1");
        assertThatThrownBy(() -> SampleSort.onGpus(0, 1).buildStrings(StringOrder.bytes()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a sorter of strings on gpu:0,gpu:1");
        assertThatThrownBy(() -> SampleSort.onGpus().buildColumns())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("on gpus: several GPUs sort numbers and records together");
        try (SeveralGpus gpus = SeveralGpus.of(2)) {
            assertThatThrownBy(() -> onGpus(0, 99).build(ElementType.LONG))
                    .isInstanceOf(GpuUnavailableException.class)
                    .hasMessageContaining("there is no GPU 99");
        }
    }

    @Test
    void aSortOnAStreamIsOnTheGpuOfItsMemory() {
        long[] numbers = longs(1000, 12);
        try (SeveralGpus gpus = SeveralGpus.of(2);
                Sorter sorter = onGpus().build(ElementType.LONG);
                DeviceMemory memory = DeviceMemory.allocate(Device.gpu(1), 8 * 1000);
                Context context = Context.retainPrimary(1);
                Context.Scope scope = context.enter();
                io.samplesort.cuda.Stream stream = io.samplesort.cuda.Stream.create(context)) {
            memory.copyFrom(MemorySegment.ofArray(numbers));
            sorter.sortAsync(memory, stream.handle());
            stream.synchronize();
            long[] found = new long[1000];
            memory.copyTo(MemorySegment.ofArray(found));
            assertThat(found).isEqualTo(sorted(numbers));
        }
    }

    @Test
    void tooLittleMemoryOnOneGpuNamesIt() {
        try (SeveralGpus gpus = SeveralGpus.withMemory(64L << 20, 1L << 20);
                Sorter sorter = Way.HOST.on().build(ElementType.LONG);
                Sorter holdingAll = onGpus().build(ElementType.LONG);
                DeviceMemory taken = DeviceMemory.allocate(Device.gpu(1), (1L << 20) - (12 << 10))) {
            long[] numbers = longs(COUNT, 12);
            long[] before = numbers.clone();
            assertThatThrownBy(() -> sorter.sort(numbers))
                    .isInstanceOf(InsufficientDeviceMemoryException.class)
                    .hasMessageContaining("gpu:1");
            assertThat(numbers).isEqualTo(before);
            // The other GPU can hold all elements, and has them then.
            holdingAll.sort(numbers);
            assertThat(numbers).isEqualTo(sorted(before));
        }
    }

    @Test
    void namesOfDevicesAreRead() {
        assertThat(Device.parse("gpus")).isEqualTo(Device.gpus()).hasToString("gpus");
        assertThat(Device.parse("gpu:0,gpu:2")).isEqualTo(Device.gpus(0, 2)).hasToString("gpu:0,gpu:2");
        assertThat(Device.parse("gpu,gpu:1")).isEqualTo(Device.gpus(0, 1));
        for (String wrong : List.of("gpu:0,cpu", "gpu:0,", ",", "gpu:1,gpu:1", "gpus:2", "gpu:0,gpus")) {
            assertThatThrownBy(() -> Device.parse(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
