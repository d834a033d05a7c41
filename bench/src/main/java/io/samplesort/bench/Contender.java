package io.samplesort.bench;

import java.util.OptionalInt;

/// A sort under measurement.
///
/// @param name      as in the results
/// @param algorithm the number baselines.cu knows it by; empty for ours
record Contender(String name, OptionalInt algorithm) {
    static final Contender OURS = new Contender("samplesort", OptionalInt.empty());
    static final Contender CUB_RADIX = new Contender("cub-radix", OptionalInt.of(0));
    static final Contender CUB_MERGE = new Contender("cub-merge", OptionalInt.of(1));
}
