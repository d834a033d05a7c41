package io.samplesort.cpu.numbers;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/// One distribution pass over a range, in place. Afterwards the elements of each bucket are together, the buckets are
/// in order, and those that fit a worker's buffer are sorted.
///
/// 1. Splitters are chosen from a random sample.
/// 2. Scatter: each worker moves elements to open pages, one for each bucket, and writes full pages over elements that
///    it has read.
/// 3. Permute: full pages move to the slots where their bucket belongs. Slots are page-aligned and buckets are not, so
///    a bucket keeps gaps of less than a page at both ends.
/// 4. Finish: the elements left in the open pages fill the gaps, and small buckets are sorted on the way.
///
/// Offsets inside the pass are relative to its range.
final class DistributionPass {
    /// Stripes for each worker. There are several, so that a worker that loses its core for a while does not hold up
    /// all others.
    private static final int STRIPES_PER_WORKER = 16;

    /// Tiles of counted buckets that are written at a time.
    private static final int FILL_TILES = 32;

    private final SplitterChoice splitters;
    private final PagePermutation permutation = new PagePermutation();
    /// Where each bucket starts, and where the last one ends.
    private final long[] offsets;
    /// The first slot of each bucket's pages.
    private final int[] firstSlots;
    /// How many slots each bucket's pages take.
    private final int[] slotCounts;
    /// Whether one page of the bucket is among the leader's spilled pages.
    private final boolean[] isSpilled;

    /// Is called with the number of elements that are final; null except in the first pass of a sort.
    private LongConsumer finished;

    private int bucketCount;
    private Team team;
    private Elements elements;
    private long from;
    private long count;
    private int pageSize;
    /// Buckets with more elements take another pass.
    private int smallSortLimit;

    DistributionPass(CpuTuning tuning) {
        int k = tuning.bucketCount();
        splitters = new SplitterChoice(tuning);
        offsets = new long[k + 1];
        firstSlots = new int[k];
        slotCounts = new int[k];
        isSpilled = new boolean[k];
    }

    /// Allocates what a pass by `teamSize` workers needs, except the workers' own memory.
    void reserve(int teamSize, Worker leader) {
        permutation.reserve(teamSize, slotCounts.length, leader);
        splitters.reserve(leader);
    }

    long heapBytes() {
        return permutation.heapBytes();
    }

    /// Returns the most stripes that a pass by `workers` workers can have.
    static int stripeLimit(int workers) {
        return workers * STRIPES_PER_WORKER;
    }

    /// Distributes all elements of a sort, in its first pass.
    ///
    /// @param pending  takes the buckets that are too large to be sorted here
    /// @param finished is called with the number of elements at the front that are final, by one worker at a time
    void runFirst(
            Team team, Elements elements, PageMap map, PendingRanges pending, PhaseTimes times, LongConsumer finished) {
        this.finished = finished;
        try {
            run(team, elements, map, 0, elements.count(), 0, pending, times);
        } finally {
            this.finished = null;
        }
    }

    /// Distributes elements `from..to`.
    ///
    /// @param pending takes the buckets that are too large to be sorted here
    /// @param depth   how many passes these elements have been through already
    void run(
            Team team,
            Elements elements,
            PageMap map,
            long from,
            long to,
            int depth,
            PendingRanges pending,
            PhaseTimes times) {
        this.team = team;
        this.elements = elements;
        this.from = from;
        this.count = to - from;
        this.pageSize = team.leader().lane.pageSize;
        this.smallSortLimit = smallSortLimit();
        int firstMapSlot = Math.toIntExact((from + pageSize - 1) / pageSize);
        int slotCount = Math.toIntExact(count / pageSize);
        team.leader().deepestPass = Math.max(team.leader().deepestPass, depth + 1);
        splitters.choose(team, elements, from, count);
        bucketCount = splitters.bucketCount();
        times.lap(PhaseTimes.Phase.SELECT_SPLITTERS);
        scatter(map, firstMapSlot, slotCount);
        times.lap(PhaseTimes.Phase.SCATTER);
        layOutBuckets();
        permutation.run(
                team, elements, from, map, firstMapSlot, slotCount, bucketCount, firstSlots, slotCounts, isSpilled);
        times.lap(PhaseTimes.Phase.PERMUTE_PAGES);
        finish();
        addPending(pending, depth + 1);
        times.lap(PhaseTimes.Phase.SMALL_SORT);
    }

    /// Returns the limit of small buckets. If many workers share a pass, it is smaller, so that no bucket keeps one of
    /// them busy when the others are done.
    private int smallSortLimit() {
        Lane lane = team.leader().lane;
        long most = lane.smallSortLimit(elements);
        return team.size() == 1
                ? (int) most
                : (int) Math.max(lane.smallSortLimit, Math.min(most, count / (8L * team.size())));
    }

    private void scatter(PageMap map, int firstMapSlot, int slotCount) {
        int stripeSlots = Math.max(8, slotCount / stripeLimit(team.size()) + 1);
        int stripeCount = Math.max(1, (slotCount + stripeSlots - 1) / stripeSlots);
        AtomicInteger next = new AtomicInteger();
        team.run(worker -> {
            worker.beginScatter();
            for (int s = next.getAndIncrement(); s < stripeCount; s = next.getAndIncrement()) {
                team.watch().mayStopReading();
                int start = s * stripeSlots;
                int end = Math.min(start + stripeSlots, slotCount);
                map.clear(firstMapSlot + start, firstMapSlot + end);
                worker.takeStripe(start, end);
                // Elements that do not fill a page at the end of the range belong to the last stripe.
                long last = s == stripeCount - 1 ? count : (long) end * pageSize;
                scatterStripe(worker, map, firstMapSlot, (long) start * pageSize, last);
            }
        });
    }

    private void scatterStripe(Worker worker, PageMap map, int firstMapSlot, long start, long end) {
        Lane lane = worker.lane;
        short[] bucketOfSlot = map.buckets();
        for (long at = start; at < end; at += lane.tileSize) {
            int size = (int) Math.min(lane.tileSize, end - at);
            if (!readTile(worker, from + at, size)) {
                continue;
            }
            for (int i = 0; i < size; ) {
                i = splitters.finder() == null ? lane.scatter(splitters.grid(), i, size) : lane.scatter(i, size);
                if (lane.fullBucket >= 0) {
                    emptyPage(worker, bucketOfSlot, firstMapSlot, lane.fullBucket);
                }
            }
        }
        worker.bytesMoved += (end - start) * elements.elementBytes();
    }

    /// Reads a tile, and finds the buckets of its elements unless the scatter does that itself.
    ///
    /// @return whether there is anything to scatter
    private boolean readTile(Worker worker, long at, int size) {
        Lane lane = worker.lane;
        if (splitters.finder() == null) {
            lane.openTile(elements, at, size);
            return true;
        }
        lane.load(elements, at, 0, size);
        lane.findBuckets(splitters.finder(), size);
        return !countTile(worker, size);
    }

    /// Writes the full open page of bucket `b` to the worker's next slot, or counts its elements.
    private void emptyPage(Worker worker, short[] bucketOfSlot, int firstMapSlot, int b) {
        Lane lane = worker.lane;
        if (isCounted(lane, b)) {
            worker.dropped[b] += pageSize;
            lane.clearPage(b);
            return;
        }
        int slot = worker.nextSlot();
        lane.storePage(b, elements, from + (long) slot * pageSize, pageSize);
        bucketOfSlot[firstMapSlot + slot] = (short) b;
        worker.fullPages[b]++;
        worker.bytesMoved += (long) pageSize * elements.elementBytes();
    }

    private boolean isEqualityBucket(int b) {
        return splitters.finder() != null && splitters.finder().isEqualityBucket(b);
    }

    /// Returns whether all elements of the bucket are the same: such elements are counted, dropped, and written anew.
    private boolean isCounted(Lane lane, int b) {
        return lane.isKeyOnly() && isEqualityBucket(b);
    }

    /// If all elements of the tile belong to counted buckets, counts and drops them.
    private boolean countTile(Worker worker, int size) {
        if (!worker.lane.isKeyOnly()) {
            return false;
        }
        BucketFinder finder = splitters.finder();
        short[] buckets = worker.lane.oracle;
        for (int i = 0; i < size; i++) {
            if (!finder.isEqualityBucket(buckets[i])) {
                return false;
            }
        }
        long[] counts = worker.dropped;
        for (int i = 0; i < size; i++) {
            counts[buckets[i]]++;
        }
        return true;
    }

    private void layOutBuckets() {
        long offset = 0;
        for (int b = 0; b < bucketCount; b++) {
            long pages = 0;
            long rest = 0;
            for (Worker worker : team.workers()) {
                pages += worker.fullPages[b];
                rest += worker.dropped[b] + worker.lane.pageFill(b);
            }
            offsets[b] = offset;
            offset += pages * pageSize + rest;
            firstSlots[b] = (int) ((offsets[b] + pageSize - 1) / pageSize);
            isSpilled[b] = pages > 0 && (firstSlots[b] + pages) * pageSize > offset;
            slotCounts[b] = (int) (isSpilled[b] ? pages - 1 : pages);
        }
        offsets[bucketCount] = offset;
        if (offset != count) {
            throw new AssertionError("buckets hold " + offset + " elements, not " + count);
        }
    }

    private void finish() {
        AtomicInteger next = new AtomicInteger();
        AtomicLong nextFill = new AtomicLong();
        long turn = (long) FILL_TILES * team.leader().lane.tileSize;
        SortedPrefix prefix = finished == null ? null : new SortedPrefix(bucketCount, b -> offsets[b], count, finished);
        // Until all buckets are together, elements are in the memory of workers, so the sort must not stop.
        boolean isSortedLater = team.watch().isWatching();
        team.run(worker -> {
            for (int b = next.getAndIncrement(); b < bucketCount; b = next.getAndIncrement()) {
                team.watch().mayStopReading();
                finishBucket(worker, b, isSortedLater);
                if (!isSortedLater) {
                    tell(prefix, worker, b);
                }
            }
            for (long at = nextFill.getAndAdd(turn); at < count; at = nextFill.getAndAdd(turn)) {
                fillCounted(worker, at, Math.min(at + turn, count));
            }
        });
        if (isSortedLater) {
            sortBuckets(prefix);
        }
    }

    /// Sorts the small buckets where they are, and lets the sort stop between two of them.
    private void sortBuckets(SortedPrefix prefix) {
        AtomicInteger next = new AtomicInteger();
        team.run(worker -> {
            for (int b = next.getAndIncrement(); b < bucketCount; b = next.getAndIncrement()) {
                team.watch().mayStop();
                int size = (int) Math.min(offsets[b + 1] - offsets[b], smallSortLimit);
                if (isLeaf(b) && size > 0) {
                    Lane lane = worker.lane;
                    if (lane.sortsInPlace(elements)) {
                        lane.smallSort(elements, from + offsets[b], size);
                    } else {
                        lane.load(elements, from + offsets[b], 0, size);
                        lane.smallSort(size);
                        lane.store(0, elements, from + offsets[b], size);
                    }
                    worker.largestBucket = Math.max(worker.largestBucket, size);
                    worker.bytesMoved += 2L * size * elements.elementBytes();
                }
                if (isSmall(b) || isEqualityBucket(b)) {
                    team.watch().advance(offsets[b + 1] - offsets[b]);
                }
                tell(prefix, worker, b);
            }
        });
    }

    /// Reports a bucket that is final: large ones are still to be sorted, and those of one key may not be written yet.
    private void tell(SortedPrefix prefix, Worker worker, int b) {
        if (prefix != null && isSmall(b) && !isCounted(worker.lane, b)) {
            prefix.sorted(b);
        }
    }

    /// Writes the part of `start..end` that belongs to counted buckets.
    private void fillCounted(Worker worker, long start, long end) {
        Lane lane = worker.lane;
        for (int b = bucketAt(start); b < bucketCount && offsets[b] < end; b++) {
            if (isCounted(lane, b)) {
                long stop = Math.min(end, offsets[b + 1]);
                for (long at = Math.max(start, offsets[b]); at < stop; at += lane.tileSize) {
                    int size = (int) Math.min(lane.tileSize, stop - at);
                    lane.fill(size, splitters.finder().keyOf(b));
                    lane.store(0, elements, from + at, size);
                    worker.bytesMoved += (long) size * elements.elementBytes();
                }
            }
        }
    }

    /// Returns the first bucket that ends after `at`.
    private int bucketAt(long at) {
        int b = 0;
        while (offsets[b + 1] <= at) {
            b++;
        }
        return b;
    }

    /// @param isSortedLater whether the bucket is only put together, even if it is small
    private void finishBucket(Worker worker, int b, boolean isSortedLater) {
        long start = offsets[b];
        long end = offsets[b + 1];
        Lane lane = worker.lane;
        if (start == end || isCounted(lane, b)) {
            return;
        }
        boolean isLeaf = isLeaf(b) && !isSortedLater;
        boolean isSmall = isLeaf && !lane.sortsInPlace(elements);
        long pagesStart = (long) firstSlots[b] * pageSize;
        long pagesCount = (long) slotCounts[b] * pageSize;
        int held = 0;
        if (isSmall && pagesCount > 0) {
            held = (int) pagesCount;
            lane.load(elements, from + pagesStart, 0, held);
        }
        if (isSpilled[b]) {
            lane.load(team.leader().spilledPages, (long) b * pageSize, held, pageSize);
            held += pageSize;
        }
        for (Worker owner : team.workers()) {
            lane.takePage(owner.lane, b, held);
            held += owner.lane.pageFill(b);
        }
        if (isSmall) {
            lane.smallSort(held);
            lane.store(0, elements, from + start, held);
            worker.largestBucket = Math.max(worker.largestBucket, held);
        } else {
            int before = slotCounts[b] == 0 ? held : (int) (pagesStart - start);
            lane.store(0, elements, from + start, before);
            if (held > before) {
                lane.store(before, elements, from + pagesStart + pagesCount, held - before);
            }
            if (isLeaf) {
                lane.smallSort(elements, from + start, (int) (end - start));
                worker.largestBucket = Math.max(worker.largestBucket, end - start);
            }
        }
        worker.bytesMoved += 2L * held * elements.elementBytes();
    }

    /// Returns whether the bucket is sorted in this pass.
    private boolean isLeaf(int b) {
        return isSmall(b) && !isEqualityBucket(b);
    }

    private boolean isSmall(int b) {
        return offsets[b + 1] - offsets[b] <= smallSortLimit;
    }

    private void addPending(PendingRanges pending, int depth) {
        for (int b = 0; b < bucketCount; b++) {
            if (!isSmall(b) && !isEqualityBucket(b)) {
                if (offsets[b + 1] - offsets[b] == count) {
                    throw new AssertionError("one bucket got all " + count + " elements and more than one key");
                }
                pending.add(from + offsets[b], from + offsets[b + 1], depth);
            }
        }
    }
}
