package io.samplesort.bench.historic;

import java.util.Map;

/// The parameters of the published sample sort.
///
/// @param bucketCount    k, a power of two
/// @param maxBucketSize  M, above which a bucket is distributed
/// @param threads        of a tile
/// @param items          of a thread
/// @param oversampling   of the sample, for each splitter
/// @param counterArrays  of a tile, which share the counting
/// @param smallElements  what a block sorts by a network in shared memory
record SampleSortParameters(
        int bucketCount,
        long maxBucketSize,
        int threads,
        int items,
        int oversampling,
        int counterArrays,
        int smallElements) {
    /// Shared memory of 2009.
    private static final int SMALL_BYTES = 8192;

    static SampleSortParameters published(HistoricElement element) {
        return new SampleSortParameters(
                128,
                1 << 17,
                256,
                8,
                element.elementBytes() > Integer.BYTES ? 15 : 30,
                8,
                SMALL_BYTES / element.elementBytes());
    }

    HistoricProgram.Source source(HistoricElement element) {
        return new HistoricProgram.Source(
                "sample_sort_2009.cu",
                element,
                Map.of(
                        "kLogBucketCount",
                        Integer.numberOfTrailingZeros(bucketCount),
                        "kThreads",
                        threads,
                        "kItems",
                        items,
                        "kOversampling",
                        oversampling,
                        "kCounterArrays",
                        counterArrays,
                        "kSmallElements",
                        smallElements));
    }
}
