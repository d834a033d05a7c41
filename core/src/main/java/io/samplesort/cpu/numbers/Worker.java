package io.samplesort.cpu.numbers;

import java.util.Arrays;

/// What one thread of a sort owns: a lane, pages that were set aside, and the range that it fills with pages.
///
/// While a worker scatters, it takes stripes of the input one after the other, and writes full pages over what it has
/// already read, beginning at the front of its first stripe. It has always read at least as many elements as it has
/// written, so it never overwrites elements that it has not read.
final class Worker {
    final Lane lane;
    final DistributionPass pass;
    final PendingRanges pending = new PendingRanges();

    private final int keyBytes;
    private final int payloadBytes;

    /// One page for each bucket, set aside because it would reach beyond the end of its bucket.
    Elements spilledPages;
    /// Two pages that are on their way to other slots.
    Elements pagesInTransit;

    /// How many full pages of each bucket were written.
    final int[] fullPages;
    /// How many elements of each equality bucket were counted and dropped.
    final long[] dropped;

    private int[] stripeStarts = {};
    private int[] stripeEnds = {};
    private int stripeCount;
    private int writeStripe;
    private int writeSlot;

    long bytesMoved;
    long largestBucket;
    int deepestPass;

    Worker(CpuTuning tuning, Lane lane, int keyBytes, int payloadBytes) {
        this.lane = lane;
        this.keyBytes = keyBytes;
        this.payloadBytes = payloadBytes;
        this.fullPages = new int[tuning.bucketCount()];
        this.dropped = new long[tuning.bucketCount()];
        this.pass = new DistributionPass(tuning);
    }

    /// Allocates all that distribution passes need.
    ///
    /// @param teamSize   how many workers may share a pass
    /// @param isLeader   whether this one leads the passes that all share
    /// @param soloCount  how many elements this worker may have to sort alone
    void reserve(int teamSize, boolean isLeader, long soloCount) {
        // The buffer takes a bucket that fits, or the content of the open pages and the spilled page of a larger
        // bucket.
        lane.reserve(Math.max(Math.max(lane.smallSortLimit, lane.tileSize), (teamSize + 1) * lane.pageSize));
        lane.reservePages();
        if (spilledPages == null) {
            spilledPages = allocatePages(fullPages.length);
            pagesInTransit = allocatePages(2);
        }
        pass.reserve(isLeader ? teamSize : 1, this);
        pending.reserve(soloCount, lane.smallSortLimit);
        int stripeLimit = DistributionPass.stripeLimit(teamSize);
        if (stripeStarts.length < stripeLimit) {
            stripeStarts = new int[stripeLimit];
            stripeEnds = new int[stripeLimit];
        }
    }

    Elements allocatePages(int count) {
        return Elements.allocate((long) count * lane.pageSize, keyBytes, payloadBytes);
    }

    long heapBytes() {
        long bytes = lane.heapBytes() + pass.heapBytes() + pending.heapBytes();
        bytes += 2L * Integer.BYTES * stripeStarts.length;
        if (spilledPages != null) {
            bytes += (spilledPages.count() + pagesInTransit.count()) * spilledPages.elementBytes();
        }
        return bytes;
    }

    /// Gets ready for a sort, but not yet for distribution passes.
    void prepare() {
        lane.reserve(lane.tileSize);
        bytesMoved = 0;
        largestBucket = 0;
        deepestPass = 0;
    }

    void beginScatter() {
        lane.clearPages();
        Arrays.fill(fullPages, 0);
        Arrays.fill(dropped, 0);
        stripeCount = 0;
        writeStripe = 0;
    }

    /// Adds the page slots `from..to` to those this worker may write, once their elements are read.
    void takeStripe(int from, int to) {
        stripeStarts[stripeCount] = from;
        stripeEnds[stripeCount] = to;
        if (stripeCount++ == 0) {
            writeSlot = from;
        }
    }

    /// Returns the next slot to write a full page to.
    int nextSlot() {
        if (writeSlot == stripeEnds[writeStripe]) {
            writeSlot = stripeStarts[++writeStripe];
        }
        return writeSlot++;
    }
}
