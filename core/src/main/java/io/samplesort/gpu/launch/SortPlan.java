package io.samplesort.gpu.launch;

import io.samplesort.types.Tuning;

/// How a sort of `elementCount` elements is laid out: how many distribution passes there are, and how many buckets each
/// makes of one segment. This depends on nothing but the count and the tuning, so a sort is a fixed sequence of
/// launches.
///
/// @param elementCount    n
/// @param logBucketCounts log2 of the bucket count k of each pass, first pass first
public record SortPlan(long elementCount, int[] logBucketCounts) {
    /// Where GPUs exchange buckets, some are sorted while others are on their way. So there are at least so many.
    private static final int LOG_FIRST_BUCKETS = 5;

    /// Segments of GPUs that exchange buckets are a few fewer than a power of two, as some are around the borders. For
    /// that their buckets may be larger than the target by so much, where they would have half its size otherwise.
    private static final double MOST_ABOVE_TARGET = 1.125;

    /// Returns the plan for so many elements; without a pass where one small sort takes them all.
    public static SortPlan of(long elementCount, Tuning tuning) {
        if (elementCount <= tuning.smallSortLimit()) {
            return new SortPlan(elementCount, new int[0]);
        }
        return new SortPlan(elementCount, passes(logBuckets(elementCount, tuning), tuning));
    }

    /// Returns how many buckets there shall be in the end, as a power of two; at least two.
    private static int logBuckets(long elementCount, Tuning tuning) {
        return Math.max(1, ceilLog(Math.ceilDiv(elementCount, (long) tuning.bucketTarget())));
    }

    private static int ceilLog(long count) {
        return Long.SIZE - Long.numberOfLeadingZeros(count - 1);
    }

    private static int[] passes(int logBuckets, Tuning tuning) {
        int logMost = Integer.numberOfTrailingZeros(tuning.maxBucketCount());
        int passes = Math.ceilDiv(logBuckets, logMost);
        int[] logs = new int[passes];
        int logLeft = logBuckets;
        // The later passes get the remainder: they are the ones whose tiles need different trees.
        for (int pass = 0; pass < passes; pass++) {
            int left = passes - pass;
            logs[pass] = logLeft / left;
            logLeft -= logs[pass];
        }
        return logs;
    }

    /// Returns how many buckets a first pass shall make of the elements that each of several GPUs gets in the end, as a
    /// power of two: few, as long as that costs no further pass.
    ///
    /// @param logMost the most that there may be
    public static int logFirstBuckets(long elementCount, int logMost, Tuning tuning) {
        int logLater = Integer.numberOfTrailingZeros(tuning.maxBucketCount());
        int logFirst = logBuckets(elementCount, tuning) - logLater;
        while (logFirst > logMost) {
            logFirst -= logLater;
        }
        return Math.max(logFirst, Math.min(LOG_FIRST_BUCKETS, logMost));
    }

    /// Returns the plan of a first pass alone.
    public static SortPlan ofFirstPass(long elementCount, int logBucketCount) {
        return new SortPlan(elementCount, new int[] {logBucketCount});
    }

    /// Returns the plan of a sort whose first pass has been made elsewhere, and has left so many segments. At least one
    /// pass follows. Buckets are up to an eighth larger than [Tuning#bucketTarget] on average.
    public static SortPlan ofSegments(long elementCount, int segmentCount, Tuning tuning) {
        double segment = elementCount / (double) segmentCount;
        int[] later = passes(logBuckets((long) Math.ceil(segment / MOST_ABOVE_TARGET), tuning), tuning);
        int[] logs = new int[1 + later.length];
        logs[0] = ceilLog(segmentCount);
        System.arraycopy(later, 0, logs, 1, later.length);
        return new SortPlan(elementCount, logs);
    }

    /// Returns the plan of a sort whose first pass is in place. It has room for twice as many segments as the pass
    /// makes buckets, since a large one is taken in parts.
    public static SortPlan ofPages(long elementCount, int logBuckets, Tuning tuning) {
        SortPlan plan = ofSegments(elementCount, 1 << logBuckets, tuning);
        plan.logBucketCounts[0]++;
        return plan;
    }

    /// Returns the number of passes, 0 where there is only the small sort.
    public int passCount() {
        return logBucketCounts.length;
    }

    /// Returns whether a sort looks for order that is there already before it moves anything.
    public boolean seeksOrder(Tuning tuning) {
        return passCount() > 0 && tuning.orderCheckSize() > 0 && elementCount >= tuning.orderCheckSize();
    }

    /// Returns how many segments pass `pass` (from 0) divides. `segmentCount(passCount())` is the number of buckets in
    /// the end.
    public long segmentCount(int pass) {
        int log = 0;
        for (int before = 0; before < pass; before++) {
            log += logBucketCounts[before];
        }
        return 1L << log;
    }

    /// Returns how many segments of a pass are made of each bucket of the first one.
    long segmentsOfABucket(int pass) {
        return segmentCount(pass) / segmentCount(Math.min(1, passCount()));
    }

    /// Returns which segment of a pass is the first of a group; of the first pass, which has one segment for all
    /// groups, that one.
    long firstSegment(int pass, Group group) {
        return pass == 0 ? 0 : group.begin() * segmentsOfABucket(pass);
    }

    /// Returns the slots for the tiles of a pass, as segments.cuh numbers them.
    public long tileSlots(int pass, Tuning tuning) {
        return elementCount / tuning.tileSize() + segmentCount(pass);
    }

    /// Returns how many buckets pass `pass` (from 0) makes of each segment.
    public int bucketCount(int pass) {
        return 1 << logBucketCounts[pass];
    }
}
