package io.samplesort.gpu;

import io.samplesort.memory.SetOperation;
import io.samplesort.types.SortReport;

/// Stands in for the operations of the GPU engine.
@SuppressWarnings("DoNotCallSuggester")
public final class GpuSortedOperations {
    GpuSortedOperations() {}

    public SortReport merge(long[][] inputs, long[] counts, int[] columnBytes, long[] targets) {
        throw new UnsupportedOperationException();
    }

    public long unique(long[] columns, int[] columnBytes, long count, long[] targets, long room) {
        throw new UnsupportedOperationException();
    }

    public long counts(long keys, long count, long target, long room, long counts, int countBytes) {
        throw new UnsupportedOperationException();
    }

    public long groups(long keys, long count, long offsets, int offsetBytes, long room) {
        throw new UnsupportedOperationException();
    }

    public SortReport bounds(
            long keys, long count, long queries, long queryCount, long bounds, int boundBytes, boolean isUpper) {
        throw new UnsupportedOperationException();
    }

    public long combine(
            SetOperation operation,
            long[] first,
            long firstCount,
            long[] second,
            long secondCount,
            int[] columnBytes,
            long[] targets,
            long room) {
        throw new UnsupportedOperationException();
    }

    public long firstOutOfOrder(long keys, long count) {
        throw new UnsupportedOperationException();
    }
}
