package io.samplesort.bench.baselines;

import java.util.OptionalInt;

/// A sort under measurement.
///
/// @param name      as in the results
/// @param algorithm the number request.cuh knows it by; empty for ours
public record Contender(String name, OptionalInt algorithm) {
    public static final Contender OURS = new Contender("samplesort", OptionalInt.empty());
    /// Ours into a second array.
    public static final Contender OURS_COPY = new Contender("samplesort-copy", OptionalInt.empty());
    public static final Contender CUB_RADIX = new Contender("cub-radix", OptionalInt.of(0));
    public static final Contender CUB_MERGE = new Contender("cub-merge", OptionalInt.of(1));
    /// Sorts keys and indexes and then fetches each element to its place in a second array, by radix sort.
    public static final Contender CUB_RADIX_GATHER = new Contender("cub-radix-gather", OptionalInt.of(2));
    /// The same by merge sort.
    public static final Contender CUB_MERGE_GATHER = new Contender("cub-merge-gather", OptionalInt.of(3));
}
