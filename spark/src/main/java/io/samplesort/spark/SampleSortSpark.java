package io.samplesort.spark;

import io.samplesort.spark.blocks.BlockType;
import org.apache.spark.api.java.JavaRDD;

/// Sorts what Spark holds, on the GPUs and the cores of its executors.
///
/// ```java
/// JavaRDD<long[]> sorted = SampleSortSpark.sort(blocks, BlockType.longs());
/// ```
public final class SampleSortSpark {
    private SampleSortSpark() {}

    /// Sorts the elements of all blocks, into as many partitions as the input has. See [BlockSort#sort].
    ///
    /// @param blocks arrays of any size; they stay as they are
    /// @param type   what they hold, and how it compares
    public static <B> JavaRDD<B> sort(JavaRDD<B> blocks, BlockType<B> type) {
        return BlockSort.of(type).sort(blocks);
    }
}
