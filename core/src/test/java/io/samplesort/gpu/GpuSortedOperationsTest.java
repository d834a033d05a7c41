package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.ContractTypes;
import io.samplesort.DeviceMemory;
import io.samplesort.RecordCase;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.memory.SetOperation;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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

/// Operations on sorted elements in device memory, compared with what they give the slow way.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuSortedOperationsTest {
    private static final byte UNTOUCHED = 0x5A;
    private static final int GUARD_BYTES = 32;

    /// From how many different elements an input is drawn.
    private static final int[] POOLS = {7, 3000};

    static List<RecordCase> few() {
        List<RecordCase> cases = new ArrayList<>();
        for (KeyType type : List.of(KeyType.I32, KeyType.F64)) {
            cases.add(new RecordCase(ContractTypes.elementType(type), ContractTypes.order(type, false)));
        }
        cases.addAll(RecordCase.named("custom, moved"));
        return cases;
    }

    static List<RecordCase> others() {
        List<RecordCase> cases = new ArrayList<>();
        for (KeyType type : KeyType.values()) {
            cases.add(new RecordCase(ContractTypes.elementType(type), ContractTypes.order(type, type.isUnsigned())));
        }
        cases.addAll(RecordCase.all());
        cases.removeIf(each -> !each.isOrder());
        return cases;
    }

    private static GpuSorter sorter(RecordCase order) {
        return sorter(order, Long.MAX_VALUE);
    }

    private static GpuSorter sorter(RecordCase order, long memoryLimit) {
        GpuSortSpec spec = new GpuSortSpec(order.type(), List.of(), order.order(), true);
        return new GpuSorter(0, spec, new GpuSortOptions(defaults -> GpuContractTest.TINY, memoryLimit, true, null));
    }

    private static int tile(RecordCase order) {
        return KernelConstants.SORTED_THREADS
                * SharedMemory.sortedItems(order.type().byteSize());
    }

    private static MemorySegment pool(RecordCase order, int count, Random random) {
        int bytes = order.type().byteSize();
        MemorySegment pool =
                MemorySegment.ofArray(new long[count * bytes / Long.BYTES + 1]).asSlice(0, (long) count * bytes);
        for (KeyType type : KeyType.values()) {
            if (order.type().equals(ContractTypes.elementType(type)) && count > 100) {
                InputDistribution.UNIFORM.fillWithSpecials(pool, type, count);
                return pool;
            }
        }
        order.fill(pool, random);
        return pool;
    }

    private static SortedRows rows(RecordCase order, int pool, int count) {
        Random random = new Random(count);
        return SortedRows.of(order, pool(order, pool, new Random(pool)), count, random);
    }

    private static long[] addresses(List<DeviceMemory> memory) {
        return memory.stream().mapToLong(DeviceMemory::address).toArray();
    }

    private static List<DeviceMemory> columns(ColumnsOnDevice device, SortedRows rows, int payloads, int first) {
        return IntStream.rangeClosed(0, payloads)
                .mapToObj(c -> device.copy(rows.column(c, first)))
                .toList();
    }

    /// Room on the device for columns, behind which nothing is to be written.
    private static final class Target {
        private final List<DeviceMemory> memory = new ArrayList<>();
        private final int[] bytes;
        private final int room;

        Target(ColumnsOnDevice device, int[] bytes, int room) {
            this.bytes = bytes;
            this.room = room;
            for (int each : bytes) {
                byte[] untouched = new byte[room * each + GUARD_BYTES];
                Arrays.fill(untouched, UNTOUCHED);
                memory.add(device.copy(MemorySegment.ofArray(untouched)));
            }
        }

        long[] addresses() {
            return GpuSortedOperationsTest.addresses(memory);
        }

        /// Checks that the columns hold these rows, or as many of them as there is room for.
        void check(String what, SortedRows all, int[] rows) {
            int[] held = Arrays.copyOf(rows, Math.min(rows.length, room));
            for (int c = 0; c < bytes.length; c++) {
                check(what + ", column " + c, c, RecordCase.gathered(all.column(c, 0), bytes[c], held), held.length);
            }
        }

        void check(String what, int column, byte[] gathered, int held) {
            byte[] got = new byte[(int) memory.get(column).byteSize()];
            memory.get(column).copyTo(MemorySegment.ofArray(got));
            int size = held * bytes[column];
            int wrong = Arrays.mismatch(Arrays.copyOf(gathered, size), Arrays.copyOf(got, size));
            assertThat(wrong).as("%s: first wrong byte", what).isEqualTo(-1);
            for (int i = room * bytes[column]; i < got.length; i++) {
                assertThat(got[i]).as("%s: byte %d behind the target", what, i).isEqualTo(UNTOUCHED);
            }
        }

        /// Checks that a column holds these numbers.
        void checkNumbers(String what, int column, long[] numbers) {
            int held = Math.min(numbers.length, room);
            MemorySegment wanted = MemorySegment.ofArray(new byte[numbers.length * bytes[column]]);
            for (int i = 0; i < numbers.length; i++) {
                if (bytes[column] == Integer.BYTES) {
                    wanted.set(ValueLayout.JAVA_INT_UNALIGNED, (long) i * Integer.BYTES, (int) numbers[i]);
                } else {
                    wanted.set(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * Long.BYTES, numbers[i]);
                }
            }
            check(what, column, wanted.toArray(ValueLayout.JAVA_BYTE), held);
        }
    }

    private static void checkMerge(GpuSorter sorter, List<SortedRows> inputs, int payloads) {
        SortedRows all = SortedRows.joined(inputs);
        int[] bytes = all.columnBytes(payloads);
        try (ColumnsOnDevice device = new ColumnsOnDevice()) {
            long[][] columns = new long[inputs.size()][];
            int first = 0;
            for (int i = 0; i < columns.length; i++) {
                columns[i] = addresses(columns(device, inputs.get(i), payloads, first));
                first += inputs.get(i).count();
            }
            Target target = new Target(device, bytes, all.count());
            long[] counts = inputs.stream().mapToLong(SortedRows::count).toArray();
            SortReport report = sorter.sortedOperations().merge(columns, counts, bytes, target.addresses());
            assertThat(report.elementCount()).isEqualTo(all.count());
            target.check("merge of " + Arrays.toString(counts), all, all.stableOrder());
        }
    }

    private static void checkSets(GpuSorter sorter, SortedRows first, SortedRows second, int payloads, int lacking) {
        SortedRows all = SortedRows.joined(List.of(first, second));
        int[] bytes = all.columnBytes(payloads);
        for (SetOperation operation : SetOperation.values()) {
            int[] rows = first.combined(operation, second);
            int secondPayloads = operation == SetOperation.UNION ? payloads : 0;
            try (ColumnsOnDevice device = new ColumnsOnDevice()) {
                Target target = new Target(device, bytes, Math.max(0, rows.length - lacking));
                long count = sorter.sortedOperations()
                        .combine(
                                operation,
                                addresses(columns(device, first, payloads, 0)),
                                first.count(),
                                addresses(columns(device, second, secondPayloads, first.count())),
                                second.count(),
                                bytes,
                                target.addresses(),
                                target.room);
                String what = operation + " of " + first.count() + " and " + second.count();
                assertThat(count).as(what).isEqualTo(rows.length);
                target.check(what, all, rows);
            }
        }
    }

    private static void checkRuns(GpuSorter sorter, SortedRows rows, int payloads, int lacking, int numberBytes) {
        int[] firsts = rows.firsts();
        int room = Math.max(0, firsts.length - lacking);
        int[] bytes = rows.columnBytes(payloads);
        long[] begins = Arrays.stream(firsts).asLongStream().toArray();
        long[] offsets = Arrays.copyOf(begins, begins.length + 1);
        offsets[begins.length] = rows.count();
        long[] counts = IntStream.range(0, firsts.length)
                .mapToLong(i -> offsets[i + 1] - offsets[i])
                .toArray();
        String what = "runs of " + rows.count();
        GpuSortedOperations operations = sorter.sortedOperations();
        try (ColumnsOnDevice device = new ColumnsOnDevice()) {
            long[] columns = addresses(columns(device, rows, payloads, 0));
            Target target = new Target(device, bytes, room);
            assertThat(operations.unique(columns, bytes, rows.count(), target.addresses(), room))
                    .as(what)
                    .isEqualTo(firsts.length);
            target.check(what, rows, firsts);
            Target counted = new Target(device, new int[] {bytes[0], numberBytes}, room);
            long[] to = counted.addresses();
            assertThat(operations.counts(columns[0], rows.count(), to[0], room, to[1], numberBytes))
                    .as(what)
                    .isEqualTo(firsts.length);
            counted.check(what, 0, RecordCase.gathered(rows.elements(), bytes[0], firsts), room);
            counted.checkNumbers(what + ", counts", 1, counts);
            Target grouped = new Target(device, new int[] {numberBytes}, Math.max(0, offsets.length - lacking));
            assertThat(operations.groups(columns[0], rows.count(), grouped.addresses()[0], numberBytes, grouped.room))
                    .as(what)
                    .isEqualTo(firsts.length);
            grouped.checkNumbers(what + ", offsets", 0, offsets);
        }
    }

    private static void checkBounds(
            GpuSorter sorter, SortedRows rows, SortedRows queries, long fewestSorted, int bytes) {
        for (boolean isUpper : new boolean[] {false, true}) {
            long[] bounds = IntStream.range(0, queries.count())
                    .mapToLong(q -> rows.bound(queries, q, isUpper))
                    .toArray();
            try (ColumnsOnDevice device = new ColumnsOnDevice()) {
                Target target = new Target(device, new int[] {bytes}, queries.count());
                sorter.sortedOperations(fewestSorted)
                        .bounds(
                                device.copy(rows.elements()).address(),
                                rows.count(),
                                device.copy(queries.elements()).address(),
                                queries.count(),
                                target.addresses()[0],
                                bytes,
                                isUpper);
                String what =
                        (isUpper ? "upper" : "lower") + " bounds of " + queries.count() + " among " + rows.count();
                target.checkNumbers(what, 0, bounds);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("few")
    void sortedInputsAreMerged(RecordCase order) {
        int tile = tile(order);
        try (GpuSorter sorter = sorter(order)) {
            checkMerge(sorter, List.of(rows(order, 7, tile + 1), rows(order, 3000, tile - 1)), 2);
            checkMerge(sorter, List.of(rows(order, 1, tile), rows(order, 1, 3)), 0);
            checkMerge(
                    sorter,
                    List.of(
                            rows(order, 7, 10),
                            rows(order, 3000, 2 * tile),
                            rows(order, 7, 0),
                            rows(order, 7, 30),
                            rows(order, 3000, 500)),
                    1);
            checkMerge(sorter, List.of(rows(order, 7, 30)), 1);
            checkMerge(sorter, List.of(rows(order, 7, 0), rows(order, 7, 0)), 0);
            sorter.sortedOperations().merge(new long[0][], new long[0], new int[] {1}, new long[] {0});
        }
    }

    @ParameterizedTest
    @MethodSource("few")
    void setsAreCombined(RecordCase order) {
        int tile = tile(order);
        try (GpuSorter sorter = sorter(order)) {
            checkSets(sorter, rows(order, 3000, tile), rows(order, 3000, tile - 1), 1, 0);
            checkSets(sorter, rows(order, 7, tile + 300), rows(order, 7, 700), 0, 5);
            checkSets(sorter, rows(order, 1, tile + 300), rows(order, 1, 2 * tile), 2, 0);
            checkSets(sorter, rows(order, 7, 0), rows(order, 7, 700), 0, 1000);
            checkSets(sorter, rows(order, 7, 700), rows(order, 7, 0), 0, 0);
        }
    }

    @ParameterizedTest
    @MethodSource("few")
    void runsOfEqualElements(RecordCase order) {
        int tile = tile(order);
        try (GpuSorter sorter = sorter(order)) {
            checkRuns(sorter, rows(order, 3000, 2 * tile + 1), 1, 0, Integer.BYTES);
            checkRuns(sorter, rows(order, 7, 2 * tile), 0, 3, Long.BYTES);
            checkRuns(sorter, rows(order, 1, tile + 1), 2, 0, Long.BYTES);
            checkRuns(sorter, rows(order, 1, 1), 0, 0, Integer.BYTES);
            checkRuns(sorter, rows(order, 1, 0), 0, 0, Integer.BYTES);
        }
    }

    @ParameterizedTest
    @MethodSource("few")
    void boundsOfQueries(RecordCase order) {
        try (GpuSorter sorter = sorter(order)) {
            SortedRows keys = rows(order, 3000, 5000);
            SortedRows unsorted = SortedRows.unsorted(order, pool(order, 5000, new Random(1)), 3000, new Random(2));
            checkBounds(sorter, keys, unsorted, Long.MAX_VALUE, Integer.BYTES);
            checkBounds(sorter, keys, unsorted, 1, Long.BYTES);
            checkBounds(sorter, keys, rows(order, 3000, 4000), 1, Integer.BYTES);
            checkBounds(sorter, rows(order, 7, 5000), rows(order, 7, 100), Long.MAX_VALUE, Long.BYTES);
            checkBounds(sorter, rows(order, 7, 0), rows(order, 7, 100), 1, Integer.BYTES);
            checkBounds(sorter, rows(order, 7, 10), rows(order, 7, 0), 1, Integer.BYTES);
        }
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @MethodSource("others")
    void everyKindOfElements(RecordCase order) {
        checkEverything(order, POOLS);
    }

    /// Checks all operations on a few tiles.
    ///
    /// @param pools from how many different elements inputs are drawn
    static void checkEverything(RecordCase order, int... pools) {
        int tile = tile(order);
        try (GpuSorter sorter = sorter(order)) {
            for (int pool : pools) {
                SortedRows rows = rows(order, pool, tile);
                SortedRows others = rows(order, pool, tile / 2 + 3);
                checkMerge(sorter, List.of(others, rows, rows(order, 7, 5)), 2);
                checkSets(sorter, rows, others, 2, 0);
                checkRuns(sorter, rows(order, pool, 2 * tile - 1), 2, 1, Integer.BYTES);
                SortedRows queries = SortedRows.unsorted(order, pool(order, pool, new Random(3)), 2500, new Random(2));
                checkBounds(sorter, rows, queries, Long.MAX_VALUE, Integer.BYTES);
                checkBounds(sorter, rows, queries, 1, Long.BYTES);
            }
        }
    }

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
            Target target = new Target(device, bytes, firsts.length);
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
    @MethodSource("few")
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
            Target target = new Target(device, bytes, all.count());
            long[] to = target.addresses();
            operations.merge(new long[][] {from, others}, new long[] {first.count(), second.count()}, bytes, to);
            int[] rows = new int[all.count()];
            target.memory.get(1).slice(0, 4L * rows.length).copyTo(MemorySegment.ofArray(rows));
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
            Target target = new Target(device, new int[] {4, 4}, 0);
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
