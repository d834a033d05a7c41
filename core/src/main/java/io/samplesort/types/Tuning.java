package io.samplesort.types;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The tuning parameters of the GPU engine: they change how fast a sort is, never its result.
///
/// @param distributionThreads threads of a block that distributes a tile; a multiple of 32 from 32 to 1024
/// @param distributionItems   elements of a tile for each thread (the paper's ℓ), 1 to 64; the tile size is the product
/// @param distributionBlocks  blocks that distribute at once on one multiprocessor, at least: limits their registers; 1
///     to 16
/// @param maxBucketCount      most buckets of one distribution pass (the paper's k), a power of two from 2 to 4096
/// @param oversampling        sampled keys for each splitter (the paper's a), 1 to 1024; fewer where the sample would
///     not fit one block
/// @param bucketSlack         how many standard deviations of a sampled bucket size the fast layout has room for beyond
///     it; 0 for the exact layout, which counts the buckets first and needs less memory; up to 16
/// @param sampleThreads       threads of the block that sorts a sample; a multiple of 32 from 32 to 1024
/// @param sampleItems         sampled keys for each of these threads, a power of two from 2 to 32
/// @param smallSortThreads    threads of the smallest small sort, a power of two from 32 to 128; the size classes above
///     it have 2, 3, 4 and 8 times as many
/// @param smallSortItems      elements for each thread of a small sort, a power of two from 2 to 32
/// @param smallSortResidentThreads threads of small sorts at once on one multiprocessor, at least: limits their
///     registers; 32 to 2048
/// @param mergeBuffers        buffers of shared memory that a block merges in: 2, where they fit, takes one barrier a
///     round, 1 takes two
/// @param bucketTarget        how many elements the buckets should have on average after the last pass, at most
/// @param transferThreads     threads that copy between host memory and pinned buffers, each way; 1 to 256, and never
///     more than there are processors
/// @param transferBytes       bytes that such a thread copies at a time, a block; a multiple of 4096 up to 2^28
/// @param transferBlocks      blocks that share a buffer and a copy over the link; 1 to 64
/// @param chunkBytes          host memory that is sorted in one piece; more is sorted in chunks while others are on
///     their way; 4096 to 2^30
/// @param maxChunkCount       most such chunks where all fit the GPU; 1 to 16
public record Tuning(
        int distributionThreads,
        int distributionItems,
        int distributionBlocks,
        int maxBucketCount,
        int oversampling,
        int bucketSlack,
        int sampleThreads,
        int sampleItems,
        int smallSortThreads,
        int smallSortItems,
        int smallSortResidentThreads,
        int mergeBuffers,
        int bucketTarget,
        int transferThreads,
        int transferBytes,
        int transferBlocks,
        int chunkBytes,
        int maxChunkCount) {
    private static final int SIZE_CLASS_FACTOR = 8;
    private static final int PAGE_BYTES = 4096;
    private static final String MEASURED_ARCHITECTURE = "sm_90";

    /// @throws IllegalArgumentException if a parameter is out of its range; the message names it
    public Tuning {
        requireThreads("distributionThreads", distributionThreads, 1024);
        requireRange("distributionItems", distributionItems, 1, 64);
        requireRange("distributionBlocks", distributionBlocks, 1, 16);
        requireRange("maxBucketCount", maxBucketCount, 2, 4096);
        requirePowerOfTwo("maxBucketCount", maxBucketCount);
        requireRange("oversampling", oversampling, 1, 1024);
        requireRange("bucketSlack", bucketSlack, 0, 16);
        requireThreads("sampleThreads", sampleThreads, 1024);
        requireRange("sampleItems", sampleItems, 2, 32);
        requirePowerOfTwo("sampleItems", sampleItems);
        requireThreads("smallSortThreads", smallSortThreads, 1024 / SIZE_CLASS_FACTOR);
        requirePowerOfTwo("smallSortThreads", smallSortThreads);
        requireRange("smallSortItems", smallSortItems, 2, 32);
        requirePowerOfTwo("smallSortItems", smallSortItems);
        requireRange("smallSortResidentThreads", smallSortResidentThreads, 32, 2048);
        requireRange("mergeBuffers", mergeBuffers, 1, 2);
        requireRange("bucketTarget", bucketTarget, 1, smallSortThreads * smallSortItems * SIZE_CLASS_FACTOR);
        requireRange("transferThreads", transferThreads, 1, 256);
        requireRange("transferBytes", transferBytes, PAGE_BYTES, 1 << 28);
        if (transferBytes % PAGE_BYTES != 0) {
            throw new IllegalArgumentException(
                    "tuning transferBytes=" + transferBytes + ": must be a multiple of " + PAGE_BYTES);
        }
        requireRange("transferBlocks", transferBlocks, 1, 64);
        requireRange("chunkBytes", chunkBytes, PAGE_BYTES, 1 << 30);
        requireRange("maxChunkCount", maxChunkCount, 1, 16);
    }

    /// Tuning of the kernels, with the default transfers.
    public Tuning(
            int distributionThreads,
            int distributionItems,
            int distributionBlocks,
            int maxBucketCount,
            int oversampling,
            int bucketSlack,
            int sampleThreads,
            int sampleItems,
            int smallSortThreads,
            int smallSortItems,
            int smallSortResidentThreads,
            int bucketTarget) {
        this(
                distributionThreads,
                distributionItems,
                distributionBlocks,
                maxBucketCount,
                oversampling,
                bucketSlack,
                sampleThreads,
                sampleItems,
                smallSortThreads,
                smallSortItems,
                smallSortResidentThreads,
                2,
                bucketTarget,
                12,
                2 << 20,
                4,
                128 << 20,
                16);
    }

    /// The defaults for elements of this type on a GPU of this architecture. They were measured on an NVIDIA H200, that
    /// is `sm_90` (see docs/tuning-log.md); elsewhere registers are left to the compiler, which spills where they are
    /// held to the limits that pay on that GPU.
    ///
    /// @param key          the type of the keys
    /// @param payload      the type of the payload, null where there is none
    /// @param architecture as NVRTC names it, such as `sm_80`
    public static Tuning defaultFor(ElementType key, ElementType payload, String architecture) {
        return defaultFor(key.byteSize(), payload == null ? 0 : payload.byteSize(), false, architecture);
    }

    /// The defaults for elements of this type on the GPU they were measured on.
    ///
    /// @param key     the type of the keys
    /// @param payload the type of the payload, null where there is none
    public static Tuning defaultFor(ElementType key, ElementType payload) {
        return defaultFor(key, payload, MEASURED_ARCHITECTURE);
    }

    /// The defaults for what the kernels move: keys of so many bytes, with payloads of so many. Sorts by index move
    /// sort keys, which have other sizes than the elements.
    ///
    /// @param payloadBytes 0 where there is none
    /// @param keepsOrder   whether equal elements keep their order while they are moved, as stable pairs do
    /// @param architecture as NVRTC names it, such as `sm_80`
    public static Tuning defaultFor(int keyBytes, int payloadBytes, boolean keepsOrder, String architecture) {
        Tuning measured = payloadBytes == 0 ? ofKeys(keyBytes) : ofPairs(keyBytes, payloadBytes);
        if (keepsOrder) {
            // The small sort compares keys with their positions, which take registers.
            measured = measured.with("smallSortResidentThreads=" + (keyBytes == Integer.BYTES ? 768 : 384));
        }
        return architecture.equals(MEASURED_ARCHITECTURE)
                ? measured
                : measured.with("distributionBlocks=1,smallSortResidentThreads=32");
    }

    private static Tuning ofKeys(int bytes) {
        if (bytes < Integer.BYTES) {
            return new Tuning(512, 12, 2, 512, 16, 6, 1024, 8, 64, 16, 640, 2048);
        }
        if (bytes == Integer.BYTES) {
            return new Tuning(512, 16, 2, 512, 16, 6, 1024, 8, 32, 32, 1024, 2048);
        }
        if (bytes <= Long.BYTES) {
            return new Tuning(512, 12, 2, 512, 16, 6, 1024, 8, 64, 16, 1024, 2048);
        }
        if (bytes <= 3 * Integer.BYTES) {
            return new Tuning(512, 8, 2, 512, 16, 6, 1024, 8, 64, 16, 768, 2048);
        }
        if (bytes <= 2 * Long.BYTES) {
            return new Tuning(256, 12, 2, 512, 16, 6, 1024, 4, 128, 8, 896, 2048);
        }
        // Fewer of the larger ones fit shared memory.
        if (bytes <= 4 * Long.BYTES) {
            return new Tuning(256, 8, 2, 256, 16, 6, 512, 8, 64, 8, 512, 1024);
        }
        return bytes <= 8 * Long.BYTES
                ? new Tuning(256, 6, 1, 128, 16, 6, 256, 8, 64, 4, 384, 512)
                : new Tuning(256, 2, 1, 64, 4, 6, 128, 4, 32, 2, 256, 128);
    }

    private static Tuning ofPairs(int keyBytes, int payloadBytes) {
        if (keyBytes == payloadBytes && keyBytes >= Integer.BYTES) {
            // Moved as whole elements (primitives.cuh).
            return keyBytes == Integer.BYTES
                    ? new Tuning(512, 12, 2, 512, 16, 6, 1024, 8, 64, 16, 1152, 2048)
                    : new Tuning(512, 8, 2, 512, 16, 6, 1024, 8, 64, 16, 640, 2048);
        }
        // Keys and payloads go to arrays of their own: larger tiles make longer runs in each.
        return keyBytes + payloadBytes <= Long.BYTES
                ? new Tuning(512, 16, 1, 512, 16, 6, 1024, 8, 64, 16, 640, 2048)
                : new Tuning(512, 12, 1, 512, 16, 6, 1024, 8, 128, 8, 1024, 2048);
    }

    /// This tuning with some parameters replaced.
    ///
    /// @param overrides `name=value` pairs separated by commas, such as `distributionItems=16,oversampling=30`
    /// @throws IllegalArgumentException if a name is unknown or a value is no number or out of its range
    public Tuning with(String overrides) {
        Objects.requireNonNull(overrides, "overrides");
        List<String> names = names();
        int[] values = values();
        for (String override : overrides.isBlank() ? new String[0] : overrides.split(",")) {
            String[] parts = override.split("=", 2);
            int index = names.indexOf(parts[0].strip());
            if (parts.length != 2 || index < 0) {
                throw new IllegalArgumentException("tuning '" + override.strip()
                        + "': use name=value with a name out of " + String.join(", ", names));
            }
            try {
                values[index] = Integer.parseInt(parts[1].strip());
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "tuning '" + override.strip() + "': the value is no whole number", e);
            }
        }
        return of(values);
    }

    /// All parameters by name, in the order they are declared; [#with] knows them by these names.
    public Map<String, Integer> parameters() {
        List<String> names = names();
        int[] values = values();
        Map<String, Integer> parameters = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i++) {
            parameters.put(names.get(i), values[i]);
        }
        return parameters;
    }

    /// Elements a distribution block takes at a time.
    public int tileSize() {
        return distributionThreads * distributionItems;
    }

    /// The largest bucket that a single block sorts in shared memory (the paper's M).
    public int smallSortLimit() {
        return smallSortThreads * smallSortItems * SIZE_CLASS_FACTOR;
    }

    private static List<String> names() {
        return Arrays.stream(Tuning.class.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }

    private int[] values() {
        return new int[] {
            distributionThreads,
            distributionItems,
            distributionBlocks,
            maxBucketCount,
            oversampling,
            bucketSlack,
            sampleThreads,
            sampleItems,
            smallSortThreads,
            smallSortItems,
            smallSortResidentThreads,
            mergeBuffers,
            bucketTarget,
            transferThreads,
            transferBytes,
            transferBlocks,
            chunkBytes,
            maxChunkCount
        };
    }

    private static Tuning of(int[] v) {
        return new Tuning(
                v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15],
                v[16], v[17]);
    }

    private static void requireRange(String name, int value, int low, int high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(
                    "tuning " + name + "=" + value + ": must be from " + low + " to " + high);
        }
    }

    private static void requireThreads(String name, int value, int high) {
        requireRange(name, value, 32, high);
        if (value % 32 != 0) {
            throw new IllegalArgumentException("tuning " + name + "=" + value + ": must be a multiple of 32, a warp");
        }
    }

    private static void requirePowerOfTwo(String name, int value) {
        if (Integer.bitCount(value) != 1) {
            throw new IllegalArgumentException("tuning " + name + "=" + value + ": must be a power of two");
        }
    }
}
