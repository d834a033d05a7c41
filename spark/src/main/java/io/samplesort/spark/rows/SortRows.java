package io.samplesort.spark.rows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/// Sorts the rows of a partition, in a task of Spark's. Rows with equal keys keep their order.
public final class SortRows implements FlatMapFunction<Iterator<InternalRow>, InternalRow> {
    private static final long serialVersionUID = 1;

    private static final int FIRST_BLOCK_BYTES = 1 << 14;
    private static final int BLOCK_BYTES = 1 << 20;

    private final RowOrder order;

    /// @param order the order of the rows
    public SortRows(RowOrder order) {
        this.order = order;
    }

    @Override
    public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
        return sorted(rows, order, TaskContext.get(), RowMetrics.NONE);
    }

    /// Returns copies of the rows in order, all in the same object, as Spark's own operators do.
    ///
    /// @param rows in objects of any kind, which may be the same object each time
    /// @throws IllegalStateException if Spark grants this task hardly any memory
    public static Iterator<InternalRow> sorted(
            Iterator<InternalRow> rows, RowOrder order, TaskContext task, RowMetrics metrics) {
        SparkConf settings = SparkEnv.get().conf();
        RowBlockBuilder builder = new RowBlockBuilder(FIRST_BLOCK_BYTES, BLOCK_BYTES);
        return inOrder(order, task, settings, metrics, sorter -> {
            int number = 0;
            // Making it takes a while, and rows of Spark's own operators never need it.
            UnsafeProjection projection = null;
            while (rows.hasNext()) {
                InternalRow next = rows.next();
                if (projection == null && !(next instanceof UnsafeRow)) {
                    projection = UnsafeProjection.create(order.type());
                }
                UnsafeRow row = next instanceof UnsafeRow unsafe ? unsafe : projection.apply(next);
                if (!builder.hasRoomFor(row)) {
                    sorter.add(builder.finish(number++));
                    task.killTaskIfInterrupted();
                }
                builder.add(row);
            }
            if (!builder.isEmpty()) {
                sorter.add(builder.finish(number));
            }
        });
    }

    /// Returns the rows of blocks in order. Those with equal keys come in the order of the origins of their blocks.
    ///
    /// @param blocks in any order; they belong to the sort from now on
    public static Iterator<InternalRow> sortedBlocks(
            Iterator<RowBlock> blocks, RowOrder order, TaskContext task, RowMetrics metrics) {
        return inOrder(order, task, SparkEnv.get().conf(), metrics, sorter -> {
            while (blocks.hasNext()) {
                sorter.add(blocks.next());
                task.killTaskIfInterrupted();
            }
        });
    }

    private interface Filling {
        void fill(RowSorter sorter) throws IOException, InterruptedException;
    }

    private static Iterator<InternalRow> inOrder(
            RowOrder order, TaskContext task, SparkConf settings, RowMetrics metrics, Filling filling) {
        RowSorter sorter = new RowSorter(order, task, settings, metrics);
        try {
            filling.fill(sorter);
            return new Rows(sorter, sorter.sorted());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            task.killTaskIfInterrupted();
            throw new IllegalStateException("the sort of a partition was interrupted", e);
        }
    }

    private static final class Rows implements Iterator<InternalRow> {
        private final RowSorter sorter;
        private final RowRun run;
        private boolean isAdvanced;
        private boolean isAtEnd;

        Rows(RowSorter sorter, RowRun run) {
            this.sorter = sorter;
            this.run = run;
        }

        @Override
        public boolean hasNext() {
            if (!isAdvanced && !isAtEnd) {
                try {
                    isAdvanced = run.advance();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                if (!isAdvanced) {
                    isAtEnd = true;
                    sorter.close();
                }
            }
            return isAdvanced;
        }

        @Override
        public InternalRow next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the partition has no more rows");
            }
            isAdvanced = false;
            return run.row();
        }
    }
}
