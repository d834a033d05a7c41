package io.samplesort;

import io.samplesort.columns.RowMemory;
import io.samplesort.columns.RowSort;
import io.samplesort.cpu.Parallel;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.SortReport;
import io.samplesort.types.SortReportBuilder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/// Finds the order of rows that have several key columns, as `ORDER BY a, b DESC NULLS LAST, c` does.
/// [SorterBuilder#buildColumns] makes one. All sorts are stable: rows whose keys are equal come in the order of their
/// indexes, so the result is the same on every device.
///
/// The columns' values are joined to numbers of 64 bits, as narrow as the values allow, which the [Sorter] of the
/// device sorts. This takes 8 bytes of heap for each row beside the permutation, and up to 20 more for each row that is
/// equal to another one in the first bits of its key.
///
/// A sorter sorts for one thread at a time. Any number of sorters may work at once.
public final class ColumnSorter implements AutoCloseable {
    private final Sorter words;
    private final int threads;
    private final RowMemory memory = new RowMemory();
    private final OneUser user = new OneUser();

    /// @param words for longs in natural order; this sorter closes it
    ColumnSorter(Sorter words, int cpuThreads) {
        this.words = words;
        this.threads = Math.min(cpuThreads, Parallel.commonParallelism());
    }

    /// Returns the order of the rows: the index of the row that comes first, second and so on.
    ///
    /// @param columns the most important first, each with as many rows
    /// @throws IllegalArgumentException if there is no column, the columns have different numbers of rows, or there are
    ///     2^31 - 8 rows or more
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public int[] argsort(KeyColumn... columns) {
        List<KeyColumn> given = List.of(columns);
        int count = checkedCount(given);
        return user.exclusively(() -> order(count, given));
    }

    /// Finds the order of the rows, as [#argsort(KeyColumn...)] does, and writes it to `permutation`.
    ///
    /// @param permutation room for one `int` or one `long` for each row
    /// @throws IllegalArgumentException as by [#argsort(KeyColumn...)], or if the permutation is misaligned, is
    ///     read-only or has another size
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport argsort(MemorySegment permutation, KeyColumn... columns) {
        long start = System.nanoTime();
        List<KeyColumn> given = List.of(columns);
        int count = checkedCount(given);
        MemorySegment checked =
                Segments.check("permutation", permutation, Segments.indexType(permutation.byteSize(), count));
        return user.exclusively(() -> {
            int[] rows = order(count, given);
            if (checked.byteSize() == (long) Integer.BYTES * count) {
                MemorySegment.copy(rows, 0, checked, ValueLayout.JAVA_INT, 0, count);
            } else {
                for (int i = 0; i < count; i++) {
                    checked.set(ValueLayout.JAVA_LONG, (long) Long.BYTES * i, rows[i]);
                }
            }
            return report(start, count);
        });
    }

    private int[] order(int count, List<KeyColumn> columns) {
        List<KeyColumn> shared = columns.stream()
                .map(column -> column.in(Segments::forAllThreads))
                .toList();
        return new RowSort(count, threads, memory, words::sort).sort(shared);
    }

    SortReport report(long start, long count) {
        return new SortReportBuilder("columns")
                .elementCount(count)
                .total(Duration.ofNanos(System.nanoTime() - start))
                .build();
    }

    private static int checkedCount(List<KeyColumn> columns) {
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("there is no key column: give at least one");
        }
        long[] counts = columns.stream().mapToLong(KeyColumn::count).toArray();
        if (Arrays.stream(counts).anyMatch(count -> count != counts[0])) {
            throw new IllegalArgumentException(
                    "the key columns have " + Arrays.toString(counts) + " rows: all must have as many");
        }
        if (counts[0] > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException(
                    counts[0] + " rows: key columns of at most " + (Integer.MAX_VALUE - 8) + " rows can be sorted");
        }
        return (int) counts[0];
    }

    int threads() {
        return threads;
    }

    /// Gives back host memory that is kept for the next sort, if it is more than `keptBytes`.
    void release(long keptBytes) {
        memory.release(keptBytes);
        words.release(keptBytes);
    }

    /// Gives everything back. A second call does nothing.
    ///
    /// @throws IllegalStateException if a sort is under way
    @Override
    public void close() {
        user.close(() -> {
            memory.release(-1);
            words.close();
        });
    }
}
