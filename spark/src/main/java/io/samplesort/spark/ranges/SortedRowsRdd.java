package io.samplesort.spark.ranges;

import io.samplesort.spark.rows.RowBlock;
import io.samplesort.spark.rows.RowMetrics;
import io.samplesort.spark.rows.RowOrder;
import io.samplesort.spark.rows.SortRows;
import io.samplesort.spark.shuffle.Tags;
import io.samplesort.spark.task.SortTimes;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.DeterministicLevel;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Enumeration;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/// The result: each partition sorts the blocks of rows that the shuffle has brought it.
final class SortedRowsRdd extends RDD<InternalRow> {
    private static final long serialVersionUID = 1;

    private final RowOrder order;
    private final boolean isDeterminate;
    private final SortTimes times;

    /// @param isDeterminate whether repeated tasks find the rows of the input in the same order again
    SortedRowsRdd(RDD<Tuple2<Object, RowBlock>> blocks, RowOrder order, boolean isDeterminate) {
        super(blocks, Tags.any());
        this.order = order;
        this.isDeterminate = isDeterminate;
        this.times = SortTimes.create(blocks.context());
    }

    private RDD<Tuple2<Object, RowBlock>> blocks() {
        return firstParent(Tags.any());
    }

    @Override
    public Partition[] getPartitions() {
        return blocks().partitions();
    }

    /// Blocks arrive in any order, and the sort brings them back into that of the input.
    @Override
    public Enumeration.Value getOutputDeterministicLevel() {
        return isDeterminate ? DeterministicLevel.DETERMINATE() : blocks().outputDeterministicLevel();
    }

    @Override
    public scala.collection.Iterator<InternalRow> compute(Partition split, TaskContext task) {
        RowMetrics metrics = new RowMetrics() {
            @Override
            public void sorted(long rows, long bytes, long nanos, long waited, boolean isOnGpu) {
                times.sorted(nanos, waited, isOnGpu);
            }
        };
        return CollectionConverters.asScala(SortRows.sortedBlocks(
                CollectionConverters.asJava(blocks().iterator(split, task).map(Tuple2::_2)), order, task, metrics));
    }
}
