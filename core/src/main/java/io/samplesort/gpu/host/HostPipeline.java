package io.samplesort.gpu.host;

import io.samplesort.types.SortReport;

/// One sort of host memory in chunks, on one GPU or on several.
interface HostPipeline extends AutoCloseable {
    /// Sorts the columns.
    void run();

    /// Returns whether all elements are where they belong, so that only the end of the sort can still fail.
    boolean isWrittenBack();

    /// Waits for the device and reports what the sort did.
    ///
    /// @param start when the sort began, by [System#nanoTime]
    SortReport report(long start);

    @Override
    void close();
}
