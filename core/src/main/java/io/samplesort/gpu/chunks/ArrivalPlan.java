package io.samplesort.gpu.chunks;

import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.sort.ArrivingPass;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.SortPlan;

/// How a sort of host memory divides its elements into buckets while others are still on their way: the arithmetic
/// alone.
///
/// @param whole       the plan of the sort if the sample is unlucky, or there is less memory than expected
/// @param pieceCount  elements that are divided at once; the last piece may have fewer
/// @param logBuckets  of the first pass
/// @param sampleCount elements that are sampled
record ArrivalPlan(HostPlan whole, long pieceCount, int logBuckets, int sampleCount) {
    /// Groups of buckets are sorted while others are on their way back, and the first of them shall be small.
    private static final int LOG_LEAST_BUCKETS = 6;

    /// With so many sampled keys a bucket has twice the room that its elements take. That is memory for a short time,
    /// and drawing keys from host memory takes a while.
    private static final int SAMPLED_A_BUCKET = 64;

    private static final int LEAST_PIECES = 2;

    /// Every piece but the last is a multiple of this many elements.
    private static final long UNIT = 256;

    /// Plans a sort. Returns null if the elements are too few to be worth it, if they cannot be divided piece by piece,
    /// or if there is too little memory.
    static ArrivalPlan of(long count, DeviceSort sort) {
        long least = sort.tuning().arrivalBytes();
        long bytes = count * sort.rowBytes();
        if (least == 0 || bytes < least || !isDivisible(sort.element())) {
            return null;
        }
        int logBuckets = SortPlan.logManyFirstBuckets(count, LOG_LEAST_BUCKETS, sort.tuning());
        int sampleCount = (int) Math.min(count, (long) SAMPLED_A_BUCKET << logBuckets);
        // The elements, the buckets with their rooms, and what sorts a group of them takes, which is mostly less.
        long needed = 2 * bytes + ArrivingPass.bucketBytes(sort, count, logBuckets, sampleCount);
        HostPlan whole = sort.layouts().hasRoom(needed, 0) ? HostPlan.inOneChunk(count, sort, needed) : null;
        long piece = Math.ceilDiv(least / LEAST_PIECES, sort.rowBytes() * UNIT) * UNIT;
        return whole == null ? null : new ArrivalPlan(whole, piece, logBuckets, sampleCount);
    }

    /// Returns whether elements may go to their buckets piece by piece: those that are moved, unless equal ones keep
    /// their order.
    private static boolean isDivisible(KernelElement element) {
        return !element.sortsIndexes() && !element.isCounted() && !element.movesByValue() && !element.keepsOrder();
    }

    long count() {
        return whole.count();
    }

    int pieces() {
        return Math.toIntExact(Math.ceilDiv(count(), pieceCount));
    }

    long begin(int piece) {
        return Math.min(count(), piece * pieceCount);
    }

    /// Returns where each piece begins, and where the last one ends.
    long[] bounds() {
        long[] bounds = new long[pieces() + 1];
        for (int piece = 0; piece < bounds.length; piece++) {
            bounds[piece] = begin(piece);
        }
        return bounds;
    }
}
