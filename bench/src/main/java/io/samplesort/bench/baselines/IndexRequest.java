package io.samplesort.bench.baselines;

import java.util.List;

/// A request to CUB to sort the indexes of elements that are not moved: by merge sort of entries that hold a part of
/// the key and an index, and of indexes alone.
///
/// @param code    the number that the function of the library takes
/// @param what    what is sorted, for messages
/// @param entries the name of the sort of entries in results
public record IndexRequest(int code, String what, String entries) implements Baselines.Input {
    private static final List<Contender> CONTENDERS = List.of(Contender.CUB_MERGE_GATHER, Contender.CUB_MERGE);

    @Override
    public List<Contender> contenders() {
        return CONTENDERS;
    }

    /// Returns the name of a contender in results.
    public String name(Contender contender) {
        return contender.equals(Contender.CUB_MERGE_GATHER)
                ? entries
                : contender.equals(Contender.CUB_MERGE) ? "cub-merge-indexes" : contender.name();
    }

    @Override
    public String toString() {
        return what;
    }
}
