package io.samplesort.spark.ranges;

import io.samplesort.spark.rows.RowBlock;
import io.samplesort.spark.rows.RowOrder;
import io.samplesort.spark.shuffle.PieceSerializer;
import io.samplesort.spark.shuffle.RangeNumbers;
import io.samplesort.spark.shuffle.Tags;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.DeterministicLevel;
import org.apache.spark.rdd.ShuffledRDD;
import org.apache.spark.sql.catalyst.InternalRow;

/// Sorts rows across a cluster. A first job draws a sample of their keys, from which the driver chooses splitters. The
/// tasks of the second job copy each row to the block of the partition that it belongs to. Spark's shuffle exchanges
/// these blocks as they lie in memory, and each partition sorts its rows where they are.
///
/// @param order      the order of the rows
/// @param partitions the most partitions that the result will have
public record RangeSort(RowOrder order, int partitions) {
    /// How many keys are drawn for each partition of the result, if all partitions of the input are of the same size.
    private static final int OVERSAMPLING = 128;

    private static final int FEWEST_OF_INPUT = 16;

    /// A sample of all rows.
    public static final class Sample {
        private final List<KeySample> samples;

        private Sample(List<KeySample> samples) {
            this.samples = samples;
        }

        /// Returns how many rows the input has.
        public long count() {
            return samples.stream().mapToLong(KeySample::count).sum();
        }
    }

    /// Draws a sample of the keys of rows. This runs a job.
    ///
    /// @param rows       with at least the key columns
    /// @param orderOfAll of these rows, which may have fewer columns than those that are sorted
    public Sample sample(JavaRDD<InternalRow> rows, RowOrder orderOfAll) {
        int inputs = Math.max(1, rows.getNumPartitions());
        int size = (int) Math.min(
                Integer.MAX_VALUE / 2,
                Math.max(FEWEST_OF_INPUT, Math.ceilDiv((long) OVERSAMPLING * partitions, inputs)));
        return new Sample(rows.mapPartitionsWithIndex(new KeySample.Draw(orderOfAll, size), false)
                .collect());
    }

    /// Returns the sorted rows, which are evaluated when they are used. Rows with equal keys keep the order of the
    /// input: that of its partitions and of the rows in a partition.
    public JavaRDD<InternalRow> sort(JavaRDD<InternalRow> rows, Sample sample) {
        boolean isDeterminate = rows.rdd().outputDeterministicLevel().equals(DeterministicLevel.DETERMINATE());
        RowSplitters splitters = RowSplitters.choose(sample.samples, order, isDeterminate, partitions);
        Broadcast<RowSplitters> everywhere =
                JavaSparkContext.fromSparkContext(rows.context()).broadcast(splitters);
        DividedRdd divided = new DividedRdd(rows.rdd(), everywhere, partitions);
        divided.setName("rows divided into ranges");
        ShuffledRDD<Object, RowBlock, RowBlock> exchanged =
                new ShuffledRDD<>(divided, new RangeNumbers(partitions), Tags.any(), Tags.any(), Tags.any());
        exchanged.setSerializer(new PieceSerializer<>(new RowBlocks()));
        SortedRowsRdd sorted = new SortedRowsRdd(exchanged, order, isDeterminate);
        sorted.setName("sorted rows");
        return JavaRDD.fromRDD(sorted, Tags.any());
    }
}
