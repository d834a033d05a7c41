package io.samplesort.gpu.code;

import io.samplesort.types.Tuning;

/// The size classes of the small sort: buckets are sorted by blocks of several sizes, and each size is a class. What is
/// larger than the largest class has a queue of its own, which goes to the merge sort (queues.cuh).
public final class SizeClasses {
    /// How many size classes there are.
    public static final int COUNT = 6;

    /// The class of the largest buckets that a block can sort.
    public static final int LARGEST = COUNT - 1;

    /// A queue for each class, and one for what is larger.
    public static final int QUEUE_COUNT = COUNT + 1;

    private static final int WARP_THREADS = 32;

    /// Threads of a class in halves of the smallest sort's, where half of it is whole warps, and where it is not.
    private static final int[] HALVES = {3, 4, 5, 6, 8, 16};

    private static final int[] COARSE_HALVES = {2, 4, 6, 8, 12, 16};

    private SizeClasses() {}

    /// Threads of the blocks of a size class, as by `size_class_threads` in queues.cuh.
    public static int threads(Tuning tuning, int sizeClass) {
        boolean hasHalves = tuning.smallSortThreads() / 2 % WARP_THREADS == 0;
        int halves = hasHalves ? HALVES[sizeClass] : COARSE_HALVES[sizeClass];
        return tuning.smallSortThreads() * halves / 2;
    }

    /// The size class of a bucket, as by `size_class` in queues.cuh.
    public static int of(Tuning tuning, long bucketSize) {
        int sizeClass = 0;
        while (bucketSize > (long) threads(tuning, sizeClass) * tuning.smallSortItems()) {
            sizeClass++;
        }
        return sizeClass;
    }
}
