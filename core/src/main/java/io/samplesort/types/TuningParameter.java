package io.samplesort.types;

import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// The tuning parameters: their names and the values that each may take. [Tuning] says what they mean, at its methods
/// of the same names.
enum TuningParameter {
    DISTRIBUTION_THREADS("distributionThreads", 32, 1024, Values.WHOLE_WARPS),
    DISTRIBUTION_ITEMS("distributionItems", 1, 64, Values.ANY),
    DISTRIBUTION_BLOCKS("distributionBlocks", 1, 16, Values.ANY),
    MAX_BUCKET_COUNT("maxBucketCount", 2, 4096, Values.POWERS_OF_TWO),
    GRID_CELLS("gridCells", 0, 16, Values.ANY),
    OVERSAMPLING("oversampling", 1, 1024, Values.ANY),
    BUCKET_SLACK("bucketSlack", 1, 16, Values.ANY),
    EXTRA_PERCENT("extraPercent", 0, 1000, Values.ANY),
    IN_PLACE_SIZE("inPlaceSize", 0, Integer.MAX_VALUE, Values.ANY),
    ORDER_CHECK_SIZE("orderCheckSize", 0, Integer.MAX_VALUE, Values.ANY),
    MERGED_RUNS("mergedRuns", 0, 64, Values.ANY),
    RANKED_SIZE("rankedSize", 0, 1 << 20, Values.ANY),
    SAMPLE_THREADS("sampleThreads", 32, 1024, Values.WHOLE_WARPS),
    SAMPLE_ITEMS("sampleItems", 2, 32, Values.POWERS_OF_TWO),
    SMALL_SORT_THREADS("smallSortThreads", 32, 1024 / Tuning.SIZE_CLASS_FACTOR, Values.POWERS_OF_TWO),
    SMALL_SORT_ITEMS("smallSortItems", 2, 32, Values.POWERS_OF_TWO),
    SMALL_SORT_RESIDENT_THREADS("smallSortResidentThreads", 32, 2048, Values.ANY),
    SMALL_SORT_CELLS("smallSortCells", 0, 32, Values.FOURS),
    MERGE_BUFFERS("mergeBuffers", 1, 2, Values.ANY),
    /// This parameter may be at most the small-sort limit, which depends on other parameters.
    BUCKET_TARGET("bucketTarget", 1, Integer.MAX_VALUE, Values.ANY),
    TRANSFER_THREADS("transferThreads", 1, 256, Values.ANY),
    TRANSFER_BYTES("transferBytes", Values.PAGE_BYTES, 1 << 28, Values.WHOLE_PAGES),
    TRANSFER_BLOCKS("transferBlocks", 1, 64, Values.ANY),
    TRANSFER_AWAKE_MICROS("transferAwakeMicros", 0, 1_000_000, Values.ANY),
    CHUNK_BYTES("chunkBytes", Values.PAGE_BYTES, 1 << 30, Values.ANY),
    MAX_CHUNK_COUNT("maxChunkCount", 1, 16, Values.ANY),
    ONE_GPU_BYTES("oneGpuBytes", 0, Integer.MAX_VALUE, Values.ANY),
    MERGED_BYTES("mergedBytes", 0, Integer.MAX_VALUE, Values.ANY),
    BUCKET_EXCHANGE_SIZE("bucketExchangeSize", 0, Integer.MAX_VALUE, Values.ANY);

    /// Which values between the least and the greatest a parameter may take.
    private enum Values {
        ANY,
        WHOLE_WARPS,
        WHOLE_PAGES,
        FOURS,
        POWERS_OF_TWO;

        private static final int WARP_THREADS = 32;
        private static final int PAGE_BYTES = 4096;
        private static final int FOUR = 4;
    }

    /// All parameters, in the order of the methods of [Tuning].
    static final List<TuningParameter> ALL = List.of(values());

    private final String label;
    private final int least;
    private final int greatest;
    private final Values allowed;

    TuningParameter(String label, int least, int greatest, Values allowed) {
        this.label = label;
        this.least = least;
        this.greatest = greatest;
        this.allowed = allowed;
    }

    /// Returns the parameter of this name; null if there is no such parameter.
    static @Nullable TuningParameter named(String name) {
        for (TuningParameter parameter : ALL) {
            if (parameter.label.equals(name)) {
                return parameter;
            }
        }
        return null;
    }

    /// Returns the names of all parameters, separated by commas.
    static String labels() {
        StringJoiner labels = new StringJoiner(", ");
        for (TuningParameter parameter : ALL) {
            labels.add(parameter.label);
        }
        return labels.toString();
    }

    /// Returns the name by which users know the parameter.
    String label() {
        return label;
    }

    /// @throws IllegalArgumentException if this parameter may not take `value`; the message names both
    void check(int value, int smallSortLimit) {
        int most = this == BUCKET_TARGET ? smallSortLimit : greatest;
        if (value < least || value > most) {
            throw refusal(value, "from " + least + " to " + most);
        }
        switch (allowed) {
            case ANY -> {}
            case WHOLE_WARPS -> checkMultiple(value, Values.WARP_THREADS, "32, a warp");
            case WHOLE_PAGES -> checkMultiple(value, Values.PAGE_BYTES, "4096, a page");
            case FOURS -> checkMultiple(value, Values.FOUR, "4");
            case POWERS_OF_TWO -> {
                if (Integer.bitCount(value) != 1) {
                    throw refusal(value, "a power of two");
                }
            }
        }
    }

    private void checkMultiple(int value, int unit, String unitName) {
        if (value % unit != 0) {
            throw refusal(value, "a multiple of " + unitName);
        }
    }

    private IllegalArgumentException refusal(int value, String rule) {
        return new IllegalArgumentException("tuning " + label + "=" + value + ": must be " + rule);
    }
}
