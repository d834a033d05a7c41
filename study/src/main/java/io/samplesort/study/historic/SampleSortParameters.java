package io.samplesort.study.historic;

import io.samplesort.cuda.CudaDevice;
import java.util.LinkedHashMap;
import java.util.Map;

/// The parameters of the published sample sort, and two of its choices.
///
/// @param bucketCount    k, a power of two up to 4096
/// @param maxBucketSize  M, above which a bucket is distributed
/// @param threads        of a tile; 32 to 1024
/// @param items          ℓ, elements of a thread
/// @param oversampling   a, of the sample, for each splitter
/// @param counterArrays  of a tile, which share the counting
/// @param smallElements  what a block sorts by a network in shared memory
/// @param storesBuckets  whether the scatter reads the bucket of each element, which the count has stored, and does not
///                       find it again
/// @param reorders       whether a tile is put in the order of its buckets in shared memory before it is scattered
public record SampleSortParameters(
        int bucketCount,
        long maxBucketSize,
        int threads,
        int items,
        int oversampling,
        int counterArrays,
        int smallElements,
        boolean storesBuckets,
        boolean reorders) {
    /// Shared memory of 2009.
    private static final int SMALL_BYTES = 8192;

    private static final int MAX_BUCKETS = 4096;

    /// Up to so many buckets have indexes of one byte.
    private static final int BYTE_BUCKETS = 256;

    private static final int ALIGNMENT = 16;

    /// @throws IllegalArgumentException if a value is none that the kernels are made for
    public SampleSortParameters {
        require(
                Integer.bitCount(bucketCount) == 1 && bucketCount >= 2 && bucketCount <= MAX_BUCKETS,
                "k = " + bucketCount + ": use a power of two from 2 to " + MAX_BUCKETS);
        require(threads >= 32 && threads <= 1024, "t = " + threads + ": use 32 to 1024 threads");
        require(
                maxBucketSize > 0 && items > 0 && oversampling > 0 && counterArrays > 0 && smallElements > 0,
                "M, ℓ, a, the counter arrays and the elements of a network must be 1 or more");
    }

    /// What the paper has settled on.
    public static SampleSortParameters published(HistoricElement element) {
        return new SampleSortParameters(
                128,
                1 << 17,
                256,
                8,
                element.elementBytes() > Integer.BYTES ? 15 : 30,
                8,
                SMALL_BYTES / element.elementBytes(),
                false,
                false);
    }

    /// All of them by the names they have in results; the choices are 1 where they are not the paper's.
    public Map<String, Long> values() {
        Map<String, Long> values = new LinkedHashMap<>();
        values.put("k", (long) bucketCount);
        values.put("M", maxBucketSize);
        values.put("t", (long) threads);
        values.put("l", (long) items);
        values.put("a", (long) oversampling);
        values.put("counterArrays", (long) counterArrays);
        values.put("smallElements", (long) smallElements);
        values.put("stored", storesBuckets ? 1L : 0);
        values.put("reordered", reorders ? 1L : 0);
        return values;
    }

    /// These with one of them replaced.
    ///
    /// @param name as [#values] has it
    /// @throws IllegalArgumentException if there is no such parameter, or the value is none that the kernels are made
    ///     for
    public SampleSortParameters with(String name, long value) {
        Map<String, Long> values = values();
        require(values.replace(name, value) != null, "'" + name + "': use one of " + values.keySet());
        return new SampleSortParameters(
                Math.toIntExact(values.get("k")),
                values.get("M"),
                Math.toIntExact(values.get("t")),
                Math.toIntExact(values.get("l")),
                Math.toIntExact(values.get("a")),
                Math.toIntExact(values.get("counterArrays")),
                Math.toIntExact(values.get("smallElements")),
                values.get("stored") != 0,
                values.get("reordered") != 0);
    }

    private static void require(boolean condition, String text) {
        if (!condition) {
            throw new IllegalArgumentException("parameters of the sample sort of 2009: " + text);
        }
    }

    HistoricProgram.Source source(HistoricElement element) {
        Map<String, Integer> constants = new LinkedHashMap<>();
        constants.put("kLogBucketCount", Integer.numberOfTrailingZeros(bucketCount));
        constants.put("kThreads", threads);
        constants.put("kItems", items);
        constants.put("kOversampling", oversampling);
        constants.put("kCounterArrays", counterArrays);
        constants.put("kSmallElements", smallElements);
        constants.put("kStoresBuckets", storesBuckets ? 1 : 0);
        constants.put("kReorders", reorders ? 1 : 0);
        constants.put("kSampleBytes", sampleBytes(element));
        constants.put("kDistributionBytes", distributionBytes(element));
        constants.put("kScatterBytes", scatterBytes(element));
        constants.put("kMaxStaticBytes", HistoricProgram.FREE_SHARED_BYTES);
        return new HistoricProgram.Source("sample_sort_2009.cu", element, constants);
    }

    /// Shared memory of the block that sorts a sample.
    int sampleBytes(HistoricElement element) {
        return align((long) oversampling * bucketCount * element.elementBytes() + Integer.BYTES);
    }

    /// Shared memory of a block that counts.
    int distributionBytes(HistoricElement element) {
        return align(2L * bucketCount * element.keyBytes()
                + (long) counterArrays * bucketCount * Integer.BYTES
                + Integer.BYTES);
    }

    /// Shared memory of a block that scatters.
    int scatterBytes(HistoricElement element) {
        long tile = (long) threads * items * (element.elementBytes() + indexBytes());
        long starts = (long) (threads + bucketCount) * Integer.BYTES;
        return reorders ? align(distributionBytes(element) + tile + starts) : distributionBytes(element);
    }

    /// What of a block's shared memory a launch has to ask for.
    static int dynamicBytes(int bytes) {
        return bytes > HistoricProgram.FREE_SHARED_BYTES ? bytes : 0;
    }

    /// Bytes of a bucket's index, where it is stored.
    int indexBytes() {
        return bucketCount <= BYTE_BUCKETS ? Byte.BYTES : Short.BYTES;
    }

    private static int align(long bytes) {
        return Math.toIntExact((bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    }

    /// @throws IllegalArgumentException if a block of the GPU has too little shared memory for them
    void check(HistoricElement element, CudaDevice device) {
        check("the sample of a × k elements", sampleBytes(element), device);
        check("the splitters and counters of k buckets", distributionBytes(element), device);
        check("a reordered tile of t × l elements", scatterBytes(element), device);
    }

    private void check(String what, int needed, CudaDevice device) {
        int available = device.maxSharedBytesPerBlock();
        require(
                needed <= available,
                what + " takes " + needed + " bytes of shared memory with " + values() + ", and a block of "
                        + device.name() + " has " + available);
    }
}
