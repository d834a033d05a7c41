package io.samplesort.spark.rows;

import io.samplesort.ColumnSorter;
import io.samplesort.SorterBuilder;
import io.samplesort.spark.task.TaskDevice;
import io.samplesort.spark.task.TaskMemory;
import io.samplesort.spark.task.TaskSorter;
import io.samplesort.types.KeyColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.types.DecimalType;

/// Sorts the rows of a task. As long as Spark grants the memory, rows stay where they are, their keys go into columns,
/// and the library finds the order of these. If Spark does not, the rows so far are sorted and written to a temporary
/// file, and all such runs are merged in the end. Rows with equal keys keep the order of their blocks' origins.
///
/// Only one thread may use it.
final class RowSorter {
    /// Bytes for each row: its place, its number, and two words that the library takes while it sorts.
    private static final int BYTES_OF_ROW = 8 + 4 + 16;

    private final RowOrder order;
    private final TaskContext task;
    private final RowMetrics metrics;
    private final TaskSorter<ColumnSorter> sorters;
    private final TaskMemory memory;
    private final RunFiles files;
    private final List<FileRun> runs = new ArrayList<>();
    private final RowTable table = new RowTable();
    private final int keyBytes;
    private final boolean hasStrings;
    private long peak;
    /// Whether the table must stay as it is.
    private boolean isSorting;

    /// The run of the last rows; null until they are in order.
    private MemoryRun last;

    RowSorter(RowOrder order, TaskContext task, SparkConf settings, RowMetrics metrics) {
        this.order = order;
        this.task = task;
        this.metrics = metrics;
        this.sorters = new TaskSorter<>(
                "sort of key columns", SorterBuilder::buildColumns, TaskDevice.of(task, settings), settings);
        this.memory = new TaskMemory(task, this::spillForOthers);
        this.files = new RunFiles(order.type().length(), task, settings);
        int bytes = 0;
        boolean strings = false;
        for (KeyBuffer buffer : buffers(0)) {
            bytes += buffer.field().type() instanceof DecimalType ? 2 * Long.BYTES : Long.BYTES;
            strings |= buffer instanceof StringKeys;
        }
        this.keyBytes = bytes;
        this.hasStrings = strings;
    }

    private List<KeyBuffer> buffers(int rows) {
        return order.keys().stream()
                .flatMap(key -> KeyBuffer.of(KeyField.of(key), rows).stream())
                .toList();
    }

    /// Adds a block, which belongs to this sorter from now on.
    ///
    /// @throws IOException           if memory is short and a file cannot be written
    /// @throws IllegalStateException if Spark does not even grant the memory for this block
    void add(RowBlock block) throws IOException, InterruptedException {
        // Strings of keys are copied, and rows may consist of nothing else.
        long bytes = (hasStrings ? 2L : 1L) * block.size() + (long) block.count() * (BYTES_OF_ROW + keyBytes);
        if (!table.hasRoomFor(block)) {
            spillTable();
        }
        if (!memory.take(bytes)) {
            spillTable();
            if (!memory.take(bytes)) {
                throw new IllegalStateException("Spark does not grant this task " + bytes
                        + " bytes of memory for the next " + block.count() + " rows: run fewer tasks at a time in an"
                        + " executor (spark.executor.cores), or give executors more memory (spark.executor.memory)");
            }
        }
        if (memory.getUsed() > peak) {
            peak = memory.getUsed();
            metrics.peakMemory(peak);
        }
        table.add(block);
    }

    /// Returns all rows in order.
    RowRun sorted() throws IOException, InterruptedException {
        task.killTaskIfInterrupted();
        last = sortTable();
        if (runs.isEmpty()) {
            return last;
        }
        List<RowRun> all = new ArrayList<>(runs);
        all.add(last);
        return new RowMerge(all, order);
    }

    /// Gives the memory back. The rows must not be used any more.
    void close() {
        memory.giveBack(memory.getUsed());
    }

    private MemoryRun sortTable() throws InterruptedException {
        long begin = System.nanoTime();
        long waited = sorters.waitedNanos();
        isSorting = true;
        List<KeyBuffer> buffers = buffers(table.count());
        table.takeKeys(buffers, order.type().length());
        KeyColumn[] columns =
                buffers.stream().flatMap(buffer -> buffer.columns().stream()).toArray(KeyColumn[]::new);
        // Structs without fields are all equal.
        if (columns.length > 0) {
            table.order(sorters.use(table.count(), sorter -> sorter.argsort(columns)));
        }
        isSorting = false;
        metrics.sorted(
                table.count(),
                table.bytes(),
                System.nanoTime() - begin,
                sorters.waitedNanos() - waited,
                sorters.usesGpu(table.count()));
        return new MemoryRun(table, order.type().length());
    }

    private void spillTable() throws IOException, InterruptedException {
        if (table.isEmpty()) {
            return;
        }
        FileRun run = files.write(sortTable());
        runs.add(run);
        wasSpilled(run.bytes());
    }

    private long wasSpilled(long bytes) {
        table.clear();
        long freed = memory.getUsed();
        memory.giveBack(freed);
        task.taskMetrics().incMemoryBytesSpilled(freed);
        task.taskMetrics().incDiskBytesSpilled(bytes);
        metrics.spilled(bytes);
        return freed;
    }

    /// Makes room for another part of the task that asks Spark for memory while rows are added or read.
    private long spillForOthers() throws IOException {
        if (isSorting || table.isEmpty()) {
            return 0;
        }
        if (last != null) {
            return wasSpilled(last.spill(files));
        }
        long before = memory.getUsed();
        try {
            spillTable();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            task.killTaskIfInterrupted();
            return 0;
        }
        return before;
    }
}
