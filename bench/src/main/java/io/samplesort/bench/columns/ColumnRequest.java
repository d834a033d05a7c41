package io.samplesort.bench.columns;

import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.Contender;
import java.util.List;

/// What CUB is asked for: rows by the key columns of [ColumnWorkload] (column_baselines.cu).
record ColumnRequest() implements Baselines.Input {
    /// Merge sort of entries of both numbers and an index, and of indexes alone.
    private static final List<Contender> CONTENDERS = List.of(Contender.CUB_MERGE_GATHER, Contender.CUB_MERGE);

    @Override
    public int code() {
        return 0;
    }

    @Override
    public List<Contender> contenders() {
        return CONTENDERS;
    }

    /// Returns what results call a contender.
    static String name(Contender contender) {
        return contender.equals(Contender.CUB_MERGE_GATHER)
                ? "cub-merge-entries"
                : contender.equals(Contender.CUB_MERGE) ? "cub-merge-indexes" : contender.name();
    }

    @Override
    public String toString() {
        return "rows by key columns";
    }
}
