package io.samplesort.bench.strings;

import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.Contender;
import io.samplesort.types.ElementType;
import java.util.List;

/// What CUB is asked for: strings with offsets of this type (string_baselines.cu).
record StringRequest(ElementType offsets) implements Baselines.Input {
    /// Merge sort of entries of a prefix and an index, and of indexes alone.
    private static final List<Contender> CONTENDERS = List.of(Contender.CUB_MERGE_GATHER, Contender.CUB_MERGE);

    @Override
    public int code() {
        return offsets.byteSize();
    }

    @Override
    public List<Contender> contenders() {
        return CONTENDERS;
    }

    /// Returns what results call a contender.
    static String name(Contender contender) {
        return contender.equals(Contender.CUB_MERGE_GATHER)
                ? "cub-merge-prefixes"
                : contender.equals(Contender.CUB_MERGE) ? "cub-merge-indexes" : contender.name();
    }

    @Override
    public String toString() {
        return "strings with offsets of type " + offsets;
    }
}
