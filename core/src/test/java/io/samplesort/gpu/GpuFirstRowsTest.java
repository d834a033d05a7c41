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
import io.samplesort.StringSorter;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
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

/// The first and the last rows of columns and of strings in device memory are the ends of their stable order.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuFirstRowsTest {
    private static final int UNTOUCHED = 0x5a5a5a5a;

    private static SorterBuilder builder() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY);
    }

    /// Calls argfirst or arglast.
    private interface Selection {
        SortReport select(boolean isLast, long k, DeviceMemory indexes);
    }

    /// Checks selections of several sizes, as ints and as longs.
    ///
    /// @param order all rows in order
    private static void check(int[] order, String what, Selection selection) {
        int count = order.length;
        for (int k : new int[] {0, 1, 90, count, count + 3}) {
            int some = Math.min(k, count);
            for (boolean isLast : new boolean[] {false, true}) {
                int[] expected = isLast ? Arrays.copyOfRange(order, count - some, count) : Arrays.copyOf(order, some);
                int[] room = new int[2 * Math.max(1, k)];
                Arrays.fill(room, UNTOUCHED);
                try (ColumnsOnDevice device = new ColumnsOnDevice()) {
                    boolean isWide = (k + (isLast ? 1 : 0)) % 2 == 0;
                    DeviceMemory indexes = device.copy(MemorySegment.ofArray(room));
                    selection.select(isLast, k, isWide || k == 0 ? indexes : indexes.slice(0, 4L * k));
                    byte[] bytes = new byte[8 * Math.max(1, k)];
                    indexes.copyTo(MemorySegment.ofArray(bytes));
                    MemorySegment found = MemorySegment.ofArray(bytes);
                    for (int i = 0; i < some; i++) {
                        long index = isWide
                                ? found.get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i)
                                : found.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i);
                        assertThat(index)
                                .as("%d of %d, last %b, %s", i, k, isLast, what)
                                .isEqualTo(expected[i]);
                    }
                    for (long at = (isWide ? 8L : 4L) * some; at < bytes.length; at += 4) {
                        assertThat(found.get(ValueLayout.JAVA_INT_UNALIGNED, at))
                                .as("behind %d, last %b, %s", some, isLast, what)
                                .isEqualTo(UNTOUCHED);
                    }
                }
            }
        }
    }

    private static void checkColumns(ColumnSorter onGpu, ColumnSorter onCpu, KeyColumn... keys) {
        try (ColumnsOnDevice device = new ColumnsOnDevice()) {
            List<DeviceKeyColumn> columns = Stream.of(keys).map(device::column).toList();
            check(
                    onCpu.argsort(keys),
                    Arrays.toString(keys),
                    (isLast, k, indexes) ->
                            isLast ? onGpu.arglast(k, columns, indexes) : onGpu.argfirst(k, columns, indexes));
        }
    }

    @Test
    void selectsRowsOfColumnsOfEveryKind() {
        SplittableRandom random = new SplittableRandom(12);
        try (ColumnSorter onGpu = builder().buildColumns();
                ColumnSorter onCpu = SampleSort.onCpu().buildColumns()) {
            for (int schema = 0; schema < 8; schema++) {
                List<KeyColumn> keys = new ArrayList<>();
                for (int c = 0; c <= schema % 3; c++) {
                    keys.add(ColumnContract.anyColumn(random, 700));
                }
                checkColumns(onGpu, onCpu, keys.toArray(KeyColumn[]::new));
            }
        }
    }

    /// Enough rows to be filtered, with many ties and with hardly any.
    @Test
    void filtersRowsOfWords() {
        int count = 20_000;
        SplittableRandom random = new SplittableRandom(13);
        KeyColumn few = KeyColumn.of(random.ints(count, 0, 3).toArray());
        KeyColumn many = KeyColumn.of(random.ints(count).toArray()).reversed();
        try (ColumnSorter onGpu = builder().timesPhases().buildColumns();
                ColumnSorter onCpu = SampleSort.onCpu().buildColumns();
                ColumnsOnDevice device = new ColumnsOnDevice()) {
            checkColumns(onGpu, onCpu, few);
            checkColumns(onGpu, onCpu, few, many);
            SortReport report = onGpu.argfirst(10, List.of(device.column(few), device.column(many)), device.room(40));
            assertThat(report.phases())
                    .extracting(SortReport.Phase::name)
                    .anyMatch(name -> name.contains("keep_between"));
            assertThat(report.elementCount()).isEqualTo(count);
        }
    }

    @Test
    void selectsStrings() {
        List<StringOrder> orders =
                List.of(StringOrder.bytes(), StringOrder.bytes().reversed().ignoringAsciiCase());
        for (StringOrder order : orders) {
            try (StringSorter onGpu = builder().buildStrings(order);
                    StringSorter onCpu = SampleSort.onCpu().buildStrings(order)) {
                for (GpuStringInput input : List.of(
                        GpuStringInput.LONGER_THAN_A_WORD, GpuStringInput.ALL_EQUAL, GpuStringInput.BOTH_CASES)) {
                    Strings strings = Strings.copyOf(input.strings());
                    try (ColumnsOnDevice device = new ColumnsOnDevice()) {
                        DeviceStrings onDevice = device.strings(strings);
                        check(
                                onCpu.argsort(strings),
                                input + ", " + order,
                                (isLast, k, indexes) -> isLast
                                        ? onGpu.arglast(onDevice, k, indexes)
                                        : onGpu.argfirst(onDevice, k, indexes));
                    }
                }
            }
        }
    }

    @Test
    void refusesWhatDoesNotFit() {
        try (ColumnSorter columns = builder().buildColumns();
                StringSorter strings = builder().buildStrings(StringOrder.bytes());
                ColumnSorter onCpu = SampleSort.onCpu().buildColumns();
                ColumnsOnDevice device = new ColumnsOnDevice()) {
            DeviceMemory numbers = device.copy(MemorySegment.ofArray(new int[] {3, 2, 1}));
            DeviceKeyColumn column = DeviceKeyColumn.of(numbers, ElementType.INT);
            DeviceStrings three = device.strings(Strings.utf8(List.of("c", "b", "a")));
            DeviceMemory room = device.room(8);
            // The bytes of that many longs do not fit a long, where they look like these 8 bytes.
            assertThatThrownBy(() -> columns.argfirst((1L << 61) + 1, List.of(column), room))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("as many longs");
            assertThatThrownBy(() -> columns.argfirst(1, null, room)).hasMessageContaining("columns");
            assertThatThrownBy(() -> columns.argfirst(-1, List.of(column), room))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the first -1 elements");
            assertThatThrownBy(() -> columns.arglast(3, List.of(column), room))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("3 wanted rows");
            assertThatThrownBy(() -> columns.argfirst(2, List.of(column), numbers.slice(0, 8)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("overlap");
            assertThatThrownBy(() -> columns.argfirst(2, List.of(), room)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> onCpu.argfirst(2, List.of(column), room))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> strings.argfirst(three, 3, room))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("3 wanted strings");
            assertThatThrownBy(() -> strings.arglast(three, 1, three.offsets().slice(0, 4)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("overlap");
        }
    }

    @Test
    void findsOutThatMemoryIsLacking() {
        int count = 20_000;
        int[] numbers = new SplittableRandom(14).ints(count).toArray();
        Strings text = Strings.copyOf(GpuStringInput.LONGER_THAN_A_WORD.strings());
        try (ColumnSorter columns = builder().deviceMemory(100_000).buildColumns();
                StringSorter strings = builder().deviceMemory(100_000).buildStrings(StringOrder.bytes());
                ColumnsOnDevice device = new ColumnsOnDevice()) {
            DeviceKeyColumn words = device.column(KeyColumn.of(numbers));
            DeviceStrings onDevice = device.strings(text);
            DeviceMemory room = device.copy(MemorySegment.ofArray(new int[] {UNTOUCHED}));
            assertThatThrownBy(() -> columns.argfirst(1, List.of(words), room))
                    .isInstanceOf(InsufficientDeviceMemoryException.class)
                    .hasMessageContaining("selecting among 20000 rows");
            assertThatThrownBy(() -> columns.argfirst(1, List.of(DeviceKeyColumn.of(onDevice)), room))
                    .isInstanceOf(InsufficientDeviceMemoryException.class);
            assertThatThrownBy(() -> strings.argfirst(onDevice, 1, room))
                    .isInstanceOf(InsufficientDeviceMemoryException.class)
                    .hasMessageContaining("selecting among " + text.count() + " strings");
            int[] found = new int[1];
            room.copyTo(MemorySegment.ofArray(found));
            assertThat(found).containsExactly(UNTOUCHED);
        }
    }
}
