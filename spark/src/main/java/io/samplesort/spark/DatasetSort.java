package io.samplesort.spark;

import io.samplesort.spark.rows.RowKey;
import io.samplesort.spark.rows.RowOrder;
import io.samplesort.spark.rows.SortRows;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.classic.SparkSession;

/// Sorts of rows, partition by partition, on Spark's own layout of them.
final class DatasetSort {
    private final Dataset<Row> rows;
    private final List<RowKey> keys;

    DatasetSort(Dataset<Row> rows, String... order) {
        if (order.length == 0) {
            throw new IllegalArgumentException(
                    "no column to sort by: name at least one, such as \"a desc nulls last\"");
        }
        this.rows = rows;
        this.keys = Arrays.stream(order)
                .map(text -> RowKey.parse(text, rows.schema()))
                .toList();
    }

    Dataset<Row> global() {
        return sorted(rows.repartitionByRange(keys.stream().map(RowKey::column).toArray(Column[]::new)));
    }

    Dataset<Row> withinPartitions() {
        return sorted(rows);
    }

    private Dataset<Row> sorted(Dataset<Row> parts) {
        if (!(parts.sparkSession() instanceof SparkSession session)) {
            throw new IllegalArgumentException(
                    "this Dataset belongs to Spark Connect, which runs no classes of the application: sort it on the"
                            + " driver of a classic session");
        }
        org.apache.spark.sql.classic.Dataset<Row> classic = (org.apache.spark.sql.classic.Dataset<Row>) parts;
        JavaRDD<InternalRow> internal = classic.queryExecution()
                .toRdd()
                .toJavaRDD()
                .mapPartitions(new SortRows(new RowOrder(parts.schema(), keys)));
        return session.internalCreateDataFrame(internal.rdd(), parts.schema(), false);
    }
}
