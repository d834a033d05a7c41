package io.samplesort.spark.plan;

import io.samplesort.spark.rows.RowMetrics;
import java.io.Serializable;
import java.util.HashMap;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import scala.collection.immutable.Map;
import scala.jdk.javaapi.CollectionConverters;

/// What Spark's user interface shows about a sort: for each node the sum over all tasks, and the least, median and
/// greatest of them.
///
/// @param rows       how many rows were sorted
/// @param bytes      the size of these rows in Spark's layout
/// @param sortTime   the time in which keys were taken out and the order was found
/// @param deviceTime the part of this in which the rows were sorted on a GPU
/// @param peakMemory the most memory that Spark has granted
/// @param spill      the size of temporary files
record SortMetrics(
        SQLMetric rows,
        SQLMetric bytes,
        SQLMetric sortTime,
        SQLMetric deviceTime,
        SQLMetric peakMemory,
        SQLMetric spill)
        implements Serializable {
    private static final long serialVersionUID = 1;

    static SortMetrics create(SparkContext spark) {
        return new SortMetrics(
                SQLMetrics.createMetric(spark, "sorted rows"),
                size(spark, "size of sorted rows"),
                time(spark, "sort time"),
                time(spark, "sort time on GPUs"),
                size(spark, "peak memory"),
                size(spark, "spill size"));
    }

    private static SQLMetric size(SparkContext spark, String name) {
        return SQLMetrics.createSizeMetric(spark, name, SQLMetrics.createSizeMetric$default$3());
    }

    private static SQLMetric time(SparkContext spark, String name) {
        return SQLMetrics.createNanoTimingMetric(spark, name, SQLMetrics.createNanoTimingMetric$default$3());
    }

    /// Returns the metrics by the names under which programs find them. Metrics that Spark's own sort has, too, have
    /// the same names there.
    Map<String, SQLMetric> byName() {
        java.util.Map<String, SQLMetric> names = new HashMap<>();
        names.put("sortedRows", rows);
        names.put("sortedBytes", bytes);
        names.put("sortTime", sortTime);
        names.put("deviceTime", deviceTime);
        names.put("peakMemory", peakMemory);
        names.put("spillSize", spill);
        return scala.collection.immutable.Map.from(CollectionConverters.asScala(names));
    }

    /// Returns an object that adds the figures of one partition.
    RowMetrics ofPartition() {
        return new RowMetrics() {
            private long peak;

            @Override
            public void sorted(long count, long size, long nanos, long waited, boolean isOnGpu) {
                rows.add(count);
                bytes.add(size);
                sortTime.add(nanos);
                if (isOnGpu) {
                    deviceTime.add(nanos);
                }
            }

            @Override
            public void spilled(long size) {
                spill.add(size);
            }

            @Override
            public void peakMemory(long size) {
                peakMemory.add(size - peak);
                peak = size;
            }
        };
    }
}
