package io.samplesort.gpu;

import static io.samplesort.gpu.GpuSortedOperationsTest.addresses;
import static io.samplesort.gpu.GpuSortedOperationsTest.checkBounds;
import static io.samplesort.gpu.GpuSortedOperationsTest.columns;
import static io.samplesort.gpu.GpuSortedOperationsTest.few;
import static io.samplesort.gpu.GpuSortedOperationsTest.pool;
import static io.samplesort.gpu.GpuSortedOperationsTest.rows;
import static io.samplesort.gpu.GpuSortedOperationsTest.sorter;
import static io.samplesort.gpu.GpuSortedOperationsTest.tile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.DeviceMemory;
import io.samplesort.RecordCase;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.memory.SetOperation;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Operations on sorted elements with unusual places, numbers of columns, orders and amounts of memory.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuUnusualSortedTest {
    /// Elements and payloads may lie at any place that their types allow.
    @Test
    void columnsMayLieAnywhere() {
        RecordCase order = few().getFirst();
        int[] bytes = {4, 4};
        int count = tile(order) + 5;
        SortedRows first = rows(order, 3000, count);
        SortedRows second = rows(order, 7, count);
        SortedRows all = SortedRows.joined(List.of(first, second));
        try (GpuSorter sorter = sorter(order);
                ColumnsOnDevice device = new ColumnsOnDevice()) {
            DeviceMemory input = device.room(16L * count + 100);
            long at = 4;
            List<DeviceMemory> columns = new ArrayList<>();
            for (int c = 0; c < 4; c++) {
                MemorySegment column = (c < 2 ? first : second).column(c % 2, c < 2 ? 0 : count);
                DeviceMemory slice = input.slice(at, column.byteSize());
                slice.copyFrom(column);
                columns.add(slice);
                at += column.byteSize() + 4;
            }
            DeviceMemory output = device.room(16L * count + 100);
            List<DeviceMemory> targets =
                    List.of(output.slice(4, 8L * count), output.slice(8L * count + 12, 8L * count));
            long[] inputs = addresses(columns);
            sorter.sortedOperations()
                    .merge(
                            new long[][] {{inputs[0], inputs[1]}, {inputs[2], inputs[3]}},
                            new long[] {count, count},
                            bytes,
                            addresses(targets));
            for (int c = 0; c < 2; c++) {
                byte[] got = new byte[8 * count];
                targets.get(c).copyTo(MemorySegment.ofArray(got));
                assertThat(Arrays.equals(got, RecordCase.gathered(all.column(c, 0), 4, all.stableOrder())))
                        .isTrue();
            }
        }
    }

    /// More columns than one launch writes.
    @Test
    void manyPayloads() {
        RecordCase order = few().getFirst();
        SortedRows rows = rows(order, 3000, 900);
        int columns = 3 * KernelConstants.MOST_SORTED_COLUMNS;
        int[] bytes = new int[columns];
        Arrays.fill(bytes, 4);
        int[] firsts = rows.firsts();
        try (GpuSorter sorter = sorter(order);
                ColumnsOnDevice device = new ColumnsOnDevice()) {
            long[] from = new long[columns];
            for (int c = 0; c < columns; c++) {
                from[c] = device.copy(rows.column(Math.min(c, 1), c)).address();
            }
            SortedTarget target = new SortedTarget(device, bytes, firsts.length);
            assertThat(sorter.sortedOperations().unique(from, bytes, 900, target.addresses(), firsts.length))
                    .isEqualTo(firsts.length);
            for (int c = 0; c < columns; c++) {
                byte[] wanted = RecordCase.gathered(rows.column(Math.min(c, 1), c), 4, firsts);
                target.check("column " + c, c, wanted, firsts.length);
            }
        }
    }

    /// Inputs in no order lose no elements in a merge, and nothing is read or written out of bounds.
    @ParameterizedTest
    @MethodSource("io.samplesort.gpu.GpuSortedOperationsTest#few")
    void inputsInNoOrder(RecordCase order) {
        checkWithoutOrder(order);
    }

    /// Nor do they by an order that is none.
    @Test
    void anOrderThatContradictsItself() {
        checkWithoutOrder(new RecordCase(
                "no order",
                ElementType.LONG,
                Order.custom("(a * 0x9e3779b97f4a7c15ll ^ b) >> 40 & 1", (a, b) -> 1),
                false));
    }

    private static void checkWithoutOrder(RecordCase order) {
        MemorySegment pool = pool(order, 3000, new Random(4));
        SortedRows first = SortedRows.unsorted(order, pool, tile(order) + 100, new Random(5));
        SortedRows second = SortedRows.unsorted(order, pool, 2 * tile(order), new Random(6));
        SortedRows all = SortedRows.joined(List.of(first, second));
        int[] bytes = all.columnBytes(1);
        try (GpuSorter sorter = sorter(order);
                ColumnsOnDevice device = new ColumnsOnDevice()) {
            GpuSortedOperations operations = sorter.sortedOperations(1);
            long[] from = addresses(columns(device, first, 1, 0));
            long[] others = addresses(columns(device, second, 1, first.count()));
            SortedTarget target = new SortedTarget(device, bytes, all.count());
            long[] to = target.addresses();
            operations.merge(new long[][] {from, others}, new long[] {first.count(), second.count()}, bytes, to);
            int[] rows = new int[all.count()];
            target.memory(1).slice(0, 4L * rows.length).copyTo(MemorySegment.ofArray(rows));
            target.check("merge", all, rows);
            Arrays.sort(rows);
            assertThat(rows).isEqualTo(IntStream.range(0, rows.length).toArray());
            for (SetOperation operation : SetOperation.values()) {
                assertThat(operations.combine(
                                operation, from, first.count(), others, second.count(), bytes, to, all.count()))
                        .isBetween(0L, (long) all.count());
            }
            long runs = operations.unique(from, bytes, first.count(), to, all.count());
            long wrong = operations.firstOutOfOrder(from[0], first.count());
            operations.counts(from[0], first.count(), to[0], 100, to[1], Integer.BYTES);
            operations.bounds(from[0], first.count(), others[0], second.count(), to[1], Integer.BYTES, true);
            if (order.isOrder()) {
                assertThat(runs).isEqualTo(first.firsts().length);
                assertThat(wrong).isEqualTo(first.firstOutOfOrder());
            }
        }
    }

    @Test
    void theFirstElementOutOfOrder() {
        RecordCase order = few().getFirst();
        try (GpuSorter sorter = sorter(order);
                ColumnsOnDevice device = new ColumnsOnDevice()) {
            SortedRows rows = rows(order, 3000, 9000);
            DeviceMemory keys = device.copy(rows.elements());
            assertThat(sorter.sortedOperations().firstOutOfOrder(keys.address(), 9000))
                    .isEqualTo(-1);
            keys.slice(4L * 7000, 4).copyFrom(MemorySegment.ofArray(new int[] {Integer.MIN_VALUE}));
            keys.slice(4L * 8000, 4).copyFrom(MemorySegment.ofArray(new int[] {Integer.MIN_VALUE}));
            assertThat(sorter.sortedOperations().firstOutOfOrder(keys.address(), 9000))
                    .isEqualTo(7000);
            assertThat(sorter.sortedOperations().firstOutOfOrder(keys.address(), 7000))
                    .isEqualTo(-1);
            assertThat(sorter.sortedOperations().firstOutOfOrder(keys.address(), 1))
                    .isEqualTo(-1);
            assertThat(sorter.sortedOperations().firstOutOfOrder(keys.address(), 0))
                    .isEqualTo(-1);
        }
    }

    /// Nothing is written if there is too little memory for a merge. A search then takes no memory.
    @Test
    void tooLittleMemory() {
        RecordCase order = few().getFirst();
        SortedRows rows = rows(order, 3000, 2000);
        try (GpuSorter sorter = sorter(order, 12_000);
                ColumnsOnDevice device = new ColumnsOnDevice()) {
            long[] columns = addresses(columns(device, rows, 1, 0));
            SortedTarget target = new SortedTarget(device, new int[] {4, 4}, 0);
            assertThatThrownBy(() -> sorter.sortedOperations()
                            .merge(
                                    new long[][] {columns, columns, columns},
                                    new long[] {500, 500, 500},
                                    new int[] {4, 4},
                                    target.addresses()))
                    .isInstanceOf(InsufficientDeviceMemoryException.class)
                    .hasMessageContaining("merging 1500 elements");
            target.check("untouched", rows, new int[0]);
            checkBounds(sorter, rows, SortedRows.unsorted(order, rows.elements(), 2000, new Random(9)), 1, 4);
        }
    }
}
