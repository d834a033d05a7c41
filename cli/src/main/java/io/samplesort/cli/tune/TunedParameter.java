package io.samplesort.cli.tune;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// A parameter that depends on the GPU, or two that belong together, and the values that are tried. They come in the
/// order in which they are tried: first those that decide how many blocks share a multiprocessor.
///
/// The other parameters of a sort decide how well buckets are balanced, which does not depend on the GPU, or belong to
/// the link.
public enum TunedParameter {
    TILE(
            "tile",
            "distributionThreads=%1$s,distributionItems=%2$s",
            "256 8",
            "256 12",
            "256 16",
            "512 8",
            "512 12",
            "512 16",
            "512 20"),
    DISTRIBUTION_BLOCKS("distributionBlocks", "distributionBlocks=%1$s", "1", "2", "3"),
    SMALL_SORT(
            "smallSort",
            "smallSortThreads=%1$s,smallSortItems=%2$s",
            "32 32",
            "64 8",
            "64 16",
            "64 32",
            "128 8",
            "128 16"),
    SMALL_SORT_RESIDENT_THREADS(
            "smallSortResidentThreads",
            "smallSortResidentThreads=%1$s",
            "32",
            "512",
            "640",
            "768",
            "896",
            "1024",
            "1152",
            "1280"),
    MERGE_BUFFERS("mergeBuffers", "mergeBuffers=%1$s", "1", "2"),
    BUCKET_TARGET("bucketTarget", "bucketTarget=%1$s", "1024", "2048", "4096"),
    MAX_BUCKET_COUNT("maxBucketCount", "maxBucketCount=%1$s", "256", "512");

    private final String label;
    private final List<String> candidates;

    TunedParameter(String label, String pattern, String... values) {
        this.label = label;
        this.candidates = Arrays.stream(values)
                .map(value -> pattern.formatted((Object[]) value.split(" ")))
                .toList();
    }

    /// Reads a name that [#toString] returns.
    ///
    /// @throws IllegalArgumentException if there is no such parameter; the message names all
    public static TunedParameter parse(String text) {
        for (TunedParameter parameter : values()) {
            if (parameter.label.equals(text)) {
                return parameter;
            }
        }
        throw new IllegalArgumentException("parameter '" + text + "': use "
                + Arrays.stream(values()).map(TunedParameter::toString).collect(Collectors.joining(", ")));
    }

    /// Returns what replaces a tuning's values, in the form that [io.samplesort.types.Tuning#with] reads, for each of
    /// the values to try.
    List<String> candidates() {
        return candidates;
    }

    @Override
    public String toString() {
        return label;
    }
}
