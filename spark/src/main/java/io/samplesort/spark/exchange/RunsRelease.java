package io.samplesort.spark.exchange;

import java.lang.ref.WeakReference;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.ShuffledRDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.StageInfo;

/// Makes Spark forget the stored runs as soon as their pieces are in the shuffle. If Spark needs them again, as after
/// the loss of an executor, it makes them anew from the input.
final class RunsRelease extends SparkListener {
    private final SparkContext spark;
    /// The reference is weak, so that runs can go when their result is not used any more.
    private final WeakReference<RDD<?>> runs;

    private final int shuffle;

    RunsRelease(SparkContext spark, RDD<?> runs, ShuffledRDD<?, ?, ?> exchanged) {
        this.spark = spark;
        this.runs = new WeakReference<>(runs);
        this.shuffle = ((ShuffleDependency<?, ?, ?>) exchanged.dependencies().head()).shuffleId();
    }

    @Override
    public void onStageCompleted(SparkListenerStageCompleted completed) {
        StageInfo stage = completed.stageInfo();
        RDD<?> stored = runs.get();
        boolean isExchange =
                stage.shuffleDepId().contains(shuffle) && stage.failureReason().isEmpty();
        if (stored == null || isExchange) {
            spark.removeSparkListener(this);
        }
        if (stored != null && isExchange) {
            stored.unpersist(false);
        }
    }
}
