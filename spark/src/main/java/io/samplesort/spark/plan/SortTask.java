package io.samplesort.spark.plan;

import io.samplesort.spark.rows.RowOrder;
import io.samplesort.spark.rows.SortRows;
import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/// Sorts the rows of a partition in a task.
final class SortTask extends AbstractFunction1<Iterator<InternalRow>, Iterator<InternalRow>> implements Serializable {
    private static final long serialVersionUID = 1;

    private final RowOrder order;
    private final SortMetrics metrics;

    SortTask(RowOrder order, SortMetrics metrics) {
        this.order = order;
        this.metrics = metrics;
    }

    @Override
    public Iterator<InternalRow> apply(Iterator<InternalRow> rows) {
        if (!rows.hasNext()) {
            return rows;
        }
        return CollectionConverters.asScala(
                SortRows.sorted(CollectionConverters.asJava(rows), order, TaskContext.get(), metrics.ofPartition()));
    }
}
