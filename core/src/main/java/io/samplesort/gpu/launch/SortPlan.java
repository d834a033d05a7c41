package io.samplesort.gpu.launch;

import io.samplesort.types.Tuning;

/// How a sort of `elementCount` elements is laid out: how many distribution passes there are, and how many buckets each
/// makes of one segment. This depends only on the count and the tuning, so a sort is a fixed sequence of launches.
///
/// @param elementCount     n
/// @param logFirstSegments log2 of how many segments the first pass divides: 0 for a whole input, at least 1 for the
///     segments of a user's array
/// @param logBucketCounts  log2 of the bucket count k of each pass, first pass first
public record SortPlan(long elementCount, int logFirstSegments, int[] logBucketCounts) {
    /// GPUs that exchange buckets sort some while others are on their way, so there are at least this many (log2).
    private static final int LOG_FIRST_BUCKETS = 5;

    /// GPUs that exchange buckets have a few segments less than a power of two, as some lie around the borders. To make
    /// up for that, buckets may exceed the target by this factor, and are not halved.
    private static final double MOST_ABOVE_TARGET = 1.125;

    /// Makes a plan for a whole input.
    public SortPlan(long elementCount, int[] logBucketCounts) {
        this(elementCount, 0, logBucketCounts);
    }

    /// Returns the plan of a sort that divides the segments of a user's array, each by itself.
    ///
    /// @param most    the most segments
    /// @param longest the most elements of a segment
    public static SortPlan ofUserSegments(long elementCount, long most, long longest, Tuning tuning) {
        return new SortPlan(elementCount, Math.max(1, ceilLog(most)), passes(logBuckets(longest, tuning), tuning));
    }

    /// Returns the plan for this many elements; without a pass if one small sort takes them all.
    public static SortPlan of(long elementCount, Tuning tuning) {
        if (elementCount <= tuning.smallSortLimit()) {
            return new SortPlan(elementCount, new int[0]);
        }
        return new SortPlan(elementCount, passes(logBuckets(elementCount, tuning), tuning));
    }

    /// Returns log2 of how many buckets there should be in the end, which are at least two.
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
        // Later passes get the remainder: it is their tiles that need different trees.
        for (int pass = 0; pass < passes; pass++) {
            int left = passes - pass;
            logs[pass] = logLeft / left;
            logLeft -= logs[pass];
        }
        return logs;
    }

    /// Returns log2 of how many buckets a first pass should make of the elements that each of several GPUs gets in the
    /// end: few, as long as that costs no further pass.
    ///
    /// @param logMost the most that there may be, as log2
    public static int logFirstBuckets(long elementCount, int logMost, Tuning tuning) {
        int logLater = Integer.numberOfTrailingZeros(tuning.maxBucketCount());
        int logFirst = logBuckets(elementCount, tuning) - logLater;
        while (logFirst > logMost) {
            logFirst -= logLater;
        }
        return Math.max(logFirst, Math.min(LOG_FIRST_BUCKETS, logMost));
    }

    /// Returns the plan of only the first pass of a sort.
    public static SortPlan ofFirstPass(long elementCount, int logBucketCount) {
        return new SortPlan(elementCount, new int[] {logBucketCount});
    }

    /// Returns the plan of a sort whose first pass has been made elsewhere and has left this many segments. At least
    /// one pass follows. Buckets are up to an eighth larger than [Tuning#bucketTarget] on average.
    public static SortPlan ofSegments(long elementCount, int segmentCount, Tuning tuning) {
        double segment = elementCount / (double) segmentCount;
        int[] later = passes(logBuckets((long) Math.ceil(segment / MOST_ABOVE_TARGET), tuning), tuning);
        int[] logs = new int[1 + later.length];
        logs[0] = ceilLog(segmentCount);
        System.arraycopy(later, 0, logs, 1, later.length);
        return new SortPlan(elementCount, logs);
    }

    /// Returns the plan of a sort whose first pass is in place. It has room for two segments for each bucket of the
    /// pass, since a large bucket is taken in parts.
    public static SortPlan ofPages(long elementCount, int logBuckets, Tuning tuning) {
        SortPlan plan = ofSegments(elementCount, 1 << logBuckets, tuning);
        plan.logBucketCounts[0]++;
        return plan;
    }

    /// Returns the number of passes, 0 if there is only the small sort.
    public int passCount() {
        return logBucketCounts.length;
    }

    /// Returns whether a sort looks for order in the input before it moves anything.
    public boolean seeksOrder(Tuning tuning) {
        return passCount() > 0 && tuning.orderCheckSize() > 0 && elementCount >= tuning.orderCheckSize();
    }

    /// Returns how many segments pass `pass` (from 0) divides. `segmentCount(passCount())` is the number of buckets in
    /// the end.
    public long segmentCount(int pass) {
        int log = logFirstSegments;
        for (int before = 0; before < pass; before++) {
            log += logBucketCounts[before];
        }
        return 1L << log;
    }

    /// Returns how many segments of a pass come from each bucket of the first one.
    long segmentsOfABucket(int pass) {
        return segmentCount(pass) / segmentCount(Math.min(1, passCount()));
    }

    /// Returns the number of the first segment of a group in a pass. The first pass has one segment for all groups.
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
