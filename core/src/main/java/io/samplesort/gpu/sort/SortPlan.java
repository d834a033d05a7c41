package io.samplesort.gpu.sort;

import io.samplesort.types.Tuning;

/// How a sort of `elementCount` elements is laid out: how many distribution passes there are, and how many buckets each
/// makes of one segment. This depends on nothing but the count and the tuning, so a sort is a fixed sequence of
/// launches.
///
/// @param elementCount    n
/// @param logBucketCounts log2 of the bucket count k of each pass, first pass first
public record SortPlan(long elementCount, int[] logBucketCounts) {
    public static SortPlan of(long elementCount, Tuning tuning) {
        if (elementCount <= tuning.smallSortLimit()) {
            return new SortPlan(elementCount, new int[0]);
        }
        long buckets = (elementCount + tuning.bucketTarget() - 1) / tuning.bucketTarget();
        int logBuckets = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(buckets - 1));
        int logMost = Integer.numberOfTrailingZeros(tuning.maxBucketCount());
        int passes = (logBuckets + logMost - 1) / logMost;
        int[] logs = new int[passes];
        // The later passes get the remainder: they are the ones whose tiles need different trees.
        for (int pass = 0; pass < passes; pass++) {
            int left = passes - pass;
            logs[pass] = logBuckets / left;
            logBuckets -= logs[pass];
        }
        return new SortPlan(elementCount, logs);
    }

    public int passCount() {
        return logBucketCounts.length;
    }

    /// Returns how many segments pass `pass` (from 0) divides. `segmentCount(passCount())` is the number of buckets in
    /// the end.
    long segmentCount(int pass) {
        int log = 0;
        for (int before = 0; before < pass; before++) {
            log += logBucketCounts[before];
        }
        return 1L << log;
    }

    /// Returns the slots for the tiles of a pass, as segments.cuh numbers them.
    long tileSlots(int pass, Tuning tuning) {
        return elementCount / tuning.tileSize() + segmentCount(pass);
    }

    int bucketCount(int pass) {
        return 1 << logBucketCounts[pass];
    }
}
