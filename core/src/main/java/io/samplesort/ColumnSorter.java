package io.samplesort;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.records.Permutation;
import io.samplesort.cpu.select.RowSelection;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.gpu.GpuColumnSorter;
import io.samplesort.gpu.rows.DeviceColumn;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.rows.ColumnSelection;
import io.samplesort.rows.RowMemory;
import io.samplesort.rows.RowSort;
import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.SortListener;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds the order of rows that have several key columns, as `ORDER BY a, b DESC NULLS LAST, c` does.
/// [SorterBuilder#buildColumns] makes one. All sorts are stable: rows whose keys are equal come in the order of their
/// indexes, so the result is the same on every device.
///
/// The values of the columns are narrowed to as few bits as they need and joined to numbers of 64 bits, which a
/// [Sorter] on the device sorts. Rows that are still equal are sorted by their strings of any length, if there are any,
/// by a [StringSorter] on the device. A sort takes 8 bytes of heap for each row in addition to the permutation and to
/// what these sorters take. For each row whose first bits are equal to those of another row, it takes up to 20 bytes
/// more. Strings are sorted where they lie only if their column comes first, has no nulls, and all its rows are sorted
/// by it; otherwise they are copied, which takes their bytes and 8 bytes for each.
///
/// A sorter sorts for one thread at a time. Any number of sorters may work at once.
public final class ColumnSorter implements AutoCloseable {
    /// Bytes of heap that a sort takes for each row: its index and a word of key bits, and as much again where rows are
    /// tied.
    private static final long BYTES_OF_ROW = 24;

    private final Sorter words;
    private final Function<StringOrder, StringSorter> stringSorters;
    /// Made when they are first needed.
    private final Map<StringOrder, StringSorter> strings = new HashMap<>();

    private final ColumnEngine engine;
    private final int threads;
    private final RowMemory memory = new RowMemory();
    private final OneUser user;

    /// @param words         for longs in natural order; this sorter closes it
    /// @param stringSorters makes sorters of strings, which this sorter closes
    /// @param engine        for device memory; this sorter closes it
    /// @param listener      watches the sorts; null for none
    ColumnSorter(
            Sorter words,
            Function<StringOrder, StringSorter> stringSorters,
            ColumnEngine engine,
            int cpuThreads,
            @Nullable SortListener listener) {
        this.user = new OneUser(listener);
        this.words = words;
        this.stringSorters = stringSorters;
        this.engine = engine;
        this.threads = Math.min(cpuThreads, Parallel.commonParallelism());
    }

    /// Returns the order of the rows: the index of the row that comes first, second and so on.
    ///
    /// @param columns the most important first, all with the same number of rows
    /// @throws IllegalArgumentException if there is no column, the columns have different numbers of rows, or there are
    ///     2^31 - 8 rows or more
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the named GPU has too little free memory
    public int[] argsort(KeyColumn... columns) {
        return order(List.of(columns)).rows;
    }

    /// Finds the order of the rows, as [#argsort(KeyColumn...)] does, and writes it to `permutation`.
    ///
    /// @param columns     the most important first, all with the same number of rows
    /// @param permutation room for one `int` or one `long` for each row
    /// @throws IllegalArgumentException as by [#argsort(KeyColumn...)], or if the permutation is read-only,
    ///     has another size or overlaps a column
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the named GPU has too little free memory
    public SortReport argsort(List<KeyColumn> columns, MemorySegment permutation) {
        int count = checkedCount(columns);
        ElementType index = Segments.indexType(permutation.byteSize(), count);
        MemorySegment checked = Segments.check("permutation", permutation, index);
        for (KeyColumn column : columns) {
            memory(column).forEach(part -> Segments.checkApart("permutation", checked, "a key column", part));
        }
        Ordered ordered = order(columns);
        if (index.equals(ElementType.INT)) {
            MemorySegment.copy(ordered.rows, 0, checked, ValueLayout.JAVA_INT_UNALIGNED, 0, count);
        } else {
            for (int i = 0; i < count; i++) {
                checked.set(ValueLayout.JAVA_LONG_UNALIGNED, (long) Long.BYTES * i, ordered.rows[i]);
            }
        }
        return ordered.report;
    }

    /// Returns the `k` rows that come first, in order, without sorting the others; all rows if there are no more. Of
    /// equal rows, the one with the smaller index comes first. Columns in host memory are read on the CPU, the first
    /// one as a whole and the others only where rows are tied; then the `k` rows are sorted by all columns. If more
    /// than a quarter of the rows is wanted, all are sorted.
    ///
    /// @param k       not negative
    /// @param columns the most important first, all with the same number of rows
    /// @throws IllegalArgumentException if `k` is negative, or as by [#argsort(KeyColumn...)]
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the named GPU has too little free memory
    public int[] argfirst(int k, KeyColumn... columns) {
        return argselect(k, false, List.of(columns));
    }

    /// Returns the `k` rows that come last, in order, as [#argfirst] does, so that the very last one is at the end. Of
    /// equal rows, the one with the greater index comes last.
    public int[] arglast(int k, KeyColumn... columns) {
        return argselect(k, true, List.of(columns));
    }

    private int[] argselect(int k, boolean isLast, List<KeyColumn> columns) {
        int count = checkedCount(columns);
        Ranks ranks = Ranks.of(count, k, isLast);
        if (!RowSelection.isWorthwhile(count, ranks.count())) {
            return Arrays.copyOfRange(order(columns).rows, (int) ranks.from(), (int) ranks.to());
        }
        int wanted = (int) ranks.count();
        return user.reading(
                count,
                () -> HeapArrays.told("a selection of " + wanted + " rows", BYTES_OF_ROW * count, () -> {
                    List<KeyColumn> shared =
                            columns.stream().map(ColumnSorter::shared).toList();
                    int readers = readers(shared);
                    int[] rows =
                            wanted == 0 ? new int[0] : ColumnSelection.rows(shared, count, wanted, isLast, readers);
                    int[] sorted = new RowSort(rows.length, readers, memory, new Reports()).sort(shared, rows);
                    int from = isLast ? sorted.length - wanted : 0;
                    return Arrays.copyOfRange(sorted, from, from + wanted);
                }));
    }

    /// Finds the order of rows whose columns are in device memory, as [#argsort(KeyColumn...)] does, and leaves the
    /// columns as they are. Keys are sorted as 64-bit words if they have no strings of any length and need at most 64
    /// bits when narrowed to the values that the columns hold. Other keys are encoded as strings of bytes and sorted as
    /// such.
    ///
    /// In addition to the columns and the permutation, the sort of words takes 8 bytes for each row and what a stable
    /// argsort of longs takes. The sort of strings takes the encoded keys, 4 or 8 bytes for each row and what an
    /// argsort of strings takes.
    ///
    /// @param columns     the most important first, all with the same number of rows
    /// @param permutation room for as many ints or longs as there are rows, in the memory of the same GPU
    /// @throws IllegalArgumentException if there is no column, the columns have different numbers of rows, the
    ///     permutation has another size or is memory of a column, memory is of two GPUs, or offsets of strings decrease
    ///     or lie beyond the bytes; in these cases the permutation is unchanged
    /// @throws IllegalStateException    if memory is closed, or this sorter is for the CPU, is closed, or is sorting
    ///     already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport argsort(List<DeviceKeyColumn> columns, DeviceMemory permutation) {
        long count = commonCount(columns.stream().mapToLong(DeviceKeyColumn::count));
        int indexBytes = DeviceChecks.indexBytes("permutation", permutation, count, "rows");
        return onDevice(
                columns,
                "permutation",
                permutation,
                (gpu, checked) -> gpu.argsortOnDevice(checked, permutation.address(), indexBytes));
    }

    /// Writes the indexes of the `k` rows that come first, in the order of these, of columns in device memory, and
    /// waits until that is done. Of equal rows, the one with the smaller index comes first.
    ///
    /// Keys that [#argsort(List, DeviceMemory)] sorts as 64-bit words are filtered: for a small `k` this takes about as
    /// long as reading the columns and the words, and 8 bytes of device memory for each row. All others take as long as
    /// that sort, and 4 or 8 bytes for each row in addition to its memory.
    ///
    /// @param k       not negative
    /// @param columns the most important first, all with the same number of rows
    /// @param indexes room for `k` ints or longs on the same GPU; if there are fewer rows, the rest stays as it is
    /// @throws IllegalArgumentException if `k` is negative, the room has another size, or as by
    ///     [#argsort(List, DeviceMemory)]; nothing is changed in these cases
    /// @throws IllegalStateException    if memory is closed, or this sorter is for the CPU, is closed, or is sorting
    ///     already
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport argfirst(long k, List<DeviceKeyColumn> columns, DeviceMemory indexes) {
        return argselect(k, false, columns, indexes);
    }

    /// Writes the indexes of the `k` rows in device memory that come last, in the order of these, as
    /// [#argfirst(long, List, DeviceMemory)] does, so that the very last one is at the end.
    public SortReport arglast(long k, List<DeviceKeyColumn> columns, DeviceMemory indexes) {
        return argselect(k, true, columns, indexes);
    }

    private SortReport argselect(long k, boolean isLast, List<DeviceKeyColumn> columns, DeviceMemory indexes) {
        Objects.requireNonNull(columns, "columns");
        columns.forEach(column -> Objects.requireNonNull(column, "a column"));
        long count = commonCount(columns.stream().mapToLong(DeviceKeyColumn::count));
        Ranks ranks = Ranks.of(count, k, isLast);
        int indexBytes = DeviceChecks.indexBytes("indexes", indexes, k, "wanted rows");
        return onDevice(
                columns,
                "indexes",
                indexes,
                (gpu, checked) ->
                        gpu.argselectOnDevice(checked, ranks.from(), ranks.to(), indexes.address(), indexBytes));
    }

    /// Calls the engine for columns and a target in device memory, once these have been checked.
    private SortReport onDevice(
            List<DeviceKeyColumn> columns,
            String what,
            DeviceMemory target,
            BiFunction<GpuColumnSorter, List<DeviceColumn>, SortReport> call) {
        DeviceMemory[] memory =
                columns.stream().flatMap(column -> column.memory().stream()).toArray(DeviceMemory[]::new);
        for (DeviceMemory part : memory) {
            DeviceChecks.checkApart(what, target, "a key column", part);
        }
        List<DeviceColumn> checked =
                columns.stream().map(DeviceKeyColumn::column).toList();
        long count = columns.getFirst().count();
        return user.reading(count, () -> call.apply(engine.gpuFor(target, memory), checked));
    }

    /// The order of rows, and how it was found.
    record Ordered(int[] rows, SortReport report) {}

    Ordered order(List<KeyColumn> columns) {
        long start = System.nanoTime();
        int count = checkedCount(columns);
        return user.reading(
                count,
                () -> HeapArrays.told("a sort of " + count + " rows", BYTES_OF_ROW * count, () -> {
                    List<KeyColumn> shared =
                            columns.stream().map(ColumnSorter::shared).toList();
                    Reports reports = new Reports();
                    int[] rows = new RowSort(count, readers(shared), memory, reports).sort(shared);
                    return new Ordered(rows, reports.sum(start, count));
                }));
    }

    /// Sorts words and strings, and adds up what that took.
    private final class Reports implements RowSort.Sorters {
        private final List<SortReport> reports = new ArrayList<>();

        @Override
        public void sort(MemorySegment segment) {
            reports.add(words.sort(segment));
        }

        @Override
        public int[] argsort(Strings rows, StringOrder order) {
            int[] permutation = new int[(int) rows.count()];
            reports.add(strings.computeIfAbsent(order, stringSorters).argsort(rows, permutation));
            return permutation;
        }

        SortReport sum(long start, int count) {
            Map<String, Duration> phases = new LinkedHashMap<>();
            SortReportBuilder sum = new SortReportBuilder(
                    reports.isEmpty()
                            ? CpuSorter.deviceName(1)
                            : reports.getFirst().device());
            long bytesMoved = 0;
            for (SortReport report : reports) {
                report.phases().forEach(phase -> phases.merge(phase.name(), phase.time(), Duration::plus));
                bytesMoved += report.bytesMoved();
                report.fallbackReason().ifPresent(sum::fallbackReason);
            }
            return sum.elementCount(count)
                    .passes(reports.stream().mapToInt(SortReport::passes).max().orElse(0))
                    .phases(phases.entrySet().stream()
                            .map(phase -> new SortReport.Phase(phase.getKey(), phase.getValue()))
                            .toList())
                    .total(Duration.ofNanos(System.nanoTime() - start))
                    .bytesMoved(bytesMoved)
                    .extraBytes(memory.bytes()
                            + reports.stream()
                                    .mapToLong(SortReport::extraBytes)
                                    .max()
                                    .orElse(0))
                    .build();
        }
    }

    /// Returns a copy of a column, of keys or of anything else, in the order of a permutation: row `permutation[i]`
    /// comes i-th, with its value and, if the column has a validity bitmap, its bit. With the permutation that
    /// [#argsort] of the keys has found, this brings all columns of a table into their order. The copy lies in an
    /// array, or, if it does not fit one, in native memory that is freed once the copy is no longer used.
    ///
    /// @throws IllegalArgumentException if the permutation has another length than the column, or is not valid: an
    ///     index is out of range or appears twice
    public static KeyColumn applyPermutation(int[] permutation, KeyColumn column) {
        if (permutation.length != column.count()) {
            throw new IllegalArgumentException("the permutation has " + permutation.length + " rows and the column "
                    + column.count() + ": both must have the same number of rows");
        }
        return new ColumnGather(new Permutation(MemorySegment.ofArray(permutation), Integer.BYTES), permutation)
                .gather(shared(column));
    }

    /// Brings a column in device memory, of keys or of anything else, into the order of a permutation, as
    /// [#applyPermutation(int[], KeyColumn)] does: row `permutation[i]` of the source comes i-th, with its value and,
    /// if the column has a validity bitmap, its bit. With the permutation that [#argsort(List, DeviceMemory)] of the
    /// keys has found, this brings all columns of a table into their order. Whether a column is reversed makes no
    /// difference.
    ///
    /// @param permutation an int or a long for each row, in the memory of the same GPU
    /// @param target      a column of the same kind in other memory of the same GPU, with as many rows, with room for
    ///     all bytes of strings, and with a validity bitmap if the source has one
    /// @throws IllegalArgumentException if source and target do not fit each other, they and the permutation share
    ///     memory or have memory of two GPUs, offsets of strings decrease or lie beyond the bytes, or the permutation
    ///     has another size or is not valid: an index is out of range or appears twice. In all these cases nothing is
    ///     changed.
    /// @throws IllegalStateException    if memory is closed, or this sorter is for the CPU, is closed, or is sorting
    ///     already
    public void applyPermutation(DeviceMemory permutation, DeviceKeyColumn source, DeviceKeyColumn target) {
        DeviceColumn from = source.column();
        DeviceColumn to = target.column();
        source.checkTarget(target);
        int indexBytes = DeviceChecks.indexBytes("permutation", permutation, from.count(), "rows");
        for (DeviceMemory written : target.memory()) {
            DeviceChecks.checkApart("permutation", permutation, "target", written);
        }
        DeviceMemory[] memory = Stream.concat(source.memory().stream(), target.memory().stream())
                .toArray(DeviceMemory[]::new);
        user.exclusively(() -> {
            engine.gpuFor(permutation, memory).gatherOnDevice(permutation.address(), indexBytes, from, to);
            return true;
        });
    }

    /// Returns all memory of a column.
    private static List<MemorySegment> memory(KeyColumn column) {
        List<MemorySegment> parts = new ArrayList<>();
        if (column.hasStrings()) {
            parts.addAll(List.of(column.strings().bytes(), column.strings().offsets()));
        } else {
            parts.add(column.values());
        }
        if (column.hasValidity()) {
            parts.add(column.validity());
        }
        return parts;
    }

    /// Returns the same column in memory that all threads may use.
    private static KeyColumn shared(KeyColumn column) {
        MemorySegment validity = column.hasValidity() ? Segments.forAllThreads(column.validity()) : null;
        if (!column.hasStrings()) {
            return column.withValues(Segments.forAllThreads(column.values()), validity);
        }
        Strings strings = column.strings();
        return column.withStrings(
                strings.in(Segments.forAllThreads(strings.bytes()), Segments.forAllThreads(strings.offsets())),
                validity);
    }

    /// Returns how many threads may read columns: this one alone if one of them stays confined to it.
    private int readers(List<KeyColumn> columns) {
        boolean areShared =
                columns.stream().allMatch(column -> memory(column).stream().allMatch(Parallel::isShared));
        return areShared ? threads : 1;
    }

    private static int checkedCount(List<KeyColumn> columns) {
        long count = commonCount(columns.stream().mapToLong(KeyColumn::count));
        if (count > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException(
                    count + " rows: key columns of at most " + (Integer.MAX_VALUE - 8) + " rows can be sorted");
        }
        return (int) count;
    }

    /// Returns how many rows each column has.
    private static long commonCount(LongStream ofColumns) {
        long[] counts = ofColumns.toArray();
        if (counts.length == 0) {
            throw new IllegalArgumentException("there is no key column: give at least one");
        }
        if (Arrays.stream(counts).anyMatch(count -> count != counts[0])) {
            throw new IllegalArgumentException(
                    "the key columns have " + Arrays.toString(counts) + " rows: all must have the same number of rows");
        }
        return counts[0];
    }

    int threads() {
        return threads;
    }

    /// Returns whether this sorter is for a GPU that was named.
    boolean isForGpu() {
        return engine.isForGpu();
    }

    /// Returns how many bytes of host memory the CPU engine keeps for the next sort.
    long keptBytes() {
        long bytes = memory.bytes() + words.keptBytes();
        for (StringSorter sorter : strings.values()) {
            bytes += sorter.keptBytes();
        }
        return bytes;
    }

    /// Gives everything back. A second call does nothing.
    ///
    /// @throws IllegalStateException if a sort is under way
    @Override
    public void close() {
        user.close(() -> {
            memory.release();
            words.close();
            strings.values().forEach(StringSorter::close);
            engine.close();
        });
    }
}
