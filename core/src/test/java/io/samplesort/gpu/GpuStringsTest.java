package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceStrings;
import io.samplesort.SampleSort;
import io.samplesort.StringSorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Strings in device memory that a GPU sorts, compared with a sort by a comparator.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuStringsTest {
    private static final Device GPU = Device.gpu(0);

    static Stream<StringOrder> orders() {
        return Stream.of(
                StringOrder.bytes(),
                StringOrder.bytes().reversed(),
                StringOrder.bytes().ignoringAsciiCase(),
                StringOrder.bytes().ignoringAsciiCase().reversed());
    }

    private static int[] argsort(StringSorter sorter, GpuStringCase input) {
        int[] permutation = new int[(int) input.host().count()];
        try (DeviceMemory device = DeviceMemory.allocate(GPU, Math.max(1, permutation.length) * 4L)) {
            sorter.argsort(input.device(), device);
            device.copyTo(MemorySegment.ofArray(permutation));
        }
        return permutation;
    }

    /// Each input in one order, in turn.
    @Test
    void sortsEachInput() {
        List<StringOrder> orders = orders().toList();
        for (int i = 0; i < orders.size(); i++) {
            sortsInOrder(orders.get(i), GpuStringInput.inTurn(i, orders.size()));
        }
    }

    @ParameterizedTest
    @MethodSource("orders")
    @Tag("exhaustive")
    void sortsInEveryOrder(StringOrder order) {
        sortsInOrder(order, List.of(GpuStringInput.values()));
    }

    private static void sortsInOrder(StringOrder order, List<GpuStringInput> inputs) {
        try (StringSorter sorter =
                SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(order)) {
            for (GpuStringInput input : inputs) {
                try (GpuStringCase strings = GpuStringCase.of(input.strings(), ElementType.INT)) {
                    assertThat(argsort(sorter, strings)).as(input.name()).isEqualTo(strings.expected(order));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(GpuStringInput.class)
    void copiesInOrder(GpuStringInput input) {
        try (StringSorter sorter =
                        SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(StringOrder.bytes());
                GpuStringCase strings = GpuStringCase.of(input.strings(), ElementType.INT);
                DeviceMemory bytes = DeviceMemory.allocate(GPU, strings.bytes().byteSize());
                DeviceMemory offsets =
                        DeviceMemory.allocate(GPU, (strings.host().count() + 1) * Long.BYTES)) {
            DeviceStrings target = new DeviceStrings(
                    bytes, offsets, ElementType.LONG, strings.host().count());
            sorter.sortedCopy(strings.device(), target);
            long[] ends = new long[(int) strings.host().count() + 1];
            offsets.copyTo(MemorySegment.ofArray(ends));
            byte[] sorted = new byte[(int) ends[ends.length - 1]];
            if (sorted.length > 0) {
                bytes.copyTo(MemorySegment.ofArray(sorted));
            }
            assertThat(ends[0]).isZero();
            int[] order = strings.expected(StringOrder.bytes());
            for (int i = 0; i < order.length; i++) {
                assertThat(Arrays.copyOfRange(sorted, (int) ends[i], (int) ends[i + 1]))
                        .isEqualTo(strings.host().get(order[i]));
            }
            assertThat(sorter.isSorted(target)).isTrue();
        }
    }

    @Test
    void everySmallCountAndThoseAroundATile() {
        try (StringSorter sorter =
                SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(StringOrder.bytes())) {
            List<byte[]> all = new ArrayList<>(GpuStringInput.LONGER_THAN_A_WORD.strings());
            for (int count : new int[] {0, 1, 2, 3, 31, 32, 33, 34, 65, 2047, 2048, 2049}) {
                try (GpuStringCase strings = GpuStringCase.of(all.subList(0, count), ElementType.LONG)) {
                    assertThat(argsort(sorter, strings))
                            .as("%d strings", count)
                            .isEqualTo(strings.expected(StringOrder.bytes()));
                    assertThat(sorter.isSorted(strings.device())).isEqualTo(count < 2);
                }
            }
        }
    }

    /// Groups of as many equal beginnings as a small group has, and one more, across the ends of tiles.
    @Test
    void groupsOfEverySize() {
        try (StringSorter sorter =
                SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(StringOrder.bytes())) {
            SplittableRandom random = new SplittableRandom(3);
            for (int size = 31; size <= 34; size++) {
                List<byte[]> strings = new ArrayList<>();
                for (int i = 0; i < 2600; i++) {
                    String group = "%07d".formatted((i + 13) / size * 7919 % 100_000);
                    strings.add(GpuStringInput.joined(group, GpuStringInput.letters(random, 3, 2, 'a')));
                }
                try (GpuStringCase input = GpuStringCase.of(strings, ElementType.INT)) {
                    assertThat(argsort(sorter, input))
                            .as("groups of %d", size)
                            .isEqualTo(input.expected(StringOrder.bytes()));
                }
            }
        }
    }

    @Test
    void wrongOffsetsAreNamed() {
        try (StringSorter sorter = SampleSort.onGpu().buildStrings(StringOrder.bytes());
                GpuStringCase input = GpuStringCase.of(GpuStringInput.SHORT.strings(), ElementType.INT);
                DeviceMemory permutation =
                        DeviceMemory.allocate(GPU, input.host().count() * 4)) {
            int[] wrong = input.host().offsets().toArray(ValueLayout.JAVA_INT);
            wrong[901] = wrong[900] - 1;
            input.offsets().copyFrom(MemorySegment.ofArray(wrong));
            permutation.copyFrom(
                    MemorySegment.ofArray(new int[(int) input.host().count()]));
            assertThatThrownBy(() -> sorter.argsort(input.device(), permutation))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("offset 901 ");
            assertThatThrownBy(() -> sorter.isSorted(input.device()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("offset 901 ");
            int[] untouched = new int[(int) input.host().count()];
            permutation.copyTo(MemorySegment.ofArray(untouched));
            assertThat(untouched).containsOnly(0);
        }
    }

    @Test
    void longIndexesAndStringsOfEveryTuning() {
        try (GpuStringCase input = GpuStringCase.of(GpuStringInput.SHARED_PREFIX.strings(), ElementType.INT);
                DeviceMemory permutation =
                        DeviceMemory.allocate(GPU, input.host().count() * Long.BYTES)) {
            for (String tuning : List.of("extraPercent=130", "maxBucketCount=16", "bucketTarget=384")) {
                try (StringSorter sorter = SampleSort.onGpu()
                        .tuning(GpuContractTest.TINY.with(tuning))
                        .timesPhases()
                        .buildStrings(StringOrder.bytes())) {
                    SortReport report = sorter.argsort(input.device(), permutation);
                    long[] indexes = new long[(int) input.host().count()];
                    permutation.copyTo(MemorySegment.ofArray(indexes));
                    assertThat(indexes)
                            .isEqualTo(Arrays.stream(input.expected(StringOrder.bytes()))
                                    .asLongStream()
                                    .toArray());
                    assertThat(report.elementCount()).isEqualTo(input.host().count());
                    assertThat(report.phases())
                            .extracting(SortReport.Phase::name)
                            .contains("round 0: make_words", "round 0: small_sort", "round 1: make_tied_words");
                }
            }
        }
    }

    @Test
    void argumentsThatDoNotFitAreRefused() {
        try (StringSorter sorter = SampleSort.onGpu().buildStrings(StringOrder.bytes());
                StringSorter cpu = SampleSort.onCpu().buildStrings(StringOrder.bytes());
                GpuStringCase input = GpuStringCase.of(GpuStringInput.SHORT.strings(), ElementType.INT);
                DeviceMemory small = DeviceMemory.allocate(GPU, 400);
                DeviceMemory offsets =
                        DeviceMemory.allocate(GPU, input.offsets().byteSize())) {
            long count = input.host().count();
            assertThatThrownBy(() -> new DeviceStrings(input.bytes(), input.offsets(), ElementType.INT, count + 1))
                    .hasMessageContaining(count + 1 + " strings have");
            assertThatThrownBy(() -> new DeviceStrings(input.bytes(), input.offsets(), ElementType.SHORT, count))
                    .hasMessageContaining("must be ints or longs");
            assertThatThrownBy(() -> new DeviceStrings(input.offsets(), input.offsets(), ElementType.INT, 0))
                    .hasMessageContaining("same device memory");
            assertThatThrownBy(() -> new DeviceStrings(input.bytes(), input.offsets(), ElementType.INT, -1))
                    .hasMessageContaining("must not be negative");
            assertThatThrownBy(() -> sorter.argsort(input.device(), small))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the permutation has 400 bytes");
            assertThatThrownBy(() -> sorter.argsort(input.device(), input.offsets()))
                    .hasMessageContaining("same device memory");
            assertThatThrownBy(() -> cpu.isSorted(input.device()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("build it with onGpu()");
            DeviceStrings tooSmall = new DeviceStrings(small, offsets, ElementType.INT, count);
            assertThatThrownBy(() -> sorter.sortedCopy(input.device(), tooSmall))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the target has room for 400");
            DeviceStrings fewer = new DeviceStrings(small, offsets, ElementType.INT, 7);
            assertThatThrownBy(() -> sorter.sortedCopy(input.device(), fewer))
                    .hasMessageContaining("both must have the same number of strings");
        }
    }
}
