package io.samplesort.spark.task;

import java.io.Serializable;
import org.apache.spark.SparkContext;
import org.apache.spark.util.LongAccumulator;

/// The times that all tasks of a stage together spend on the steps of a sort, in nanoseconds of the clock. They are
/// accumulators, which Spark's user interface shows with the stage and which its listeners receive. Tasks that Spark
/// repeats count each time.
///
/// @param read the time to get the input from files, from other steps of the same task, or from the shuffle
/// @param copy the time to bring the elements together
/// @param sort the time to sort them, including waits for a GPU
/// @param gpu  the part of `sort` in which the device of the task was a GPU
/// @param gpuWait the part of `gpu` in which another task of the executor had the GPU
public record SortTimes(
        LongAccumulator read, LongAccumulator copy, LongAccumulator sort, LongAccumulator gpu, LongAccumulator gpuWait)
        implements Serializable {
    private static final long serialVersionUID = 1;

    /// What the names of the accumulators begin with.
    public static final String PREFIX = "samplesort: ";

    /// What the names of the accumulators end with.
    public static final String SUFFIX = ", ns";

    /// Returns accumulators for the tasks of one stage.
    public static SortTimes create(SparkContext spark) {
        return new SortTimes(
                accumulator(spark, "read"),
                accumulator(spark, "copy"),
                accumulator(spark, "sort"),
                accumulator(spark, "sort on GPUs"),
                accumulator(spark, "wait for GPUs"));
    }

    private static LongAccumulator accumulator(SparkContext spark, String step) {
        return spark.longAccumulator(PREFIX + step + SUFFIX);
    }

    /// Adds a sort.
    ///
    /// @param nanos    how long it took
    /// @param waited   how long it waited for other tasks
    /// @param isOnGpu  whether the sort was for a GPU
    public void sorted(long nanos, long waited, boolean isOnGpu) {
        sort.add(nanos);
        if (isOnGpu) {
            gpu.add(nanos);
            gpuWait.add(waited);
        }
    }
}
