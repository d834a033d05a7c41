package io.samplesort.spark.exchange;

import io.samplesort.spark.blocks.BlockType;
import io.samplesort.spark.shuffle.PieceSerializer;
import io.samplesort.spark.shuffle.RangeNumbers;
import io.samplesort.spark.shuffle.Tags;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.ShuffledRDD;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/// Sorts blocks across a cluster in two steps. A first job turns the input into sorted runs, which stay where they are,
/// and samples them. The splitters from these samples then cut the runs into pieces for the partitions of the result,
/// which a shuffle exchanges, and each partition sorts its pieces. So the input is evaluated once.
///
/// @param type       what the blocks hold
/// @param partitions the number of partitions of the result
/// @param isStable   whether elements with equal keys keep the order of the input
/// @param runBytes   how large a run may become, unless a single block is larger
/// @param storage    where runs are kept between the two steps
public record ClusterSort<B>(BlockType<B> type, int partitions, boolean isStable, long runBytes, StorageLevel storage) {
    /// How many elements are drawn for each partition of the result, if every partition of the input has one run.
    private static final int OVERSAMPLING = 64;

    private static final int FEWEST_OF_RUN = 16;

    /// Evaluates the input, and returns the sorted result, which is evaluated when it is used.
    public JavaRDD<B> sort(JavaRDD<B> blocks) {
        SparkContext spark = blocks.context();
        RunsRdd<B> runs = new RunsRdd<>(blocks.rdd(), type, isStable, runBytes);
        runs.setName("sorted runs of " + type);
        runs.persist(storage);
        boolean isTold = false;
        try {
            Splitters splitters = Splitters.choose(sample(runs), partitions, dividesEqualKeys());
            RDD<B> sorted = exchange(runs, splitters, spark);
            isTold = true;
            return JavaRDD.fromRDD(sorted, Tags.any());
        } finally {
            if (!isTold) {
                runs.unpersist(false);
            }
        }
    }

    /// A task that is repeated may find elements with equal keys in another order only if they can be told apart and
    /// the sort is not stable.
    private boolean dividesEqualKeys() {
        return isStable || type.isAlwaysStable();
    }

    private List<RunSample> sample(RunsRdd<B> runs) {
        int inputs = Math.max(1, runs.getNumPartitions());
        int size = (int) Math.min(
                Integer.MAX_VALUE, Math.max(FEWEST_OF_RUN, Math.ceilDiv((long) OVERSAMPLING * partitions, inputs)));
        BlockType<B> sampled = type;
        return JavaRDD.<Run<B>>fromRDD(runs, Tags.any())
                .map(run -> RunSample.of(run, sampled, size))
                .collect();
    }

    private RDD<B> exchange(RunsRdd<B> runs, Splitters splitters, SparkContext spark) {
        Broadcast<Splitters> everywhere =
                JavaSparkContext.fromSparkContext(spark).broadcast(splitters);
        RDD<Tuple2<Integer, Piece<B>>> pieces = JavaRDD.<Run<B>>fromRDD(runs, Tags.any())
                .mapPartitionsToPair(new RunCutter<>(type, everywhere))
                .rdd();
        ShuffledRDD<Object, Piece<B>, Piece<B>> exchanged =
                new ShuffledRDD<>(asProducts(pieces), new RangeNumbers(partitions), Tags.any(), Tags.any(), Tags.any());
        exchanged.setSerializer(new PieceSerializer<>(new BlockPieces<>(type)));
        spark.addSparkListener(new RunsRelease(spark, runs, exchanged));
        SortedRdd<B> sorted = new SortedRdd<>(exchanged, type, dividesEqualKeys());
        sorted.setName("sorted " + type);
        return sorted;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Scala's RDDs are invariant, though pairs are products
    private static <B> RDD<Tuple2<Object, Piece<B>>> asProducts(RDD<Tuple2<Integer, Piece<B>>> pairs) {
        return (RDD) pairs;
    }
}
