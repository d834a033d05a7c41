package io.samplesort.spark.rows;

import io.samplesort.ColumnSorter;
import io.samplesort.SampleSort;
import io.samplesort.spark.task.TaskMemory;
import io.samplesort.types.KeyColumn;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/// Sorts the rows of a partition: takes the keys out of the rows into columns, finds their order, and returns the rows
/// in this order. Rows with equal keys keep their order.
public final class SortRows implements FlatMapFunction<Iterator<InternalRow>, InternalRow> {
    private static final long serialVersionUID = 1;

    private final StructType type;
    private final List<RowKey> keys;

    /// @param type of the rows
    /// @param keys the most important first
    public SortRows(StructType type, List<RowKey> keys) {
        this.type = type;
        this.keys = List.copyOf(keys);
    }

    /// Returns the rows in order, all in the same object, as Spark's own operators do.
    @Override
    public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
        if (!rows.hasNext()) {
            return Collections.emptyIterator();
        }
        TaskContext task = TaskContext.get();
        RowTable table = new RowTable(new TaskMemory(task));
        List<KeyBuffer> buffers = keys.stream().map(KeyBuffer::of).toList();
        UnsafeProjection projection = UnsafeProjection.create(type);
        while (rows.hasNext()) {
            InternalRow row = rows.next();
            table.add(row instanceof UnsafeRow unsafe ? unsafe : projection.apply(row));
            for (KeyBuffer buffer : buffers) {
                buffer.add(row);
            }
        }
        task.killTaskIfInterrupted();
        return new InOrder(table, order(buffers, task), type.length());
    }

    private static int[] order(List<KeyBuffer> buffers, TaskContext task) {
        KeyColumn[] columns =
                buffers.stream().flatMap(buffer -> buffer.columns().stream()).toArray(KeyColumn[]::new);
        try (ColumnSorter sorter = SampleSort.onCpu().cpuThreads(task.cpus()).buildColumns()) {
            return sorter.argsort(columns);
        }
    }

    private static final class InOrder implements Iterator<InternalRow> {
        private final RowTable table;
        private final int[] order;
        private final UnsafeRow row;
        private int next;

        InOrder(RowTable table, int[] order, int fields) {
            this.table = table;
            this.order = order;
            this.row = new UnsafeRow(fields);
        }

        @Override
        public boolean hasNext() {
            return next < order.length;
        }

        @Override
        public InternalRow next() {
            if (next == order.length) {
                throw new NoSuchElementException("the partition has no more rows");
            }
            table.get(order[next++], row);
            return row;
        }
    }
}
