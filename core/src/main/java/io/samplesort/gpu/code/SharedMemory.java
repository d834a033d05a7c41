package io.samplesort.gpu.code;

import io.samplesort.types.Tuning;

/// How many bytes of shared memory a block of each kernel takes; the same sums are made in the CUDA files.
public record SharedMemory(KernelElement element, Tuning tuning) {
    private static final int WARP_SIZE = 32;
    /// What a block has on the GPU of the defaults. Two buffers of more are never asked for.
    private static final int MOST_BYTES = 227 << 10;

    /// Of `ChainedTile` in tile_chain.cuh.
    private static final int CHAINED_TILE_BYTES = 5 * Long.BYTES;

    private static final int QUEUE_BYTES = 2 * SizeClasses.QUEUE_COUNT * Integer.BYTES;

    /// `tuning`, with smaller samples, tiles and small sorts where a block has too little memory for them. The
    /// defaults are for one GPU, others have from 64 KiB on.
    ///
    /// @param available bytes that a block may have
    static Tuning fitting(KernelElement element, Tuning tuning, int available) {
        Tuning fitting = tuning;
        if (new SharedMemory(element, fitting).blockSorts() > available) {
            fitting = fitting.with("mergeBuffers=1");
        }
        while (new SharedMemory(element, fitting).sample() > available && fitting.sampleThreads() % 64 == 0) {
            fitting = fitting.with("sampleThreads=" + fitting.sampleThreads() / 2);
        }
        while (new SharedMemory(element, fitting).scatter() > available) {
            if (fitting.distributionItems() > 1) {
                fitting = fitting.with("distributionItems=" + fitting.distributionItems() / 2);
            } else if (fitting.maxBucketCount() > 2) {
                fitting = fitting.with("maxBucketCount=" + fitting.maxBucketCount() / 2);
            } else {
                break;
            }
        }
        while (new SharedMemory(element, fitting).largestSort() > available) {
            boolean hasThreads = fitting.smallSortThreads() > WARP_SIZE;
            if (!hasThreads && fitting.smallSortItems() == 2) {
                break;
            }
            int bucketTarget = Math.min(fitting.bucketTarget(), fitting.smallSortLimit() / 8);
            fitting = fitting.with("bucketTarget=" + bucketTarget
                    + (hasThreads
                            ? ",smallSortThreads=" + fitting.smallSortThreads() / 2
                            : ",smallSortItems=" + fitting.smallSortItems() / 2));
        }
        return fitting;
    }

    public int prepare() {
        return QUEUE_BYTES;
    }

    /// As carved up by `SampleShared` in sample.cuh.
    public int sample() {
        return sample(sampleBuffers());
    }

    /// Buffers that a sample is merged in.
    public int sampleBuffers() {
        return buffers(sample(2));
    }

    private int sample(int buffers) {
        return blockSort(tuning.sampleThreads(), tuning.sampleItems(), element.keyBytes(), buffers)
                + align(2 * element.keyBytes())
                + align(2 * Integer.BYTES)
                + WARP_SIZE * Long.BYTES
                + tuning.maxBucketCount() * 2 * Integer.BYTES;
    }

    private int buffers(int bytesWithTwo) {
        return tuning.mergeBuffers() == 2 && element.isOrderTrusted() && bytesWithTwo <= MOST_BYTES ? 2 : 1;
    }

    private int blockSorts() {
        int most = sample();
        for (int c = 0; c < SizeClasses.COUNT; c++) {
            most = Math.max(most, smallSort(c));
        }
        return most;
    }

    public int count(int bucketCount) {
        return align(bucketCount * element.keyBytes()) + bucketCount * Integer.BYTES + equality(bucketCount);
    }

    /// `EqualityBuckets` in splitter_tree.cuh.
    private static int equality(int bucketCount) {
        return (bucketCount / WARP_SIZE + 1) * Integer.BYTES;
    }

    public int scan() {
        return WARP_SIZE * Long.BYTES + QUEUE_BYTES;
    }

    /// As carved up by `ScatterShared` in bucket_order.cuh, and by `StableScatterShared` in stable_scatter.cuh.
    public int scatter() {
        int bucketCount = tuning.maxBucketCount();
        int bytes = align(tuning.tileSize() * element.elementBytes())
                + align(tuning.tileSize() / WARP_SIZE * 2 * Integer.BYTES)
                + WARP_SIZE * Integer.BYTES
                + align((bucketCount + 1) * Long.BYTES)
                + align((bucketCount + 1) * Integer.BYTES)
                + align(bucketCount * Long.BYTES)
                + align(bucketCount * element.keyBytes())
                + equality(bucketCount);
        if (!element.keepsOrder()) {
            return bytes;
        }
        int warps = tuning.distributionThreads() / WARP_SIZE;
        int laneBytes = warps * align((bucketCount + 1) * Integer.BYTES);
        return align(bytes)
                + warps * align((bucketCount + 1) * Short.BYTES)
                + 2 * CHAINED_TILE_BYTES
                + (laneBytes <= align(tuning.tileSize() * element.elementBytes()) ? 0 : laneBytes);
    }

    /// What one sort of block_sort.cuh takes, and the two entries of small_sort.cuh.
    public int smallSort(int sizeClass) {
        return smallSort(sizeClass, smallSortBuffers(sizeClass));
    }

    /// Buffers that a bucket of a size class is merged in; the same for all classes but the largest.
    int smallSortBuffers(int sizeClass) {
        if (sizeClass == SizeClasses.LARGEST) {
            return buffers(smallSort(sizeClass, 2));
        }
        // Not where a multiprocessor would have room for fewer threads than the tuning wants.
        int threads = Math.max(tuning.smallSortResidentThreads(), SizeClasses.threads(tuning, SizeClasses.LARGEST - 1));
        return buffers(blockSort(threads, tuning.smallSortItems(), element.smallSortItemBytes(), 2));
    }

    private int smallSort(int sizeClass, int buffers) {
        int threads = SizeClasses.threads(tuning, sizeClass);
        return blockSort(threads, tuning.smallSortItems(), element.smallSortItemBytes(), buffers) + 2 * Integer.BYTES;
    }

    /// What merging a tile of a bucket takes that no block can sort.
    public int mergeTile() {
        int threads = SizeClasses.threads(tuning, SizeClasses.LARGEST);
        return blockSort(threads, tuning.smallSortItems(), element.elementBytes(), 1);
    }

    /// The small sort of the largest buckets and the merges of what is larger: where keys are sorted with their
    /// positions, what is merged may be larger.
    private int largestSort() {
        return Math.max(smallSort(SizeClasses.LARGEST), mergeTile());
    }

    /// `BlockSort::shared_bytes`: items with the free slots of `PaddedItems`, and where the parts of merges begin.
    private int blockSort(int threads, int items, int itemBytes, int buffers) {
        return buffers * align(threads * (items + 1) * itemBytes)
                + (element.isOrderTrusted() ? 0 : threads * Integer.BYTES);
    }

    private static int align(int bytes) {
        return (bytes + 15) / 16 * 16;
    }

    /// @throws IllegalArgumentException if a kernel needs more than `available` bytes
    void check(int available) {
        check("the sample (sampleThreads × sampleItems)", sample(), available);
        check(
                "a tile and its splitter tree (distributionThreads × distributionItems, maxBucketCount)",
                scatter(),
                available);
        check("the small sort (smallSortThreads × smallSortItems × 8)", largestSort(), available);
    }

    private static void check(String what, int needed, int available) {
        if (needed > available) {
            throw new IllegalArgumentException("tuning: " + what + " needs " + needed
                    + " bytes of shared memory and a block of this device has " + available);
        }
    }
}
