package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.StringSorter;
import io.samplesort.types.DistinctStrings;
import io.samplesort.types.ElementType;
import io.samplesort.types.StringOrder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The different strings in device memory, compared with those that the CPU finds.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuDistinctStringsTest {
    private static final Device GPU = Device.gpu(0);
    private static final int UNTOUCHED = 77;

    private static StringSorter sorter(StringOrder order) {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(order);
    }

    private static DistinctStrings onCpu(GpuStringCase input, StringOrder order) {
        try (StringSorter cpu = SampleSort.onCpu().buildStrings(order)) {
            return cpu.distinct(input.host());
        }
    }

    /// What is found on the device, whose places behind the result must stay as they are.
    private static DistinctStrings onGpu(StringSorter sorter, GpuStringCase input, int indexBytes) {
        int count = (int) input.host().count();
        MemorySegment room = MemorySegment.ofArray(new long[Math.max(1, count)])
                .asSlice(0, Math.max(1, count) * (long) indexBytes)
                .fill((byte) UNTOUCHED);
        try (DeviceMemory indexes = DeviceMemory.allocate(GPU, room.byteSize());
                DeviceMemory counts = DeviceMemory.allocate(GPU, room.byteSize())) {
            indexes.copyFrom(room);
            counts.copyFrom(room);
            int found = (int) sorter.distinct(input.device(), indexes, counts);
            return new DistinctStrings(read(indexes, indexBytes, found), read(counts, indexBytes, found));
        }
    }

    private static int[] read(DeviceMemory memory, int indexBytes, int found) {
        MemorySegment all = MemorySegment.ofArray(new long[(int) Math.ceilDiv(memory.byteSize(), Long.BYTES)])
                .asSlice(0, memory.byteSize());
        memory.copyTo(all);
        byte[] behind = all.asSlice((long) found * indexBytes).toArray(ValueLayout.JAVA_BYTE);
        byte[] untouched = new byte[behind.length];
        Arrays.fill(untouched, (byte) UNTOUCHED);
        assertThat(behind).as("behind the result").isEqualTo(untouched);
        MemorySegment result = all.asSlice(0, (long) found * indexBytes);
        return indexBytes == Integer.BYTES
                ? result.toArray(ValueLayout.JAVA_INT)
                : Arrays.stream(result.toArray(ValueLayout.JAVA_LONG))
                        .mapToInt(Math::toIntExact)
                        .toArray();
    }

    private static void assertSame(StringSorter sorter, GpuStringCase input, String what) {
        DistinctStrings expected = onCpu(input, sorter.order());
        for (int indexBytes : new int[] {Integer.BYTES, Long.BYTES}) {
            DistinctStrings found = onGpu(sorter, input, indexBytes);
            assertThat(found.indexes()).as("indexes of %s", what).isEqualTo(expected.indexes());
            assertThat(found.counts()).as("counts of %s", what).isEqualTo(expected.counts());
        }
    }

    /// Each input in one order, in turn.
    @Test
    void findsWhatTheCpuFinds() {
        List<StringOrder> orders = GpuStringsTest.orders().toList();
        for (int i = 0; i < orders.size(); i++) {
            findsWhatTheCpuFinds(orders.get(i), GpuStringInput.inTurn(i, orders.size()));
        }
    }

    @ParameterizedTest
    @MethodSource("io.samplesort.gpu.GpuStringsTest#orders")
    @Tag("exhaustive")
    void findsWhatTheCpuFindsInEveryOrder(StringOrder order) {
        findsWhatTheCpuFinds(order, List.of(GpuStringInput.values()));
    }

    private static void findsWhatTheCpuFinds(StringOrder order, List<GpuStringInput> inputs) {
        try (StringSorter sorter = sorter(order)) {
            for (GpuStringInput input : inputs) {
                try (GpuStringCase strings = GpuStringCase.of(input.strings(), ElementType.INT)) {
                    assertSame(sorter, strings, input.name());
                }
            }
        }
    }

    /// Groups of equal strings that end with a tile, begin with one, and go on over tiles in which none begins.
    @Test
    void groupsThatReachOverTiles() {
        int[][] sizes = {
            {1},
            {2, 1},
            {2047, 1, 1},
            {2048, 1},
            {2049, 3},
            {9000},
            {1, 9000, 1, 4095, 1},
            {3, 6141, 2048, 2048, 1, 2047, 5}
        };
        try (StringSorter sorter = sorter(StringOrder.bytes())) {
            for (int[] groups : sizes) {
                byte[][] strings = IntStream.range(0, groups.length)
                        .mapToObj(i -> Collections.nCopies(groups[i], new byte[] {1, (byte) i}))
                        .flatMap(List::stream)
                        .toArray(byte[][]::new);
                try (GpuStringCase input = GpuStringCase.of(List.of(strings), ElementType.LONG)) {
                    assertThat(onGpu(sorter, input, Integer.BYTES).counts()).isEqualTo(groups);
                    assertSame(sorter, input, Arrays.toString(groups));
                }
            }
        }
    }

    @Test
    void noStringsAreNone() {
        try (StringSorter sorter = sorter(StringOrder.bytes());
                GpuStringCase none = GpuStringCase.of(List.of(), ElementType.INT)) {
            assertThat(onGpu(sorter, none, Integer.BYTES).size()).isZero();
        }
    }

    @Test
    void whatIsWrongIsNamedAndNothingIsWritten() {
        try (StringSorter sorter = sorter(StringOrder.bytes());
                StringSorter cpu = SampleSort.onCpu().buildStrings(StringOrder.bytes());
                GpuStringCase input = GpuStringCase.of(GpuStringInput.SHORT.strings(), ElementType.INT);
                DeviceMemory ints = DeviceMemory.allocate(GPU, input.host().count() * Integer.BYTES);
                DeviceMemory otherInts = DeviceMemory.allocate(GPU, ints.byteSize());
                DeviceMemory longs = DeviceMemory.allocate(GPU, input.host().count() * Long.BYTES);
                DeviceMemory small = DeviceMemory.allocate(GPU, 40)) {
            assertThatThrownBy(() -> sorter.distinct(input.device(), ints, ints))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("indexes and counts are the same device memory");
            assertThatThrownBy(() -> sorter.distinct(input.device(), ints, longs))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the indexes have 10000 bytes and the counts 20000: both must be ints or both longs");
            assertThatThrownBy(() -> sorter.distinct(input.device(), small, ints))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the indexes have 40 bytes, and there are 2500 strings");
            assertThatThrownBy(() -> sorter.distinct(input.device(), ints, input.bytes()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> cpu.distinct(input.device(), ints, otherInts))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("build it with onGpu()");
            int[] wrong = input.host().offsets().toArray(ValueLayout.JAVA_INT);
            wrong[2] = -1;
            input.offsets().copyFrom(MemorySegment.ofArray(wrong));
            int[] before = new int[(int) input.host().count()];
            Arrays.fill(before, UNTOUCHED);
            ints.copyFrom(MemorySegment.ofArray(before));
            otherInts.copyFrom(MemorySegment.ofArray(before));
            assertThatThrownBy(() -> sorter.distinct(input.device(), ints, otherInts))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("offset 2 ");
            for (DeviceMemory memory : List.of(ints, otherInts)) {
                int[] after = new int[before.length];
                memory.copyTo(MemorySegment.ofArray(after));
                assertThat(after).isEqualTo(before);
            }
            ints.close();
            assertThatThrownBy(() -> sorter.distinct(input.device(), ints, otherInts))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }
}
