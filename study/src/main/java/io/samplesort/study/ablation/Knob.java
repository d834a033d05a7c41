package io.samplesort.study.ablation;

import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.results.Sizes;
import io.samplesort.study.historic.HistoricSort.Algorithm;
import io.samplesort.testkit.InputDistribution;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// A parameter of the published sort or of ours. It gets one value after the other, while all other parameters keep
/// their defaults.
enum Knob {
    K(true, "k", "buckets of a distribution (k)", 16, 32, 64, 128, 256, 512, 1024),
    /// With the smallest value, most buckets of 2^26 elements need a third level after two; with the largest one, one
    /// level is enough.
    M(true, "M", "largest bucket not distributed (M)", powersOfTwo(12, 20)),
    T(true, "t", "threads of a tile (t)", 64, 128, 256, 512, 1024),
    L(true, "l", "elements of a thread (l)", 1, 2, 4, 8, 16, 32),
    A(true, "a", "sampled elements for each splitter (a)", 1, 2, 4, 8, 15, 30, 60),
    COUNTER_ARRAYS(true, "counterArrays", "counter arrays of a tile", 1, 2, 4, 8, 16),
    /// Two choices in one value: the sum of [#STORED] and [#REORDERED], or 0.
    CHOICES(true, "choices", "buckets stored, tiles reordered", 0, 1, 2, 3),

    MAX_BUCKET_COUNT(
            false, "maxBucketCount", "buckets of a pass, at most", 16, 32, 64, 128, 256, 512, 1024, 2048, 4096),
    BUCKET_TARGET(false, "bucketTarget", "elements of a bucket after the last pass", 256, 512, 1024, 2048, 4096),
    DISTRIBUTION_THREADS(false, "distributionThreads", "threads of a tile", 128, 256, 512, 1024),
    DISTRIBUTION_ITEMS(false, "distributionItems", "elements of a thread", 2, 4, 8, 10, 12, 16, 24),
    OVERSAMPLING(false, "oversampling", "sampled keys for each splitter, at least", 1, 4, 16, 64),
    /// The sample of a large segment is that of 1024 threads.
    SAMPLE_ITEMS(false, "sampleItems", "sampled keys of a thread", 2, 4, 8, 16, 32),
    BUCKET_SLACK(false, "bucketSlack", "slack of buckets", 4, 5, 6, 8, 12),
    SMALL_SORT_THREADS(false, "smallSortThreads", "threads of the smallest small sort", 32, 64, 128),
    SMALL_SORT_ITEMS(false, "smallSortItems", "elements of a thread of a small sort", 8, 16, 32);

    private static final long STORED = 1;
    private static final long REORDERED = 2;

    /// From this value on, powers of two are written as such.
    private static final long LARGE = 8192;

    private final boolean isPublished;
    private final String parameter;
    private final String title;
    private final long[] values;

    /// @param isPublished whether it is a parameter of the published sort and not of ours
    /// @param parameter   its name in results; if it is ours, also in `Tuning`
    Knob(boolean isPublished, String parameter, String title, long... values) {
        this.isPublished = isPublished;
        this.parameter = parameter;
        this.title = title;
        this.values = values;
    }

    /// @throws IllegalArgumentException if there is no such parameter; the message lists all
    static Knob parse(String parameter) {
        return Arrays.stream(values())
                .filter(knob -> knob.parameter.equals(parameter))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("parameter '" + parameter + "': use some of "
                        + Arrays.stream(values()).map(Knob::toString).collect(Collectors.joining(", "))));
    }

    boolean isPublished() {
        return isPublished;
    }

    /// Returns the name of its sort in results.
    String system() {
        return isPublished ? Algorithm.SAMPLE_SORT_2009.toString() : Contender.OURS.name();
    }

    String title() {
        return title;
    }

    /// Returns whether its values stand for words and not for numbers.
    boolean isNominal() {
        return this == CHOICES;
    }

    /// Returns the values to measure, ascending.
    ///
    /// @param byDefault the default value, which is one of them
    NavigableSet<Long> values(long byDefault) {
        NavigableSet<Long> all = new TreeSet<>(List.of(byDefault));
        Arrays.stream(values).forEach(all::add);
        return all;
    }

    /// Returns the inputs on which all variants are measured. That is uniform input, and for the counter arrays also
    /// one where neighbouring threads use the same counter.
    List<InputDistribution> inputs() {
        return this == COUNTER_ARRAYS
                ? List.of(InputDistribution.UNIFORM, InputDistribution.DETERMINISTIC_DUPLICATES)
                : List.of(InputDistribution.UNIFORM);
    }

    static boolean isStored(long choices) {
        return (choices & STORED) != 0;
    }

    static boolean isReordered(long choices) {
        return (choices & REORDERED) != 0;
    }

    /// Returns a value in words, short enough for a picture.
    String text(long value) {
        if (isNominal()) {
            boolean isStored = isStored(value);
            return isReordered(value) ? isStored ? "both" : "reordered" : isStored ? "stored" : "as published";
        }
        return value >= LARGE ? Sizes.text(value) : Long.toString(value);
    }

    /// Returns the name of the parameter.
    @Override
    public String toString() {
        return parameter;
    }

    private static long[] powersOfTwo(int first, int last) {
        return LongStream.rangeClosed(first, last).map(log -> 1L << log).toArray();
    }
}
