package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.ColumnContract;
import io.samplesort.ColumnSorter;
import io.samplesort.DeviceKeyColumn;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceStrings;
import io.samplesort.SampleSort;
import io.samplesort.StringSorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Columns in device memory that follow a permutation, compared with what the same call on the host makes of them.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuGatherTest {
    private static final byte UNTOUCHED = 77;

    private static ColumnSorter columnSorter() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY).buildColumns();
    }

    private static StringSorter stringSorter() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(StringOrder.bytes());
    }

    private static int[] shuffled(int count, long seed) {
        List<Integer> indexes =
                new ArrayList<>(IntStream.range(0, count).boxed().toList());
        Collections.shuffle(indexes, new Random(seed));
        return indexes.stream().mapToInt(i -> i).toArray();
    }

    private static MemorySegment asLongs(int[] permutation) {
        return MemorySegment.ofArray(Arrays.stream(permutation).asLongStream().toArray());
    }

    private static byte[] read(DeviceMemory memory) {
        byte[] bytes = new byte[(int) memory.byteSize()];
        memory.copyTo(MemorySegment.ofArray(bytes));
        return bytes;
    }

    private static byte[] untouched(long length) {
        byte[] bytes = new byte[(int) length];
        Arrays.fill(bytes, UNTOUCHED);
        return bytes;
    }

    private static void fill(DeviceMemory memory) {
        memory.copyFrom(MemorySegment.ofArray(untouched(memory.byteSize())));
    }

    private static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }

    /// Returns what a column of the host holds, as parts of memory.
    private static List<byte[]> parts(KeyColumn column) {
        List<byte[]> parts = new ArrayList<>();
        if (column.hasStrings()) {
            parts.add(bytes(column.strings().bytes()));
            parts.add(bytes(column.strings().offsets()));
        } else {
            parts.add(bytes(column.values()));
        }
        if (column.hasValidity()) {
            parts.add(bytes(column.validity()));
        }
        return parts;
    }

    @Test
    void columnsOfEveryKindFollowAsOnTheHost() {
        SplittableRandom random = new SplittableRandom(11);
        try (ColumnSorter sorter = columnSorter()) {
            for (int count : new int[] {1, 7, 8, 9, 33, 1000, 4500}) {
                for (int draw = 0; draw < 12; draw++) {
                    KeyColumn column = ColumnContract.anyColumn(random, count);
                    int[] permutation = shuffled(count, draw);
                    List<byte[]> expected = parts(ColumnSorter.applyPermutation(permutation, column));
                    boolean isWide = draw % 2 == 1;
                    try (ColumnsOnDevice device = new ColumnsOnDevice();
                            ColumnsOnDevice target = new ColumnsOnDevice()) {
                        DeviceKeyColumn to = target.column(column);
                        target.memory().forEach(GpuGatherTest::fill);
                        MemorySegment indexes = isWide ? asLongs(permutation) : MemorySegment.ofArray(permutation);
                        sorter.applyPermutation(device.copy(indexes), device.column(column), to);
                        List<byte[]> found = new ArrayList<>();
                        target.memory().descendingIterator().forEachRemaining(memory -> found.add(read(memory)));
                        assertThat(found).hasSameSizeAs(expected);
                        for (int part = 0; part < found.size(); part++) {
                            byte[] all = found.get(part);
                            int length = expected.get(part).length;
                            assertThat(Arrays.copyOf(all, length))
                                    .as("part %d of draw %d of %d rows", part, draw, count)
                                    .isEqualTo(expected.get(part));
                            assertThat(Arrays.copyOfRange(all, length, all.length))
                                    .as("behind part %d of draw %d of %d rows", part, draw, count)
                                    .isEqualTo(untouched(all.length - length));
                        }
                    }
                }
            }
        }
    }

    /// A sort of keys, and then all columns of the table, strings among them, by the permutation that it has left on
    /// the device.
    @Test
    void tablesFollowTheirKeys() {
        SplittableRandom random = new SplittableRandom(12);
        KeyColumn payload = KeyColumn.of(Strings.copyOf(GpuStringInput.LONGER_THAN_A_WORD.strings()));
        KeyColumn key = ColumnContract.anyColumn(random, (int) payload.count());
        try (ColumnSorter sorter = columnSorter();
                ColumnsOnDevice device = new ColumnsOnDevice()) {
            DeviceMemory order = device.room(payload.count() * Integer.BYTES);
            DeviceKeyColumn deviceKey = device.column(key);
            sorter.argsort(List.of(deviceKey), order);
            DeviceKeyColumn source = device.column(payload);
            DeviceKeyColumn target = device.column(payload);
            DeviceMemory targetOffsets = device.memory().peek();
            sorter.applyPermutation(order, source, target);
            int[] permutation = new int[(int) payload.count()];
            order.copyTo(MemorySegment.ofArray(permutation));
            try (ColumnSorter onCpu = SampleSort.onCpu().buildColumns()) {
                assertThat(permutation).isEqualTo(onCpu.argsort(key));
            }
            assertThat(read(targetOffsets))
                    .isEqualTo(bytes(ColumnSorter.applyPermutation(permutation, payload)
                            .strings()
                            .offsets()));
        }
    }

    @Test
    void stringsFollowStringsAsOnTheHost() {
        try (StringSorter sorter = stringSorter()) {
            for (GpuStringInput input : GpuStringInput.values()) {
                try (GpuStringCase strings = GpuStringCase.of(input.strings(), ElementType.INT);
                        ColumnsOnDevice device = new ColumnsOnDevice()) {
                    int count = (int) strings.host().count();
                    int[] permutation = shuffled(count, count);
                    byte[] bytes = new byte[(int) strings.host().byteSize()];
                    int[] offsets = new int[count + 1];
                    StringSorter.applyPermutation(
                            MemorySegment.ofArray(permutation),
                            strings.host(),
                            MemorySegment.ofArray(bytes),
                            MemorySegment.ofArray(offsets));
                    DeviceMemory targetBytes = device.room(bytes.length);
                    DeviceMemory targetOffsets = device.room(offsets.length * 4L);
                    fill(targetBytes);
                    sorter.applyPermutation(
                            device.copy(asLongs(permutation)),
                            strings.device(),
                            new DeviceStrings(targetBytes, targetOffsets, ElementType.INT, count));
                    assertThat(Arrays.copyOf(read(targetBytes), bytes.length))
                            .as(input.name())
                            .isEqualTo(bytes);
                    assertThat(read(targetOffsets)).as(input.name()).isEqualTo(bytes(MemorySegment.ofArray(offsets)));
                }
            }
        }
    }

    @Test
    void numbersFollowStrings() {
        double[] prices = {40, 10, 30, 11};
        try (StringSorter sorter = stringSorter();
                ColumnsOnDevice device = new ColumnsOnDevice()) {
            Strings fruits = Strings.utf8(List.of("pear", "apple", "fig", "apple"));
            DeviceStrings strings = new DeviceStrings(
                    device.copy(fruits.bytes()), device.copy(fruits.offsets()), fruits.offsetType(), fruits.count());
            DeviceMemory order = device.room(16);
            sorter.argsort(strings, order);
            DeviceMemory target = device.room(32);
            sorter.applyPermutation(order, ElementType.DOUBLE, device.copy(MemorySegment.ofArray(prices)), target);
            double[] sorted = new double[4];
            target.copyTo(MemorySegment.ofArray(sorted));
            assertThat(sorted).containsExactly(10, 11, 30, 40);
        }
    }

    @Test
    void noRowsFollow() {
        Strings none = Strings.copyOf(new byte[0][]);
        try (ColumnSorter sorter = columnSorter();
                ColumnsOnDevice device = new ColumnsOnDevice()) {
            DeviceKeyColumn source = device.column(KeyColumn.of(none));
            DeviceKeyColumn target = device.column(KeyColumn.of(none));
            DeviceMemory offsets = device.memory().peek();
            fill(offsets);
            sorter.applyPermutation(device.room(1), source, target);
            assertThat(read(offsets)).containsOnly(0);
        }
    }

    @Test
    void whatIsWrongIsNamedAndNothingIsWritten() {
        try (ColumnSorter sorter = columnSorter();
                ColumnSorter onCpu = SampleSort.onCpu().buildColumns();
                StringSorter strings = stringSorter();
                ColumnsOnDevice device = new ColumnsOnDevice()) {
            DeviceMemory twice = device.copy(MemorySegment.ofArray(new int[] {0, 2, 2}));
            DeviceMemory beyond = device.copy(MemorySegment.ofArray(new long[] {0, 1, 3}));
            DeviceMemory valid = device.copy(MemorySegment.ofArray(new int[] {2, 0, 1}));
            DeviceKeyColumn source = device.column(KeyColumn.of(new double[] {1, 2, 3}));
            DeviceMemory room = device.room(24);
            DeviceKeyColumn target = DeviceKeyColumn.of(room, ElementType.DOUBLE);
            fill(room);
            assertThatThrownBy(() -> sorter.applyPermutation(twice, source, target))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("the permutation is not valid: the index at place ");
            assertThatThrownBy(() -> sorter.applyPermutation(beyond, source, target))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the permutation is not valid: the index at place 2 is not from 0 to 2,"
                            + " or it appears twice");
            assertThatThrownBy(() -> sorter.applyPermutation(room, source, target))
                    .hasMessageStartingWith("permutation and target are the same device memory");
            assertThatThrownBy(() -> sorter.applyPermutation(valid, source, source))
                    .hasMessageStartingWith("target and source are the same device memory");
            assertThatThrownBy(() -> sorter.applyPermutation(valid, source, DeviceKeyColumn.of(room, ElementType.LONG)))
                    .hasMessage("the source has values of type double and the target values of type long:"
                            + " both must have the same");
            assertThatThrownBy(() -> sorter.applyPermutation(valid, source, target.validity(device.room(1))))
                    .hasMessageContaining("both must have one, or none");
            assertThatThrownBy(() -> sorter.applyPermutation(valid, source, device.column(KeyColumn.of(new double[4]))))
                    .hasMessage("the source has 3 rows and the target 4: both must have the same number of rows");
            assertThatThrownBy(() -> onCpu.applyPermutation(valid, source, target))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("for the CPU");

            DeviceMemory text = device.copy(MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9}));
            DeviceMemory offsets = device.copy(MemorySegment.ofArray(new int[] {0, 4, 3, 9}));
            DeviceStrings wrong = new DeviceStrings(text, offsets, ElementType.INT, 3);
            DeviceMemory targetText = device.room(9);
            DeviceMemory targetOffsets = device.room(16);
            fill(targetText);
            fill(targetOffsets);
            DeviceStrings to = new DeviceStrings(targetText, targetOffsets, ElementType.INT, 3);
            assertThatThrownBy(() -> strings.applyPermutation(valid, wrong, to))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("offset 2 ");
            DeviceStrings long10 = new DeviceStrings(
                    device.room(10), device.copy(MemorySegment.ofArray(new int[] {0, 4, 8, 10})), ElementType.INT, 3);
            assertThatThrownBy(() -> sorter.applyPermutation(valid, DeviceKeyColumn.of(long10), DeviceKeyColumn.of(to)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the target has room for 9 bytes, and the strings have 10");
            for (DeviceMemory memory : List.of(room, targetText, targetOffsets)) {
                assertThat(read(memory)).containsOnly(UNTOUCHED);
            }
        }
    }
}
