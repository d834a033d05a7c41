package io.samplesort.spark.rows;

/// Is told what a sort of rows does.
public interface RowMetrics {
    /// Tells nobody.
    RowMetrics NONE = new RowMetrics() {};

    /// Rows were sorted in memory together.
    ///
    /// @param rows   how many
    /// @param bytes  how many bytes they have
    /// @param nanos  how long it took to take their keys and to find their order
    /// @param waited  how much of this other tasks of the executor had the GPU
    /// @param isOnGpu whether they were many enough for the GPU of the task
    default void sorted(long rows, long bytes, long nanos, long waited, boolean isOnGpu) {}

    /// Sorted rows were written to a temporary file.
    ///
    /// @param bytes the size of the file
    default void spilled(long bytes) {}

    /// More memory is in use than ever before in this sort.
    ///
    /// @param bytes that Spark has granted
    default void peakMemory(long bytes) {}
}
