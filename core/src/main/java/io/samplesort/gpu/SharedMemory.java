package io.samplesort.gpu;

import io.samplesort.Tuning;

/// How many bytes of shared memory a block of each kernel takes; the same sums are made in the CUDA files.
record SharedMemory(KernelElement element, Tuning tuning) {
    private static final int WARP_SIZE = 32;
    private static final int QUEUE_BYTES = 2 * Kernels.QUEUE_COUNT * Integer.BYTES;

    /// `tuning`, with smaller samples, tiles and small sorts where a block has too little memory for them. The defaults
    /// are
    /// for one GPU, others have from 64 KiB on.
    ///
    /// @param available bytes that a block may have
    static Tuning fitting(KernelElement element, Tuning tuning, int available) {
        Tuning fitting = tuning;
        while (new SharedMemory(element, fitting).sample() > available && fitting.sampleThreads() % 64 == 0) {
            fitting = fitting.with("sampleThreads=" + fitting.sampleThreads() / 2);
        }
        while (new SharedMemory(element, fitting).scatter(fitting.maxBucketCount()) > available) {
            if (fitting.distributionItems() > 1) {
                fitting = fitting.with("distributionItems=" + fitting.distributionItems() / 2);
            } else if (fitting.maxBucketCount() > 2) {
                fitting = fitting.with("maxBucketCount=" + fitting.maxBucketCount() / 2);
            } else {
                break;
            }
        }
        while (new SharedMemory(element, fitting).smallSort(Kernels.SIZE_CLASS_COUNT - 1) > available) {
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

    int prepare() {
        return QUEUE_BYTES;
    }

    int sample() {
        return blockSort(tuning.sampleThreads(), tuning.sampleItems(), element.keyBytes()) + WARP_SIZE * Long.BYTES;
    }

    int count(int bucketCount) {
        return align(bucketCount * element.keyBytes()) + bucketCount * Integer.BYTES;
    }

    int scan() {
        return WARP_SIZE * Long.BYTES + QUEUE_BYTES;
    }

    /// As carved up by `ScatterShared` in scatter.cuh.
    int scatter(int bucketCount) {
        return align(tuning.tileSize() * element.elementBytes())
                + align(bucketCount * element.keyBytes())
                + bucketCount * (Long.BYTES + Integer.BYTES)
                + WARP_SIZE * Integer.BYTES
                + align(tuning.tileSize() * Short.BYTES);
    }

    /// What one sort of block_sort.cuh takes, and the two entries of small_sort.cuh.
    int smallSort(int sizeClass) {
        return blockSort(Kernels.sizeClassThreads(tuning, sizeClass), tuning.smallSortItems(), element.elementBytes())
                + 2 * Integer.BYTES;
    }

    /// `BlockSort::shared_bytes`: items with the free slots of `PaddedItems`, and where the parts of merges begin.
    private int blockSort(int threads, int items, int itemBytes) {
        return align(threads * (items + 1) * itemBytes) + (element.isOrderTrusted() ? 0 : threads * Integer.BYTES);
    }

    private static int align(int bytes) {
        return (bytes + 15) / 16 * 16;
    }

    /// @throws IllegalArgumentException if a kernel needs more than `available` bytes
    void check(int available) {
        check("the sample (sampleThreads × sampleItems)", sample(), available);
        check(
                "a tile and its splitter tree (distributionThreads × distributionItems, maxBucketCount)",
                scatter(tuning.maxBucketCount()),
                available);
        check(
                "the small sort (smallSortThreads × smallSortItems × 8)",
                smallSort(Kernels.SIZE_CLASS_COUNT - 1),
                available);
    }

    private static void check(String what, int needed, int available) {
        if (needed > available) {
            throw new IllegalArgumentException("tuning: " + what + " needs " + needed
                    + " bytes of shared memory and a block of this device has " + available);
        }
    }
}
