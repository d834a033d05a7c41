package io.samplesort.spark;

import io.samplesort.spark.blocks.BlockType;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/// Sorts Spark's RDDs and datasets, on the GPUs and the cores of its executors.
///
/// ```java
/// JavaRDD<long[]> sorted = SampleSortSpark.sort(blocks, BlockType.longs());
/// ```
public final class SampleSortSpark {
    private SampleSortSpark() {}

    /// Sorts the elements of all blocks, into as many partitions as the input has. See [BlockSort#sort].
    ///
    /// @param blocks arrays of any size; they stay as they are
    /// @param type   the type of their elements, and how these compare
    public static <B> JavaRDD<B> sort(JavaRDD<B> blocks, BlockType<B> type) {
        return BlockSort.of(type).sort(blocks);
    }

    /// Sorts rows by some of their columns, in the same order as `Dataset.sort`: nulls, NaN and -0.0 come where they
    /// come in Spark. Rows with equal keys keep the order of the input: that of its partitions, and of the rows in
    /// each.
    ///
    /// ```java
    /// Dataset<Row> sorted = SampleSortSpark.sort(trades, "symbol", "price desc nulls last");
    /// ```
    ///
    /// This starts a job, which draws a sample of the keys. If Spark adapts its plans, exchanges of the input run in
    /// this call, too; the rest runs when the result is used. A partition that does not fit in the memory that Spark
    /// grants its task is sorted in temporary files.
    ///
    /// @param order the most important column first, each as `name`, then `asc` or `desc`, then `nulls first` or `nulls
    ///     last`. Names are those of whole columns, in backticks if they need them. Upper and lower case are the same
    ///     unless the session tells them apart (`spark.sql.caseSensitive`). Values are numbers, dates, times,
    ///     intervals, decimals, booleans, strings, binaries, or structs of these.
    /// @throws IllegalArgumentException if a text cannot be read, names no column or several, or the column's values
    ///     cannot be compared
    public static Dataset<Row> sort(Dataset<Row> rows, String... order) {
        return new DatasetSort(rows, order).global();
    }

    /// Sorts the rows of each partition, as `Dataset.sortWithinPartitions` does. Rows with equal keys keep their order.
    ///
    /// @param order as for [#sort(Dataset, String...)]
    /// @throws IllegalArgumentException as by [#sort(Dataset, String...)]
    public static Dataset<Row> sortWithinPartitions(Dataset<Row> rows, String... order) {
        return new DatasetSort(rows, order).withinPartitions();
    }
}
