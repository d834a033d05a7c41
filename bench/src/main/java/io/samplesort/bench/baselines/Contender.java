package io.samplesort.bench.baselines;

import java.util.OptionalInt;

/// A sort that is measured.
///
/// @param name      its name in results
/// @param algorithm its number in request.cuh; empty unless it is one of CUB's
public record Contender(String name, OptionalInt algorithm) {
    public static final Contender OURS = named("samplesort");
    /// Our sort that writes the result into a second array.
    public static final Contender OURS_COPY = named("samplesort-copy");
    public static final Contender CUB_RADIX = ofCub("cub-radix", 0);
    public static final Contender CUB_MERGE = ofCub("cub-merge", 1);
    /// Sorts keys and indexes by radix sort, and then fetches each element to its place in a second array.
    public static final Contender CUB_RADIX_GATHER = ofCub("cub-radix-gather", 2);
    /// Does the same by merge sort.
    public static final Contender CUB_MERGE_GATHER = ofCub("cub-merge-gather", 3);

    /// Sorts segments, short, medium and long ones in different ways.
    public static final Contender CUB_SEGMENTED = ofCub("cub-segmented", 4);
    /// Sorts each segment by the radix sort of one thread block.
    public static final Contender CUB_SEGMENTED_RADIX = ofCub("cub-segmented-radix", 5);

    /// Returns a sort that is not one of CUB's.
    public static Contender named(String name) {
        return new Contender(name, OptionalInt.empty());
    }

    private static Contender ofCub(String name, int algorithm) {
        return new Contender(name, OptionalInt.of(algorithm));
    }
}
