package io.samplesort.types;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The tuning parameters of the GPU engine: they change how fast a sort is, never its result. Start from
/// [#defaultFor(ElementType, ElementType)] and replace some by name:
///
/// ```java
/// Tuning tuning = Tuning.defaultFor(ElementType.LONG, null).with("distributionItems=16,oversampling=30");
/// ```
public final class Tuning {
    /// The largest small sort, in the last size class, has this factor times [#smallSortThreads] threads.
    static final int SIZE_CLASS_FACTOR = 8;

    private final int[] values;

    /// @param values of all parameters in the order of [TuningParameter]; they must not change any more
    /// @throws IllegalArgumentException if a value is out of its range; the message names the parameter
    Tuning(int[] values) {
        this.values = values;
        for (TuningParameter parameter : TuningParameter.ALL) {
            parameter.check(value(parameter), smallSortLimit());
        }
    }

    /// Returns the defaults for elements of this type on a GPU of this architecture. They were measured on an NVIDIA
    /// H200, whose architecture is `sm_90`. On other GPUs the common kernels have as few registers as the compiler can
    /// do with, and others as many as it wants.
    ///
    /// @param key          the type of the keys
    /// @param payload      the type of the payload; null if there is no payload
    /// @param architecture as NVRTC names it, such as `sm_80`
    public static Tuning defaultFor(ElementType key, @Nullable ElementType payload, String architecture) {
        return defaultFor(key.byteSize(), payload == null ? 0 : payload.byteSize(), false, architecture);
    }

    /// Returns the defaults for elements of this type on the GPU they were measured on.
    ///
    /// @param key     the type of the keys
    /// @param payload the type of the payload; null if there is no payload
    public static Tuning defaultFor(ElementType key, @Nullable ElementType payload) {
        return defaultFor(key, payload, TuningDefaults.MEASURED_ARCHITECTURE);
    }

    /// Returns the defaults for what the kernels move: keys and payloads of these sizes. Sorts by index move sort keys,
    /// whose sizes differ from those of the elements.
    ///
    /// @param payloadBytes 0 if there is no payload
    /// @param keepsOrder   whether equal elements keep their order while they are moved, as stable pairs do
    /// @param architecture as NVRTC names it, such as `sm_80`
    public static Tuning defaultFor(int keyBytes, int payloadBytes, boolean keepsOrder, String architecture) {
        return TuningDefaults.of(keyBytes, payloadBytes, keepsOrder, architecture);
    }

    /// Returns this tuning with some parameters replaced.
    ///
    /// @param overrides `name=value` pairs separated by commas, such as `distributionItems=16,oversampling=30`
    /// @throws IllegalArgumentException if a name is unknown, or a value is not a number or out of its range
    public Tuning with(String overrides) {
        if (overrides.isBlank()) {
            return this;
        }
        int[] replaced = values.clone();
        replace(replaced, overrides);
        return new Tuning(replaced);
    }

    /// Writes `name=value` pairs to their places among the values of all parameters.
    static void replace(int[] values, String overrides) {
        for (String override : overrides.split(",")) {
            String[] parts = override.split("=", 2);
            TuningParameter parameter = TuningParameter.named(parts[0].strip());
            if (parts.length != 2 || parameter == null) {
                throw new IllegalArgumentException("tuning '" + override.strip()
                        + "': use name=value with one of the names " + TuningParameter.labels());
            }
            try {
                values[parameter.ordinal()] = Integer.parseInt(parts[1].strip());
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "tuning '" + override.strip() + "': the value is not a whole number", e);
            }
        }
    }

    /// Returns all parameters by name, in the order of the methods below; [#with] knows them by these names.
    public Map<String, Integer> parameters() {
        Map<String, Integer> parameters = new LinkedHashMap<>();
        for (TuningParameter parameter : TuningParameter.ALL) {
            parameters.put(parameter.label(), value(parameter));
        }
        return parameters;
    }

    /// Returns the number of threads of a block that distributes a tile; a multiple of 32 from 32 to 1024.
    public int distributionThreads() {
        return value(TuningParameter.DISTRIBUTION_THREADS);
    }

    /// Returns the number of elements of a tile for each thread (the paper's ℓ); 1 to 64. See [#tileSize].
    public int distributionItems() {
        return value(TuningParameter.DISTRIBUTION_ITEMS);
    }

    /// Returns the least number of distributing blocks that must fit on one multiprocessor at once, which limits their
    /// registers; 1 to 16.
    public int distributionBlocks() {
        return value(TuningParameter.DISTRIBUTION_BLOCKS);
    }

    /// Returns the most buckets of one distribution pass (the paper's k); a power of two from 2 to 4096.
    public int maxBucketCount() {
        return value(TuningParameter.MAX_BUCKET_COUNT);
    }

    /// Returns the number of cells for each of these buckets in the grid by which a distribution pass finds the buckets
    /// of keys that are numbers; at most 16. With 0, a pass always walks the splitter tree.
    public int gridCells() {
        return value(TuningParameter.GRID_CELLS);
    }

    /// Returns the number of sampled keys for each splitter (the paper's a); 1 to 1024. There are fewer where the
    /// sample would not fit one block.
    public int oversampling() {
        return value(TuningParameter.OVERSAMPLING);
    }

    /// Returns the room that the first pass leaves for a bucket beyond its size in the sample, in standard deviations
    /// of that size; 1 to 16. Other passes leave one less, but at least one.
    public int bucketSlack() {
        return value(TuningParameter.BUCKET_SLACK);
    }

    /// Returns how much memory a sort on the GPU may take in addition to its input, if that is free, in percent of the
    /// input; 0 to 1000. It may always take a sixty-fourth of the GPU's memory. The less it may take, the more groups
    /// of buckets it sorts one after another, and each group costs some time. At 0 it takes as little as it can.
    public int extraPercent() {
        return value(TuningParameter.EXTRA_PERCENT);
    }

    /// Returns the number of elements from which arrays in device memory are sorted in place, which takes a tenth of
    /// the input as extra memory; 0 to 2^31 - 1. With 0 this happens only if there is too little memory for any other
    /// sort. Sorts by index, asynchronous sorts and those that count keys are never in place.
    public int inPlaceSize() {
        return value(TuningParameter.IN_PLACE_SIZE);
    }

    /// Returns the number of elements from which inputs are checked for existing order. Inputs that are sorted, or in
    /// the opposite order, are then only read, copied or reversed. For most other inputs, a few keys rule that out. 0
    /// checks none. Keys of 8 and 16 bits that are counted are not checked.
    public int orderCheckSize() {
        return value(TuningParameter.ORDER_CHECK_SIZE);
    }

    /// Returns the most sorted runs that are merged, in inputs that are checked for order; 0 to 64. 0 and 1 merge none.
    /// The default is what was measured to pay: 64 for keys of 4 to 8 bytes, alone or with payloads of their size, and
    /// for structs and sort keys of 13 to 16 bytes; 0 for all others, and for pairs that keep the order of equal keys.
    /// Runs by an order of the user's own are not merged.
    public int mergedRuns() {
        return value(TuningParameter.MERGED_RUNS);
    }

    /// Returns the number of elements of the largest input that is not divided; 0 to 2^20, 2^16 by default. Single
    /// blocks sort runs of it, and then each element's place is looked up in all runs at once. One block alone sorts up
    /// to 8192 elements (4096 of more than 8 bytes, or [#smallSortLimit] if that is less). Sorts by index, and sorts by
    /// an order of the user's own, divide every input above that limit.
    public int rankedSize() {
        return value(TuningParameter.RANKED_SIZE);
    }

    /// Returns the number of threads of the block that sorts a sample; a multiple of 32 from 32 to 1024.
    public int sampleThreads() {
        return value(TuningParameter.SAMPLE_THREADS);
    }

    /// Returns the number of sampled keys for each of these threads; a power of two from 2 to 32.
    public int sampleItems() {
        return value(TuningParameter.SAMPLE_ITEMS);
    }

    /// Returns the number of threads that all small sorts have a multiple of; a power of two from 32 to 128. The
    /// smallest size class has this many or one and a half times as many, the largest 8 times as many.
    public int smallSortThreads() {
        return value(TuningParameter.SMALL_SORT_THREADS);
    }

    /// Returns the number of elements for each thread of a small sort; a power of two from 2 to 32.
    public int smallSortItems() {
        return value(TuningParameter.SMALL_SORT_ITEMS);
    }

    /// Returns the least number of threads of small sorts that must fit on one multiprocessor at once, which limits
    /// their registers; 32 to 2048.
    public int smallSortResidentThreads() {
        return value(TuningParameter.SMALL_SORT_RESIDENT_THREADS);
    }

    /// Returns the number of cells for each thread of a small sort, which sorts keys that are evenly spread numbers by
    /// them; a multiple of 4, at most 32. With 0, small sorts use networks and merges only.
    public int smallSortCells() {
        return value(TuningParameter.SMALL_SORT_CELLS);
    }

    /// Returns the number of buffers of shared memory in which a block merges. With 2, where they fit, a round takes
    /// one barrier; with 1 it takes two.
    public int mergeBuffers() {
        return value(TuningParameter.MERGE_BUFFERS);
    }

    /// Returns the most elements that buckets may have on average after the last pass; 1 to [#smallSortLimit]. By
    /// default it is at most a quarter of that limit, so that hardly any bucket is larger than one block can sort.
    public int bucketTarget() {
        return value(TuningParameter.BUCKET_TARGET);
    }

    /// Returns the number of threads that copy between host memory and pinned buffers in each direction; 1 to 256.
    /// There are never more than there are processors.
    public int transferThreads() {
        return value(TuningParameter.TRANSFER_THREADS);
    }

    /// Returns the number of bytes that such a thread copies at a time, a transfer block; a multiple of 4096 up to
    /// 2^28.
    public int transferBytes() {
        return value(TuningParameter.TRANSFER_BYTES);
    }

    /// Returns the number of transfer blocks that share a buffer and one copy over the link; 1 to 64.
    public int transferBlocks() {
        return value(TuningParameter.TRANSFER_BLOCKS);
    }

    /// Returns how many microseconds a thread that copies waits for others before it sleeps; 0 to 1,000,000. At 0 it
    /// sleeps at once. Otherwise a transfer also has more buffers, and its first and last copies are small.
    public int transferAwakeMicros() {
        return value(TuningParameter.TRANSFER_AWAKE_MICROS);
    }

    /// Returns the number of bytes of host memory that are sorted in one piece; 4096 to 2^30. Larger inputs are sorted
    /// in chunks, each while others are transferred.
    public int chunkBytes() {
        return value(TuningParameter.CHUNK_BYTES);
    }

    /// Returns the most such chunks if all of them fit the GPU; 1 to 16.
    public int maxChunkCount() {
        return value(TuningParameter.MAX_CHUNK_COUNT);
    }

    /// Returns the number of bytes that is divided by the number of GPUs: an array in their memory that has fewer bytes
    /// than the result is sorted by one of them; 0 to 2^31 - 1.
    public int oneGpuBytes() {
        return value(TuningParameter.ONE_GPU_BYTES);
    }

    /// Returns the most bytes on one GPU with which several GPUs each sort their own part of an array and then merge
    /// the parts; 0 to 2^31 - 1. Only elements whose sorted runs are merged on one GPU are merged in this way
    /// ([#mergedRuns]).
    public int mergedBytes() {
        return value(TuningParameter.MERGED_BYTES);
    }

    /// Returns how many elements each of several GPUs needs to take part in an exchange of the buckets of a first pass;
    /// 0 to 2^31 - 1. If one has fewer, they exchange pieces of sorted parts instead.
    public int bucketExchangeSize() {
        return value(TuningParameter.BUCKET_EXCHANGE_SIZE);
    }

    /// Returns how many elements a distribution block takes at a time.
    public int tileSize() {
        return distributionThreads() * distributionItems();
    }

    /// Returns the size of the largest bucket that a single block sorts in shared memory (the paper's M).
    public int smallSortLimit() {
        return smallSortThreads() * smallSortItems() * SIZE_CLASS_FACTOR;
    }

    private int value(TuningParameter parameter) {
        return values[parameter.ordinal()];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Tuning tuning && Arrays.equals(values, tuning.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    /// Returns all parameters in the form that [#with] reads.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (TuningParameter parameter : TuningParameter.ALL) {
            text.append(text.isEmpty() ? "" : ",")
                    .append(parameter.label())
                    .append('=')
                    .append(value(parameter));
        }
        return text.toString();
    }
}
