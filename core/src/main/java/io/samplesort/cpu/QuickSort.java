package io.samplesort.cpu;

import io.samplesort.cpu.lanes.Elements;
import io.samplesort.cpu.leaf.SimdKeys;
import io.samplesort.cpu.leaf.SimdKeys.First;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/// Sorts keys where they lie by the kernels of this engine: it splits ranges in two until one call sorts them.
///
/// All threads split the long ranges together, level by level ([ParallelSplit]). When there are some ranges for each
/// thread, a thread sorts one after the other by itself.
final class QuickSort {
    /// Fewer elements are distributed, among buckets that a core's caches hold.
    private static final int LEAST_COUNT = 1 << 17;

    /// With fewer elements it does not pay to wait until the kernels are loaded.
    private static final int LEAST_AWAITING = 1 << 20;

    /// A thread's share of the elements is divided by this; a shorter range is sorted by one thread.
    private static final int RANGES_PER_THREAD = 4;

    /// The fewest keys of which it pays that several threads split them.
    private static final int LEAST_SPLIT = 1 << 15;

    /// Threads split so many parts of their share, so that one that loses its core for a while does not hold up others.
    private static final int PARTS_PER_SHARE = 2;

    /// Where somebody takes the beginning while the rest is sorted, all threads sort such a part of the elements before
    /// the next.
    private static final int TURNS = 8;

    /// Keys that a thread reverses at a time.
    private static final int REVERSED_AT_A_TIME = 1 << 18;

    private final SimdKeys keys;
    private final Parallel parallel;
    private final long callLimit;
    private final ParallelSplit split;
    /// Longer ranges are sorted one after the other.
    private final long turn;
    /// Is told of ranges that are done; null if nobody asks.
    private FinalRanges finished;

    /// @param callLimit a range of at most so many elements is sorted by one call
    /// @param turn      longer ranges are sorted one after the other
    /// @param finished  is told of ranges that are done; null if nobody asks
    QuickSort(SimdKeys keys, Parallel parallel, long callLimit, long turn, FinalRanges finished) {
        this.keys = keys;
        this.parallel = parallel;
        this.callLimit = callLimit;
        this.split = new ParallelSplit(keys, parallel);
        this.turn = turn;
        this.finished = finished;
    }

    /// Returns the keys of `elements`, with their payload, if the kernels can sort them; null if not.
    ///
    /// @param type the type of the keys; null if the kernels do not know it or its order
    static SimdKeys keys(Elements elements, SimdKeys.Type type) {
        MemorySegment payload = elements.payload();
        long count = elements.count();
        // A file that another process shortens would end this one in the middle of a kernel.
        boolean isMapped = elements.keys().isMapped() || payload != null && payload.isMapped();
        if (type == null || count < LEAST_COUNT || isMapped) {
            return null;
        }
        SimdKeys keys = SimdKeys.of(elements.keys(), type, count >= LEAST_AWAITING);
        return keys == null || payload == null ? keys : keys.withPayload(payload, elements.payloadBytes());
    }

    /// Sorts all of the keys.
    ///
    /// @return the bytes of heap that it took
    /// @param listener is told how many elements are final, from the first on; null if nobody asks
    static long sort(Team team, SimdKeys keys, long count, LongConsumer listener) {
        long bytes = keys.reserve(team.size());
        long turn = listener == null ? count : Math.ceilDiv(count, TURNS);
        FinalRanges finished = listener == null ? null : new FinalRanges(listener);
        new QuickSort(keys, team.parallel(), SimdKeys.CALL_LIMIT, turn, finished).sort(0, count);
        return bytes;
    }

    /// Sorts the elements `from..to`.
    void sort(long from, long to) {
        if (keys.type().isUnsigned()) {
            long middle = split(First.NOT_LESS, from, to);
            sortRange(from, middle);
            sortRange(middle, to);
        } else if (!keys.type().isFloating()) {
            sortRange(from, to);
        } else if (finished == null) {
            sortRange(from, to);
            long negativeEnd = keys.negativeEnd(from, to);
            reverse(from, negativeEnd);
            keys.moveNegativeNans(from, negativeEnd, to);
        } else {
            sortBySign(from, split(First.LESS, from, to), to);
        }
    }

    /// Splits a range by the sign bits.
    private long split(First first, long from, long to) {
        ParallelSplit.Task task = new ParallelSplit.Task(from, to, first, 0);
        split.run(List.of(task), partSize(to - from));
        return task.boundary();
    }

    private long partSize(long count) {
        int threads = parallel.parallelism();
        return threads == 1 ? count : Math.max(count / ((long) PARTS_PER_SHARE * threads), LEAST_SPLIT / 2);
    }

    /// Sorts floating-point numbers, those with a sign bit first, which end at `middle`.
    private void sortBySign(long from, long middle, long to) {
        FinalRanges asking = finished;
        finished = null;
        sortRange(from, middle);
        reverse(from, middle);
        // NaNs with a sign bit go to the very end, and then all others move.
        if (from == middle || !keys.isNegativeNan(from)) {
            finished = asking;
            tell(from, middle);
        }
        sortRange(middle, to);
        keys.moveNegativeNans(from, middle, to);
    }

    private void reverse(long from, long to) {
        parallel.forRanges(
                (to - from) / 2,
                REVERSED_AT_A_TIME,
                (start, end) -> keys.mirror(from + start, to - start, end - start));
    }

    private void sortRange(long from, long to) {
        List<Range> ranges = List.of(new Range(from, to, null, null, depthLimit(to - from)));
        if (to - from > turn) {
            // From left to right, all threads at each.
            for (Range range : splitAll(ranges, turn, partSize(to - from))) {
                sortByAll(List.of(range), range.count());
            }
        } else {
            sortByAll(ranges, to - from);
        }
    }

    private void sortByAll(List<Range> ranges, long count) {
        long share = count / parallel.parallelism();
        long limit = parallel.parallelism() == 1 ? count : Math.max(share / RANGES_PER_THREAD, LEAST_SPLIT);
        List<Range> all = splitAll(ranges, limit, partSize(count));
        parallel.forRanges(all.size(), 1, (from, to) -> sortByOne(all.get((int) from)));
    }

    private static int depthLimit(long count) {
        return 2 * (Long.SIZE - Long.numberOfLeadingZeros(count));
    }

    /// Has all threads split ranges until none is longer than `limit`, and returns them from first to last.
    private List<Range> splitAll(List<Range> ranges, long limit, long partSize) {
        List<Range> all = ranges;
        while (true) {
            List<Range> longRanges = new ArrayList<>();
            for (Range range : all) {
                if (range.count() > limit && range.depth > 0) {
                    longRanges.add(range);
                }
            }
            if (longRanges.isEmpty()) {
                return all;
            }
            ParallelSplit.Task[] tasks = new ParallelSplit.Task[longRanges.size()];
            parallel.forRanges(tasks.length, 1, (i, end) -> tasks[(int) i] = task(longRanges.get((int) i)));
            // With a range for each thread nothing has to be swapped.
            split.run(List.of(tasks), tasks.length < parallel.parallelism() ? partSize : Long.MAX_VALUE);
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
        long pivot = keys.pivot(range.from, range.to);
        boolean isFirst = range.isLeast(pivot) || !range.isGreatest(pivot) && keys.isPivotFirst(range.from, range.to);
        return new ParallelSplit.Task(range.from, range.to, isFirst ? First.NOT_GREATER : First.LESS, pivot);
    }

    /// Sorts a range by calls of this thread alone.
    private void sortByOne(Range range) {
        if (range.count() > callLimit && range.depth > 0) {
            ParallelSplit.Task task = task(range);
            split.run(List.of(task), Long.MAX_VALUE);
            List<Range> parts = new ArrayList<>(2);
            range.addParts(task, parts, this);
            parts.forEach(this::sortByOne);
            return;
        }
        if (range.count() > 1) {
            keys.sort(range.from, range.to);
        }
        tell(range.from, range.to);
    }

    /// Keys none of which is less than `least` or greater than `greatest`, where there are such bounds (not null). They
    /// were pivots, so a pivot that equals one of them tells that many keys do. These are moved to their end of the
    /// range, where they are done. So each key is the pivot of few splits, however often it occurs.
    ///
    /// @param depth after so many splits the rest is left to calls, which take n log n steps at worst
    private record Range(long from, long to, Long least, Long greatest, int depth) {
        long count() {
            return to - from;
        }

        boolean isLeast(long pivot) {
            return least != null && pivot == least;
        }

        boolean isGreatest(long pivot) {
            return greatest != null && pivot == greatest;
        }

        /// Adds the parts that are to be sorted, after the split, and tells of one that is done.
        void addParts(ParallelSplit.Task task, List<Range> ranges, QuickSort sort) {
            long middle = task.boundary();
            long pivot = task.pivot();
            boolean isFirst = task.isPivotFirst();
            if (isLeast(pivot)) {
                sort.tell(from, middle);
            } else {
                ranges.add(new Range(from, middle, least, isFirst ? pivot : null, depth - 1));
            }
            if (isGreatest(pivot) && !isFirst) {
                sort.tell(middle, to);
            } else {
                ranges.add(new Range(middle, to, isFirst ? null : pivot, greatest, depth - 1));
            }
        }
    }

    private void tell(long from, long to) {
        if (finished != null) {
            finished.finished(from, to);
        }
    }
}
