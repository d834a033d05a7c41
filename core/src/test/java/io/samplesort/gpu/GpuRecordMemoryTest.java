package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.RecordCase;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.errors.KernelCompilationException;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Records, permutations and custom orders in the memory of a GPU.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuRecordMemoryTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final int COUNT = 3000;

    private static final ElementType PAIR = ElementType.of(
            MemoryLayout.structLayout(ValueLayout.JAVA_LONG.withName("a"), ValueLayout.JAVA_LONG.withName("b")));

    /// One case for each way to sort elements: moved, by a sort key that holds a part of it, and by an order of the
    /// user's.
    @Test
    void sortsRecordsAndFindsTheirOrder() {
        sortsAndFindsOrder(Set.of("two longs", "sort benchmark", "custom numbers"));
    }

    /// A case of an odd size too. The other cases differ in what is compared, not in where elements lie.
    @Test
    @Tag("exhaustive")
    void sortsSmallRecordsAndFindsTheirOrder() {
        sortsAndFindsOrder(Set.of("three shorts"));
    }

    private static void sortsAndFindsOrder(Set<String> names) {
        for (RecordCase records : RecordCase.all()) {
            if (!names.contains(records.name())) {
                continue;
            }
            ElementType type = records.type();
            long bytes = (long) COUNT * type.byteSize();
            try (Arena arena = Arena.ofShared();
                    DeviceMemory elements = DeviceMemory.allocate(Device.gpu(0), bytes);
                    DeviceMemory gathered = DeviceMemory.allocate(Device.gpu(0), bytes);
                    DeviceMemory ints = DeviceMemory.allocate(Device.gpu(0), COUNT * 4L);
                    DeviceMemory longs = DeviceMemory.allocate(Device.gpu(0), COUNT * 8L);
                    Sorter sorter = SampleSort.onGpu()
                            .tuning(GpuContractTest.TINY)
                            .order(records.order())
                            .build(type)) {
                MemorySegment input = arena.allocate(bytes, 16);
                records.fill(input, new Random(SEED));
                int[] expected = records.stableOrder(input);
                String what = records + "; replay with -Dtests.seed=" + SEED;
                elements.copyFrom(input);
                assertThat(sorter.isSorted(elements)).as(what).isFalse();
                sorter.argsort(elements, ints);
                sorter.argsort(elements, longs);
                int[] order = new int[COUNT];
                long[] longOrder = new long[COUNT];
                ints.copyTo(MemorySegment.ofArray(order));
                longs.copyTo(MemorySegment.ofArray(longOrder));
                assertThat(order).as(what).isEqualTo(expected);
                for (int i = 0; i < COUNT; i++) {
                    assertThat(longOrder[i]).as(what).isEqualTo(expected[i]);
                }
                for (DeviceMemory permutation : new DeviceMemory[] {ints, longs}) {
                    sorter.applyPermutation(permutation, type, elements, gathered);
                    MemorySegment result = arena.allocate(bytes, 16);
                    gathered.copyTo(result);
                    assertThat(result.toArray(ValueLayout.JAVA_BYTE))
                            .as(what)
                            .isEqualTo(RecordCase.gathered(input, type.byteSize(), expected));
                }
                MemorySegment output = arena.allocate(bytes, 16);
                sorter.sortedCopy(elements, gathered);
                gathered.copyTo(output);
                assertThat(sorter.isSorted(gathered)).as(what).isTrue();
                assertThat(Fingerprint.of(output, type.byteSize()))
                        .as(what)
                        .isEqualTo(Fingerprint.of(input, type.byteSize()));
                elements.copyTo(output);
                assertThat(output.mismatch(input)).as("input of %s", what).isEqualTo(-1);
                sorter.sort(elements);
                assertThat(sorter.isSorted(elements)).as(what).isTrue();
            }
        }
    }

    @Test
    void movesColumnsAlong() {
        RecordCase numbers = new RecordCase("few longs", ElementType.LONG, Order.natural());
        try (Arena arena = Arena.ofShared();
                DeviceMemory keys = DeviceMemory.allocate(Device.gpu(0), COUNT * 8L);
                DeviceMemory shorts = DeviceMemory.allocate(Device.gpu(0), COUNT * 2L);
                DeviceMemory records = DeviceMemory.allocate(Device.gpu(0), COUNT * 16L);
                Sorter sorter = SampleSort.onGpu()
                        .tuning(GpuContractTest.TINY)
                        .order(numbers.order())
                        .payloads(ElementType.SHORT, PAIR)
                        .build(ElementType.LONG)) {
            MemorySegment input = arena.allocate(COUNT * 8L, 8);
            MemorySegment shortInput = arena.allocate(COUNT * 2L, 8);
            MemorySegment recordInput = arena.allocate(COUNT * 16L, 8);
            Random random = new Random(SEED);
            for (int i = 0; i < COUNT; i++) {
                input.setAtIndex(ValueLayout.JAVA_LONG, i, random.nextInt(100));
                shortInput.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) i);
                recordInput.setAtIndex(ValueLayout.JAVA_LONG, 2L * i, random.nextLong());
            }
            keys.copyFrom(input);
            shorts.copyFrom(shortInput);
            records.copyFrom(recordInput);
            sorter.sort(keys, shorts, records);
            int[] expected = numbers.stableOrder(input);
            for (Column column : List.of(
                    new Column(keys, input, 8),
                    new Column(shorts, shortInput, 2),
                    new Column(records, recordInput, 16))) {
                byte[] result = new byte[COUNT * column.bytes];
                column.memory.copyTo(MemorySegment.ofArray(result));
                assertThat(result)
                        .as("column of %d bytes; replay with -Dtests.seed=%d", column.bytes, SEED)
                        .isEqualTo(RecordCase.gathered(column.input, column.bytes, expected));
            }
            assertThatThrownBy(() -> sorter.sort(keys, shorts))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("was given 1 array of payloads: give 2");
            assertThatThrownBy(() -> sorter.sort(keys, shorts, keys))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("there must be as many");
        }
    }

    private record Column(DeviceMemory memory, MemorySegment input, int bytes) {}

    @Test
    void refusesWhatIsNoPermutation() {
        try (DeviceMemory source = DeviceMemory.allocate(Device.gpu(0), 4 * 8L);
                DeviceMemory target = DeviceMemory.allocate(Device.gpu(0), 4 * 8L);
                DeviceMemory permutation = DeviceMemory.allocate(Device.gpu(0), 4 * 4L);
                Sorter sorter = SampleSort.onGpu().tuning(GpuContractTest.TINY).build(ElementType.LONG)) {
            long[] untouched = {7, 7, 7, 7};
            source.copyFrom(MemorySegment.ofArray(new long[] {1, 2, 3, 4}));
            target.copyFrom(MemorySegment.ofArray(untouched));
            for (int[] wrong : new int[][] {{0, 1, 2, 4}, {0, 1, 2, 2}, {3, 2, 1, -1}}) {
                permutation.copyFrom(MemorySegment.ofArray(wrong));
                assertThatThrownBy(() -> sorter.applyPermutation(permutation, ElementType.LONG, source, target))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("the permutation is not valid: the index at place ");
            }
            long[] result = new long[4];
            target.copyTo(MemorySegment.ofArray(result));
            assertThat(result).isEqualTo(untouched);
        }
    }

    @Test
    void tellsWhatIsWrongWithAnExpression() {
        ElementType type = ElementType.of(MemoryLayout.structLayout(ValueLayout.JAVA_DOUBLE.withName("price")));
        assertThatThrownBy(() -> SampleSort.onGpu()
                        .order(Order.custom("a.prize < b.price", (a, b) -> 0))
                        .build(type))
                .isInstanceOf(KernelCompilationException.class)
                .hasMessageContaining("a.prize < b.price")
                .hasMessageContaining("prize")
                .satisfies(
                        e -> assertThat(((KernelCompilationException) e).log()).containsPattern("order[:(]1"));
    }

    @Test
    void leavesToTheCpuWhatAGpuCannot() {
        ElementType type = ElementType.of(MemoryLayout.structLayout(
                MemoryLayout.sequenceLayout(300, ValueLayout.JAVA_BYTE).withName("name")));
        byte[] elements = new byte[300 * 50];
        new Random(SEED).nextBytes(elements);
        try (Sorter sorter = SampleSort.onBestDevice()
                .gpuThreshold(0)
                .order(Order.by("name"))
                .build(type)) {
            SortReport report = sorter.sort(MemorySegment.ofArray(elements));
            assertThat(report.fallbackReason().orElseThrow()).contains("a sort key of 304 bytes");
            assertThat(sorter.isSorted(MemorySegment.ofArray(elements))).isTrue();
        }
        assertThatThrownBy(() -> SampleSort.onGpu().order(Order.by("name")).build(type))
                .isInstanceOf(GpuUnavailableException.class)
                .hasMessageContaining("compare fewer fields or shorter strings, or use the CPU");
    }
}
