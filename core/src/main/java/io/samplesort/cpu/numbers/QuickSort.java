package io.samplesort.cpu.numbers;

import io.samplesort.cpu.leaf.SampledKeys;
import io.samplesort.cpu.leaf.SimdKeys;
import io.samplesort.cpu.leaf.SimdKeys.First;
import io.samplesort.cpu.threads.Crew;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Sorts keys where they lie by native kernels: it splits ranges in two until one call can sort a range.
///
/// All threads split the long ranges together, level by level ([ParallelSplit]). When there is a range for each thread,
/// each thread splits or sorts one range after the other by itself ([SharedRanges]).
final class QuickSort {
    /// A thread's share of the elements is divided by this; a range that is shorter than the result is sorted by one
    /// thread.
    private static final int RANGES_PER_THREAD = 8;

    /// The fewest keys that several threads split faster than one.
    private static final int LEAST_SPLIT = 1 << 14;

    /// A thread's share is split in this many parts, so that a thread that loses its core for a while does not hold up
    /// others.
    private static final int PARTS_PER_SHARE = 2;

    /// How many keys a thread reverses at a time.
    private static final int REVERSED_AT_A_TIME = 1 << 18;

    private final SimdKeys keys;
    private final Crew crew;
    private final long callLimit;
    private final ParallelSplit split;
    /// Ranges longer than this are sorted one after the other.
    private final long turn;
    /// Is called with ranges that are done; null if not needed.
    private FinalRanges finished;
    /// Null if keys are not divided among buckets.
    private final MemorySegment copy;

    /// @param callLimit one call sorts a range of at most this many elements
    /// @param turn      ranges longer than this are sorted one after the other
    /// @param finished  is called with ranges that are done; null if not needed
    /// @param copy      has room for all keys, which go there and back; null if there is none, or if `finished` is
    ///     given
    QuickSort(SimdKeys keys, Crew crew, long callLimit, long turn, FinalRanges finished, MemorySegment copy) {
        this.keys = keys;
        this.crew = crew;
        this.callLimit = callLimit;
        this.split = new ParallelSplit(keys, crew);
        this.turn = turn;
        this.finished = finished;
        this.copy = copy;
    }

    /// Sorts the elements `from..to`.
    ///
    /// @param sample a sample of these elements
    void sort(long from, long to, SampledKeys sample) {
        boolean descending = keys.isDescending();
        if (keys.type().isUnsigned()) {
            // Keys with a sign bit are the greater ones.
            sortParts(from, split(descending ? First.LESS : First.NOT_LESS, from, to), to, descending, descending);
        } else if (!keys.type().isFloating()) {
            sortRanges(List.of(new Range(from, to, descending, null, null, depthLimit(to - from), sample)));
        } else if (finished != null || sample.hasBothSigns()) {
            sortBySign(from, split(descending ? First.NOT_LESS : First.LESS, from, to), to);
        } else {
            sortOneSign(from, to, sample);
        }
    }

    /// Splits a range by the sign bits.
    private long split(First first, long from, long to) {
        ParallelSplit.Task task = new ParallelSplit.Task(from, to, first, 0);
        split.run(List.of(task), partSize(to - from));
        return task.boundary();
    }

    private long partSize(long count) {
        int threads = crew.size();
        return threads == 1 ? count : Math.max(count / ((long) PARTS_PER_SHARE * threads), LEAST_SPLIT / 2);
    }

    private void sortParts(long from, long middle, long to, boolean firstDescends, boolean secondDescends) {
        sortRanges(List.of(range(from, middle, firstDescends), range(middle, to, secondDescends)));
    }

    /// Sorts floating-point numbers by their bits. Numbers with a sign bit run the other way, and come first in
    /// ascending order.
    private void sortBySign(long from, long middle, long to) {
        boolean isNegativeFirst = !keys.isDescending();
        // NaNs with a sign bit are then at the wrong end, so all others are moved.
        long negativeFrom = isNegativeFirst ? from : middle;
        long negativeTo = isNegativeFirst ? middle : to;
        FinalRanges asking = finished;
        if (asking != null && negativeFrom < negativeTo) {
            finished = null;
            sortRanges(List.of(range(negativeFrom, negativeTo, isNegativeFirst)));
            boolean moves = keys.isNegativeNan(isNegativeFirst ? from : to - 1);
            finished = moves ? null : asking;
            tell(negativeFrom, negativeTo);
            sortRanges(List.of(isNegativeFirst ? range(middle, to, false) : range(from, middle, true)));
        } else {
            sortParts(from, middle, to, true, false);
        }
        keys.moveNegativeNans(from, to);
    }

    /// Sorts floating-point numbers that nearly all have the same sign.
    private void sortOneSign(long from, long to, SampledKeys sample) {
        sortRanges(List.of(new Range(from, to, keys.isDescending(), null, null, depthLimit(to - from), sample)));
        // Sorted by their bits, numbers with a sign bit run the other way.
        long end = keys.signEnd(from, to);
        if (keys.isNegative(from)) {
            reverse(from, end);
        } else {
            reverse(end, to);
        }
        keys.moveNegativeNans(from, to);
    }

    private void reverse(long from, long to) {
        crew.forRanges(
                (to - from) / 2,
                REVERSED_AT_A_TIME,
                (start, end) -> keys.mirror(from + start, to - start, end - start));
    }

    private static Range range(long from, long to, boolean descending) {
        return new Range(from, to, descending, null, null, depthLimit(to - from), null);
    }

    /// Sorts ranges that lie one after the other.
    private void sortRanges(List<Range> ranges) {
        long count = ranges.getLast().to - ranges.getFirst().from;
        if (count > turn) {
            // From left to right, with all threads at each range.
            for (Range range : splitAll(ranges, turn, partSize(count), Integer.MAX_VALUE)) {
                sortByAll(List.of(range));
            }
        } else {
            sortByAll(ranges);
        }
    }

    private void sortByAll(List<Range> ranges) {
        if (crew.size() == 1) {
            ranges.forEach(this::sortByOne);
            return;
        }
        List<Range> left = new ArrayList<>();
        for (Range range : ranges) {
            if (copy == null || !sortByBuckets(range)) {
                left.add(range);
            }
        }
        if (!left.isEmpty()) {
            sortByLevels(left);
        }
    }

    private void sortByLevels(List<Range> ranges) {
        long count = 0;
        for (Range range : ranges) {
            count += range.count();
        }
        long share = count / crew.size();
        long limit = Math.max(Math.min(share / RANGES_PER_THREAD, callLimit), LEAST_SPLIT);
        List<Range> all = splitAll(ranges, Math.max(share, LEAST_SPLIT), partSize(count), crew.size());
        boolean isFromLeft = finished != null;
        // If the beginning is wanted early, it is sorted first. Otherwise the ranges that take longest are begun first.
        Comparator<Range> order = isFromLeft
                ? (one, other) -> Long.compare(one.from, other.from)
                : (one, other) -> Long.compare(other.count(), one.count());
        SharedRanges<Range> shared = new SharedRanges<>(all, order, isFromLeft);
        crew.forRanges(crew.size(), 1, (thread, end) -> shared.work(range -> divideOrSort(range, limit)));
    }

    /// Divides a range among buckets and sorts these. Returns false, with nothing moved, if the range has too few keys
    /// or too many of them repeat.
    private boolean sortByBuckets(Range range) {
        BucketSplit buckets = BucketSplit.tryRun(keys, crew, copy, range.from, range.to, range.descending);
        if (buckets == null) {
            return false;
        }
        long share = Math.max(range.count() / crew.size(), LEAST_SPLIT);
        Queue<Range> longOnes = new ConcurrentLinkedQueue<>();
        try {
            crew.forRanges(buckets.count(), 1, (from, to) -> {
                int bucket = (int) from;
                buckets.putBack(bucket);
                Range part = range.part(buckets, bucket);
                if (part.count() > share) {
                    longOnes.add(part);
                } else {
                    sortByOne(part);
                }
            });
        } finally {
            buckets.putRestBack();
        }
        if (!longOnes.isEmpty()) {
            List<Range> sorted = new ArrayList<>(longOnes);
            sorted.sort(Comparator.comparingLong(Range::from));
            sortByLevels(sorted);
        }
        return true;
    }

    /// Returns the parts of a range that is longer than `limit`; sorts it otherwise.
    private List<Range> divideOrSort(Range range, long limit) {
        if (range.count() > limit && range.depth > 0) {
            crew.watch().mayStop();
            return splitByOne(range);
        }
        sortByOne(range);
        return List.of();
    }

    private static int depthLimit(long count) {
        return 2 * (Long.SIZE - Long.numberOfLeadingZeros(count));
    }

    /// Splits ranges with all threads until none is longer than `limit`, or there are `enough` of them. Returns the
    /// ranges in the order of their places.
    private List<Range> splitAll(List<Range> ranges, long limit, long partSize, int enough) {
        List<Range> all = ranges;
        while (true) {
            crew.watch().mayStop();
            List<Range> longRanges = new ArrayList<>();
            for (Range range : all) {
                if (range.count() > limit && range.depth > 0) {
                    longRanges.add(range);
                }
            }
            if (longRanges.isEmpty() || all.size() >= enough) {
                return all;
            }
            ParallelSplit.Task[] tasks = new ParallelSplit.Task[longRanges.size()];
            crew.forRanges(tasks.length, 1, (i, end) -> tasks[(int) i] = task(longRanges.get((int) i)));
            // If there is a range for each thread, no keys have to be swapped.
            split.run(List.of(tasks), tasks.length < crew.size() ? partSize : Long.MAX_VALUE);
            List<Range> next = new ArrayList<>(all.size() + tasks.length);
            int i = 0;
            for (Range range : all) {
                if (i < tasks.length && range.from == tasks[i].from && range.count() > limit && range.depth > 0) {
                    range.addParts(tasks[i++], next, this);
                } else {
                    next.add(range);
                }
            }
            all = next;
        }
    }

    /// Returns how to split a range. Keys that equal the pivot go to the side that makes the parts more even.
    private ParallelSplit.Task task(Range range) {
        SampledKeys sample = range.sample;
        long pivot = sample == null ? keys.pivot(range.from, range.to) : sample.pivot();
        boolean isFirst = range.isFirst(pivot)
                || !range.isLast(pivot)
                        && (sample == null
                                ? keys.isPivotFirst(range.from, range.to, range.descending)
                                : sample.isPivotFirst() != range.descending);
        return new ParallelSplit.Task(range.from, range.to, First.before(range.descending, isFirst), pivot);
    }

    private List<Range> splitByOne(Range range) {
        ParallelSplit.Task task = task(range);
        split.run(List.of(task), Long.MAX_VALUE);
        List<Range> parts = new ArrayList<>(2);
        range.addParts(task, parts, this);
        return parts;
    }

    /// Sorts a range by calls of this thread alone.
    private void sortByOne(Range range) {
        crew.watch().mayStop();
        if (range.count() > callLimit && range.depth > 0) {
            splitByOne(range).forEach(this::sortByOne);
            return;
        }
        if (range.count() > 1) {
            keys.sort(range.from, range.to, range.descending);
        }
        tell(range.from, range.to);
    }

    /// Keys of which none belongs before `first` or after `last`, if these bounds exist (are not null). The bounds were
    /// pivots, so if a new pivot equals one of them, many keys do. Such keys are moved to their end of the range, where
    /// they are done. So each key is the pivot of few splits, however often it occurs.
    ///
    /// @param descending whether the greatest key goes first
    /// @param depth      after how many more splits the rest is left to calls, which take n log n steps at worst
    /// @param sample     a sample of these keys; null if there is none yet
    private record Range(long from, long to, boolean descending, Long first, Long last, int depth, SampledKeys sample) {
        long count() {
            return to - from;
        }

        /// Returns the range of a bucket of this one.
        Range part(BucketSplit buckets, int bucket) {
            Long before = bucket == 0 ? first : Long.valueOf(buckets.splitterBefore(bucket));
            Long behind = bucket == buckets.count() - 1 ? last : null;
            return new Range(buckets.start(bucket), buckets.start(bucket + 1), descending, before, behind, depth, null);
        }

        boolean isFirst(long pivot) {
            return first != null && pivot == first;
        }

        boolean isLast(long pivot) {
            return last != null && pivot == last;
        }

        /// After the split, adds the parts that are still to be sorted, and reports a part that is done.
        void addParts(ParallelSplit.Task task, List<Range> ranges, QuickSort sort) {
            long middle = task.boundary();
            long pivot = task.pivot();
            boolean isPivotFirst = task.isPivotFirst();
            if (isFirst(pivot)) {
                sort.tell(from, middle);
            } else {
                ranges.add(new Range(from, middle, descending, first, isPivotFirst ? pivot : null, depth - 1, null));
            }
            if (isLast(pivot) && !isPivotFirst) {
                sort.tell(middle, to);
            } else {
                ranges.add(new Range(middle, to, descending, isPivotFirst ? null : pivot, last, depth - 1, null));
            }
        }
    }

    private void tell(long from, long to) {
        crew.watch().advance(to - from);
        if (finished != null) {
            finished.finished(from, to);
        }
    }
}
