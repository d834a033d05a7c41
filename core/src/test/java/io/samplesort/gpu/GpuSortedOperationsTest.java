package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ContractTypes;
import io.samplesort.DeviceMemory;
import io.samplesort.RecordCase;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.memory.SetOperation;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Operations on sorted elements in device memory, compared with what they give the slow way.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuSortedOperationsTest {
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

    static GpuSorter sorter(RecordCase order) {
        return sorter(order, Long.MAX_VALUE);
    }

    static GpuSorter sorter(RecordCase order, long memoryLimit) {
        GpuSortSpec spec = new GpuSortSpec(order.type(), List.of(), order.order(), true);
        return new GpuSorter(0, spec, new GpuSortOptions(defaults -> GpuContractTest.TINY, memoryLimit, true, null));
    }

    static int tile(RecordCase order) {
        return KernelConstants.SORTED_THREADS
                * SharedMemory.sortedItems(order.type().byteSize());
    }

    static MemorySegment pool(RecordCase order, int count, Random random) {
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

    static SortedRows rows(RecordCase order, int pool, int count) {
        Random random = new Random(count);
        return SortedRows.of(order, pool(order, pool, new Random(pool)), count, random);
    }

    static long[] addresses(List<DeviceMemory> memory) {
        return memory.stream().mapToLong(DeviceMemory::address).toArray();
    }

    static List<DeviceMemory> columns(ColumnsOnDevice device, SortedRows rows, int payloads, int first) {
        return IntStream.rangeClosed(0, payloads)
                .mapToObj(c -> device.copy(rows.column(c, first)))
                .toList();
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
            SortedTarget target = new SortedTarget(device, bytes, all.count());
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
                SortedTarget target = new SortedTarget(device, bytes, Math.max(0, rows.length - lacking));
                long count = sorter.sortedOperations()
                        .combine(
                                operation,
                                addresses(columns(device, first, payloads, 0)),
                                first.count(),
                                addresses(columns(device, second, secondPayloads, first.count())),
                                second.count(),
                                bytes,
                                target.addresses(),
                                target.room());
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
            SortedTarget target = new SortedTarget(device, bytes, room);
            assertThat(operations.unique(columns, bytes, rows.count(), target.addresses(), room))
                    .as(what)
                    .isEqualTo(firsts.length);
            target.check(what, rows, firsts);
            SortedTarget counted = new SortedTarget(device, new int[] {bytes[0], numberBytes}, room);
            long[] to = counted.addresses();
            assertThat(operations.counts(columns[0], rows.count(), to[0], room, to[1], numberBytes))
                    .as(what)
                    .isEqualTo(firsts.length);
            counted.check(what, 0, RecordCase.gathered(rows.elements(), bytes[0], firsts), room);
            counted.checkNumbers(what + ", counts", 1, counts);
            SortedTarget grouped =
                    new SortedTarget(device, new int[] {numberBytes}, Math.max(0, offsets.length - lacking));
            assertThat(operations.groups(columns[0], rows.count(), grouped.addresses()[0], numberBytes, grouped.room()))
                    .as(what)
                    .isEqualTo(firsts.length);
            grouped.checkNumbers(what + ", offsets", 0, offsets);
        }
    }

    static void checkBounds(GpuSorter sorter, SortedRows rows, SortedRows queries, long fewestSorted, int bytes) {
        for (boolean isUpper : new boolean[] {false, true}) {
            long[] bounds = IntStream.range(0, queries.count())
                    .mapToLong(q -> rows.bound(queries, q, isUpper))
                    .toArray();
            try (ColumnsOnDevice device = new ColumnsOnDevice()) {
                SortedTarget target = new SortedTarget(device, new int[] {bytes}, queries.count());
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
}
