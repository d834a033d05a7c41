package io.samplesort.gpu.code;

import static io.samplesort.gpu.code.KernelConstants.WARP_SIZE;

import io.samplesort.types.Tuning;

/// Makes a tuning fit the shared memory of a GPU. The defaults were measured on a GPU whose blocks have much of it.
public final class FittingTuning {
    /// On GPUs whose blocks have less than this, two buffers would halve the threads of small sorts that fit.
    private static final int BYTES_OF_TWO_BUFFERS = 128 << 10;

    /// What the system takes of each block's shared memory.
    private static final int RESERVED_BYTES = 1 << 10;

    private FittingTuning() {}

    /// Returns the default tuning for elements on a GPU.
    ///
    /// @param architecture as NVRTC names it
    /// @param available    the bytes that a block may have
    public static Tuning defaultFor(KernelElement element, String architecture, int available) {
        Tuning byDefault =
                Tuning.defaultFor(element.keyBytes(), element.payloadBytes(), element.keepsOrder(), architecture);
        return of(element, byDefault, available);
    }

    /// Returns `tuning`, with smaller samples, tiles and small sorts if a block has too little memory for them. The
    /// defaults are for one GPU; blocks of others have as little as 64 KiB. A multiprocessor has a little more than one
    /// of its blocks may have.
    ///
    /// @param available the bytes that a block may have
    static Tuning of(KernelElement element, Tuning tuning, int available) {
        Tuning fitting = tuning;
        if (available < BYTES_OF_TWO_BUFFERS || new SharedMemory(element, fitting).blockSorts() > available) {
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
        int scatterBytes = new SharedMemory(element, fitting).scatter() + RESERVED_BYTES;
        int blocks = Math.max(1, (available + RESERVED_BYTES) / scatterBytes);
        if (blocks < fitting.distributionBlocks()) {
            // The registers of blocks that do not fit would lie idle, so no more blocks are planned than fit.
            fitting = fitting.with("distributionBlocks=" + blocks);
        }
        while (new SharedMemory(element, fitting).largestSort() > available) {
            if (fitting.smallSortThreads() > WARP_SIZE) {
                fitting = fitting.with("bucketTarget=" + halvedTarget(fitting) + ",smallSortThreads="
                        + fitting.smallSortThreads() / 2);
            } else if (fitting.smallSortCells() > 0) {
                // Cells are worth more than large buckets.
                fitting = fitting.with("smallSortCells=0");
            } else if (fitting.smallSortItems() > 2) {
                fitting = fitting.with(
                        "bucketTarget=" + halvedTarget(fitting) + ",smallSortItems=" + fitting.smallSortItems() / 2);
            } else {
                break;
            }
        }
        if (new SharedMemory(element, fitting).sortRuns() > available) {
            fitting = fitting.with("mergedRuns=0");
        }
        return fitting;
    }

    /// Returns the intended size of buckets if a block sorts half as many elements: a quarter of these, or less.
    private static int halvedTarget(Tuning tuning) {
        return Math.min(tuning.bucketTarget(), tuning.smallSortLimit() / 8);
    }
}
