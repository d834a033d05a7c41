package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.ColumnContract;
import io.samplesort.ColumnSorter;
import io.samplesort.DeviceKeyColumn;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceStrings;
import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;
import io.samplesort.gpu.rows.DeviceColumn;
import io.samplesort.gpu.rows.DeviceText;
import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.SortReport;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Rows whose key columns are in device memory.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuDeviceColumnTest extends ColumnContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY).timesPhases();
    }

    @Override
    protected int[] sizes() {
        return new int[] {0, 1, 2, 1000, 4500};
    }

    @Override
    protected int schemas() {
        return 12;
    }

    @Override
    protected int[] argsort(ColumnSorter sorter, KeyColumn... keys) {
        int[] permutation = new int[(int) keys[0].count()];
        argsort(sorter, MemorySegment.ofArray(permutation), keys);
        return permutation;
    }

    @Override
    protected long[] wideArgsort(ColumnSorter sorter, int count, KeyColumn... keys) {
        long[] permutation = new long[count];
        argsort(sorter, MemorySegment.ofArray(permutation), keys);
        return permutation;
    }

    private static SortReport argsort(ColumnSorter sorter, MemorySegment permutation, KeyColumn... keys) {
        if (permutation.byteSize() == 0) {
            // Memory cannot be empty, so columns of numbers cannot be either.
            return new EmptyColumns().argsort(sorter);
        }
        try (ColumnsOnDevice device = new ColumnsOnDevice()) {
            DeviceKeyColumn[] columns = new DeviceKeyColumn[keys.length];
            for (int c = 0; c < keys.length; c++) {
                columns[c] = device.column(keys[c]);
            }
            DeviceMemory result = device.room(permutation.byteSize());
            SortReport report = sorter.argsort(List.of(columns), result);
            result.copyTo(permutation);
            return report;
        }
    }

    /// No rows at all.
    private static final class EmptyColumns {
        SortReport argsort(ColumnSorter sorter) {
            try (ColumnsOnDevice device = new ColumnsOnDevice()) {
                DeviceKeyColumn none = device.column(KeyColumn.of(Strings.copyOf(new byte[0][])));
                return sorter.argsort(List.of(none, none.reversed()), device.room(1));
            }
        }
    }

    /// Strings of every byte, longer than a thread looks at alone and than shared memory holds, in every place of a
    /// key.
    @Test
    void stringsOfAnyLengthAndAnyBytesInEveryPlace() {
        SplittableRandom random = new SplittableRandom(4);
        byte[][] strings = new byte[700][];
        for (int i = 0; i < strings.length; i++) {
            int length = i % 40 == 0 ? random.nextInt(3000) : i == 77 ? 30_000 : random.nextInt(6);
            strings[i] = new byte[length];
            for (int k = 0; k < length; k++) {
                strings[i][k] = (byte) (length < 6 || k > 2000 ? random.nextInt(3) - 1 : 1);
            }
        }
        int[] few = random.ints(strings.length, 0, 3).toArray();
        KeyColumn text = KeyColumn.of(Strings.copyOf(strings));
        KeyColumn number = KeyColumn.of(few);
        try (ColumnSorter onGpu = builder().buildColumns();
                ColumnSorter onCpu = SampleSort.onCpu().buildColumns()) {
            for (KeyColumn directed : new KeyColumn[] {text, text.reversed()}) {
                for (KeyColumn[] keys : new KeyColumn[][] {
                    {directed}, {number, directed}, {directed, number}, {number, directed, text, number}
                }) {
                    assertThat(argsort(onGpu, keys)).isEqualTo(onCpu.argsort(keys));
                }
            }
        }
    }

    /// Rows of 2^32 bytes together and more have offsets of 8 bytes.
    @Test
    void manyEncodedBytesHaveLongOffsets() {
        Strings strings = Strings.copyOf(GpuStringInput.SHARED_PREFIX.strings());
        int count = (int) strings.count();
        int[] numbers = new SplittableRandom(6).ints(count, 0, 9).toArray();
        GpuSortOptions options = new GpuSortOptions(tuning -> GpuContractTest.TINY, Long.MAX_VALUE, false, null);
        try (GpuColumnSorter sorter = new GpuColumnSorter(0, options, 1000);
                ColumnSorter onCpu = SampleSort.onCpu().buildColumns();
                ColumnsOnDevice device = new ColumnsOnDevice()) {
            DeviceMemory bytes = device.copy(strings.bytes());
            DeviceMemory offsets = device.copy(strings.offsets());
            DeviceText text =
                    new DeviceText(bytes.address(), bytes.byteSize(), offsets.address(), Long.BYTES, count, 0);
            DeviceMemory order = device.room(count * 4L);
            sorter.argsortOnDevice(
                    List.of(
                            new DeviceColumn(
                                    ElementType.INT,
                                    false,
                                    device.copy(MemorySegment.ofArray(numbers)).address(),
                                    Integer.BYTES,
                                    null,
                                    count,
                                    false,
                                    0,
                                    false),
                            new DeviceColumn(null, false, 0, 0, text, count, true, 0, false)),
                    order.address(),
                    Integer.BYTES);
            int[] permutation = new int[count];
            order.copyTo(MemorySegment.ofArray(permutation));
            assertThat(permutation)
                    .isEqualTo(onCpu.argsort(
                            KeyColumn.of(numbers), KeyColumn.of(strings).reversed()));
        }
    }

    /// Numbers that are narrow enough together become words, however wide they are.
    @Test
    void narrowNumbersAreSortedAsWords() {
        SplittableRandom random = new SplittableRandom(5);
        int count = 3000;
        double[] whole = random.doubles(count, 0, 1000).map(Math::floor).toArray();
        long[] far = random.longs(count, Long.MAX_VALUE - 500, Long.MAX_VALUE).toArray();
        KeyColumn[] keys = {KeyColumn.of(whole).reversed(), KeyColumn.of(far), KeyColumn.of(new int[count])};
        try (ColumnSorter onGpu = builder().buildColumns();
                ColumnSorter onCpu = SampleSort.onCpu().buildColumns()) {
            int[] permutation = new int[count];
            SortReport report = argsort(onGpu, MemorySegment.ofArray(permutation), keys);
            assertThat(report.phases()).extracting(SortReport.Phase::name).contains("keys: pack_rows");
            assertThat(permutation).isEqualTo(onCpu.argsort(keys));
            KeyColumn[] wide = {KeyColumn.of(random.longs(count).toArray()), KeyColumn.of(whole)};
            report = argsort(onGpu, MemorySegment.ofArray(permutation), wide);
            assertThat(report.phases()).extracting(SortReport.Phase::name).contains("keys: encode_rows");
            assertThat(permutation).isEqualTo(onCpu.argsort(wide));
        }
    }

    @Test
    void whatIsWrongIsNamed() {
        try (ColumnSorter sorter = builder().buildColumns();
                ColumnSorter onCpu = SampleSort.onCpu().buildColumns();
                ColumnsOnDevice device = new ColumnsOnDevice()) {
            DeviceKeyColumn three = device.column(KeyColumn.of(new int[3]));
            DeviceKeyColumn four = device.column(KeyColumn.of(new double[4]));
            DeviceMemory permutation = device.room(12);
            assertThatThrownBy(() -> sorter.argsort(List.of(), permutation))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at least one");
            assertThatThrownBy(() -> sorter.argsort(List.of(three, four), permutation))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("[3, 4] rows");
            assertThatThrownBy(() -> sorter.argsort(List.of(four), permutation))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("12 bytes, and there are 4 rows");
            assertThatThrownBy(() -> sorter.argsort(
                            List.of(three, DeviceKeyColumn.of(permutation, ElementType.INT)), permutation))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the same device memory");
            assertThatThrownBy(() -> onCpu.argsort(List.of(three), permutation))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("for the CPU");
            assertThatThrownBy(() -> four.unsigned()).isInstanceOf(IllegalArgumentException.class);
            DeviceMemory tooShort = device.room(1);
            DeviceKeyColumn nine = device.column(KeyColumn.of(new byte[9]));
            assertThatThrownBy(() -> nine.validity(tooShort))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("2 are needed for 9 rows");
            assertThatThrownBy(() -> DeviceKeyColumn.ofFixedStrings(permutation, 5))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no multiple of 5");
            DeviceMemory text = device.copy(MemorySegment.ofArray(new byte[10]));
            DeviceMemory offsets = device.copy(MemorySegment.ofArray(new int[] {0, 4, 3, 9}));
            permutation.copyFrom(MemorySegment.ofArray(new int[] {7, 7, 7}));
            DeviceKeyColumn wrong = DeviceKeyColumn.of(new DeviceStrings(text, offsets, ElementType.INT, 3));
            assertThatThrownBy(() -> sorter.argsort(List.of(three, wrong), permutation))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("offset 2 ");
            int[] untouched = new int[3];
            permutation.copyTo(MemorySegment.ofArray(untouched));
            assertThat(untouched).containsOnly(7);
            permutation.close();
            assertThatThrownBy(() -> sorter.argsort(List.of(three), permutation))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    /// Equal rows stay in the order of their indexes, whether keys are words or strings.
    @Test
    void equalRowsStayInOrder() {
        int count = 2500;
        byte[][] equal =
                IntStream.range(0, count).mapToObj(i -> new byte[] {0, 1, 2}).toArray(byte[][]::new);
        int[] inOrder = IntStream.range(0, count).toArray();
        try (ColumnSorter sorter = builder().buildColumns()) {
            assertThat(argsort(sorter, KeyColumn.of(new double[count]).reversed()))
                    .isEqualTo(inOrder);
            assertThat(argsort(sorter, KeyColumn.of(Strings.copyOf(equal)).reversed(), KeyColumn.of(new long[count])))
                    .isEqualTo(inOrder);
        }
    }
}
