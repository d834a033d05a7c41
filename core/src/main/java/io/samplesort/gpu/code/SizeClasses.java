package io.samplesort.gpu.code;

import io.samplesort.types.Tuning;

/// The size classes of the small sort: blocks of several sizes sort buckets, and each size is a class with queues of
/// its own (queues.cuh).
public final class SizeClasses {
    /// How many size classes there are (`kSizeClassCount`).
    public static final int COUNT = 6;

    /// How many queues there are (`kQueueCount`).
    public static final int QUEUE_COUNT = 2 * COUNT;

    /// The class of the largest buckets that a block can sort.
    public static final int LARGEST = COUNT - 1;

    /// The threads of each class in halves of `smallSortThreads`, if such a half is a number of whole warps.
    /// [Tuning#smallSortLimit] has the last one, too.
    private static final int[] HALVES = {3, 4, 5, 6, 8, 16};

    /// The same for halves that are no whole warps.
    private static final int[] COARSE_HALVES = {2, 4, 6, 8, 12, 16};

    private SizeClasses() {}

    /// Returns the threads of a block that sorts buckets of a size class, as `size_class_threads` in queues.cuh does.
    public static int threads(Tuning tuning, int sizeClass) {
        boolean hasHalves = tuning.smallSortThreads() / 2 % KernelConstants.WARP_SIZE == 0;
        int halves = hasHalves ? HALVES[sizeClass] : COARSE_HALVES[sizeClass];
        return tuning.smallSortThreads() * halves / 2;
    }

    /// Returns the size of the largest buckets of a class.
    public static long limit(Tuning tuning, int sizeClass) {
        return (long) threads(tuning, sizeClass) * tuning.smallSortItems();
    }

    /// Returns the size class of a bucket, as `size_class` in queues.cuh does.
    public static int of(Tuning tuning, long bucketSize) {
        int sizeClass = 0;
        while (bucketSize > limit(tuning, sizeClass)) {
            sizeClass++;
        }
        return sizeClass;
    }
}
