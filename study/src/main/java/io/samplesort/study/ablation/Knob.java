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

/// A parameter of the published sort or of ours, and the values that it is given one after the other, while all others
/// are as they are by default.
enum Knob {
    K(true, "k", "buckets of a distribution (k)", 16, 32, 64, 128, 256, 512, 1024),
    /// From where most buckets of 2^26 elements after two levels take a third one, to where one level is enough.
    M(true, "M", "largest bucket not distributed (M)", powersOfTwo(12, 20)),
    T(true, "t", "threads of a tile (t)", 64, 128, 256, 512, 1024),
    L(true, "l", "elements of a thread (l)", 1, 2, 4, 8, 16, 32),
    A(true, "a", "sampled elements for each splitter (a)", 1, 2, 4, 8, 15, 30, 60),
    COUNTER_ARRAYS(true, "counterArrays", "counter arrays of a tile", 1, 2, 4, 8, 16),
    /// Both choices at once: the sum of [#STORED] and [#REORDERED].
    CHOICES(true, "choices", "buckets stored, tiles reordered", 0, 1, 2, 3),

    MAX_BUCKET_COUNT(
            false, "maxBucketCount", "buckets of a pass, at most", 16, 32, 64, 128, 256, 512, 1024, 2048, 4096),
    BUCKET_TARGET(false, "bucketTarget", "elements of a bucket after the last pass", 256, 512, 1024, 2048, 4096),
    DISTRIBUTION_THREADS(false, "distributionThreads", "threads of a tile", 128, 256, 512, 1024),
    DISTRIBUTION_ITEMS(false, "distributionItems", "elements of a thread", 2, 4, 8, 10, 12, 16, 24),
    OVERSAMPLING(false, "oversampling", "sampled keys for each splitter, at least", 1, 4, 16, 64),
    /// Of 1024 threads: the whole sample, where a segment is large.
    SAMPLE_ITEMS(false, "sampleItems", "sampled keys of a thread", 2, 4, 8, 16, 32),
    /// 0 is the exact layout, which counts before it scatters as the paper does.
    BUCKET_SLACK(false, "bucketSlack", "slack of buckets; 0: counted first", 0, 4, 5, 6, 8, 12),
    SMALL_SORT_THREADS(false, "smallSortThreads", "threads of the smallest small sort", 32, 64, 128),
    SMALL_SORT_ITEMS(false, "smallSortItems", "elements of a thread of a small sort", 8, 16, 32);

    private static final long STORED = 1;
    private static final long REORDERED = 2;

    /// From here on powers of two are written as such.
    private static final long LARGE = 8192;

    private final boolean isPublished;
    private final String parameter;
    private final String title;
    private final long[] values;

    /// @param isPublished whether it is one of the published sort, not of ours
    /// @param parameter   its name in results, and of ours in `Tuning`
    Knob(boolean isPublished, String parameter, String title, long... values) {
        this.isPublished = isPublished;
        this.parameter = parameter;
        this.title = title;
        this.values = values;
    }

    /// @throws IllegalArgumentException if there is none of this name; the message names all
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

    /// The name of its sort in results.
    String system() {
        return isPublished ? Algorithm.SAMPLE_SORT_2009.toString() : Contender.OURS.name();
    }

    String title() {
        return title;
    }

    /// Whether its values are no numbers.
    boolean isNominal() {
        return this == CHOICES;
    }

    /// The values to measure, ascending.
    ///
    /// @param byDefault the value of the default, which is among them
    NavigableSet<Long> values(long byDefault) {
        NavigableSet<Long> all = new TreeSet<>(List.of(byDefault));
        Arrays.stream(values).forEach(all::add);
        return all;
    }

    /// What all variants are measured on: uniform input, but counters also where neighbours meet in one of them.
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

    /// A value in words, as short as pictures need it.
    String text(long value) {
        if (isNominal()) {
            boolean isStored = isStored(value);
            return isReordered(value) ? isStored ? "both" : "reordered" : isStored ? "stored" : "as published";
        }
        return value >= LARGE ? Sizes.text(value) : Long.toString(value);
    }

    /// The name of the parameter.
    @Override
    public String toString() {
        return parameter;
    }

    private static long[] powersOfTwo(int first, int last) {
        return LongStream.rangeClosed(first, last).map(log -> 1L << log).toArray();
    }
}
