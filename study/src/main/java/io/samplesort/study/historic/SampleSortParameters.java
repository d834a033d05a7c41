package io.samplesort.study.historic;

import io.samplesort.cuda.CudaDevice;
import java.util.LinkedHashMap;
import java.util.Map;

/// The parameters of the published sample sort, and two of its choices.
///
/// @param bucketCount    k, a power of two up to 4096
/// @param maxBucketSize  M; larger buckets are distributed
/// @param threads        the threads of a tile; 32 to 1024
/// @param items          ℓ, the elements of a thread
/// @param oversampling   a, the sampled elements for each splitter
/// @param counterArrays  the counter arrays of a tile, which share the counting
/// @param smallElements  how many elements a block sorts by a network in shared memory
/// @param storesBuckets  whether the count stores the bucket of each element, which the scatter then need not find
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
    /// How much shared memory of 2009 the small elements take.
    private static final int SMALL_BYTES = 8192;

    private static final int MAX_BUCKETS = 4096;

    /// With at most this many buckets, an index has one byte.
    private static final int BYTE_BUCKETS = 256;

    private static final int ALIGNMENT = 16;

    /// @throws IllegalArgumentException if the kernels are not made for a value
    public SampleSortParameters {
        require(
                Integer.bitCount(bucketCount) == 1 && bucketCount >= 2 && bucketCount <= MAX_BUCKETS,
                "k = " + bucketCount + ": use a power of two from 2 to " + MAX_BUCKETS);
        require(threads >= 32 && threads <= 1024, "t = " + threads + ": use 32 to 1024 threads");
        require(
                maxBucketSize > 0 && items > 0 && oversampling > 0 && counterArrays > 0 && smallElements > 0,
                "M, ℓ, a, the counter arrays and the elements of a network must be 1 or more");
    }

    /// Returns the values of the paper.
    public static SampleSortParameters published(HistoricElement element) {
        Map<String, Long> values = new LinkedHashMap<>();
        values.put("k", 128L);
        values.put("M", 1L << 17);
        values.put("t", 256L);
        values.put("l", 8L);
        values.put("a", element.elementBytes() > Integer.BYTES ? 15L : 30);
        values.put("counterArrays", 8L);
        values.put("smallElements", (long) SMALL_BYTES / element.elementBytes());
        values.put("stored", 0L);
        values.put("reordered", 0L);
        return of(values);
    }

    /// @param values all parameters, as [#values] names them
    private static SampleSortParameters of(Map<String, Long> values) {
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

    /// Returns all parameters by the names that they have in results. A choice is 1 if it is not that of the paper.
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

    /// Returns these parameters with another value of one of them.
    ///
    /// @param name the name in [#values]
    /// @throws IllegalArgumentException if there is no such parameter, or the kernels are not made for the value
    public SampleSortParameters with(String name, long value) {
        Map<String, Long> values = values();
        require(values.replace(name, value) != null, "'" + name + "': use one of " + values.keySet());
        return of(values);
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

    /// Returns the shared memory of a block that sorts a sample.
    int sampleBytes(HistoricElement element) {
        return align((long) oversampling * bucketCount * element.elementBytes() + Integer.BYTES);
    }

    /// Returns the shared memory of a block that counts.
    int distributionBytes(HistoricElement element) {
        return align(2L * bucketCount * element.keyBytes()
                + (long) counterArrays * bucketCount * Integer.BYTES
                + Integer.BYTES);
    }

    /// Returns the shared memory of a block that scatters.
    int scatterBytes(HistoricElement element) {
        long tile = (long) threads * items * (element.elementBytes() + indexBytes());
        long starts = (long) (threads + bucketCount) * Integer.BYTES;
        return reorders ? align(distributionBytes(element) + tile + starts) : distributionBytes(element);
    }

    /// Returns how much of the shared memory of a block a launch has to ask for.
    static int dynamicBytes(int bytes) {
        return bytes > HistoricProgram.FREE_SHARED_BYTES ? bytes : 0;
    }

    /// Returns the bytes of the index of a bucket in memory.
    int indexBytes() {
        return bucketCount <= BYTE_BUCKETS ? Byte.BYTES : Short.BYTES;
    }

    private static int align(long bytes) {
        return Math.toIntExact((bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    }

    /// Checks that a block of the GPU has enough shared memory.
    ///
    /// @throws IllegalArgumentException if it has not
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
