package io.samplesort.spark.rows;

/// Receives the figures of a sort of rows.
public interface RowMetrics {
    /// Ignores all figures.
    RowMetrics NONE = new RowMetrics() {};

    /// Rows were sorted in memory together.
    ///
    /// @param rows   how many rows
    /// @param bytes  how many bytes they have
    /// @param nanos  how long it took to take out their keys and to find their order
    /// @param waited  for how much of this time other tasks of the executor had the GPU
    /// @param isOnGpu whether there were enough rows for the GPU of the task
    default void sorted(long rows, long bytes, long nanos, long waited, boolean isOnGpu) {}

    /// Sorted rows were written to a temporary file.
    ///
    /// @param bytes the size of the file
    default void spilled(long bytes) {}

    /// More memory is in use than ever before in this sort.
    ///
    /// @param bytes how many bytes Spark has granted
    default void peakMemory(long bytes) {}
}
