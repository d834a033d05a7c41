package io.samplesort.cpu;

import io.samplesort.cpu.lanes.Elements;
import io.samplesort.cpu.leaf.SimdKeys;
import io.samplesort.cpu.leaf.SimdKeys.First;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/// Sorts keys where they lie by the kernels of this engine: it splits ranges in two until one call sorts them.
///
/// All threads split a large range together ([ParallelSplit]). When there are as many ranges as threads, each splits
/// ranges of its own.
final class QuickSort {
    /// Fewer elements are distributed, among buckets that a core's caches hold.
    private static final int LEAST_COUNT = 1 << 17;

    /// With fewer elements it does not pay to wait until the kernels are loaded.
    private static final int LEAST_AWAITING = 1 << 20;

    /// A thread's share of the elements is divided by this; a smaller range is left to one call.
    private static final int RANGES_PER_THREAD = 8;

    /// The fewest keys of which it pays to split a range.
    private static final int LEAST_SPLIT = 1 << 12;

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
    /// @param share     so many elements are split by one thread
    /// @param turn      longer ranges are sorted one after the other
    /// @param finished  is told of ranges that are done; null if nobody asks
    QuickSort(SimdKeys keys, Parallel parallel, long callLimit, long share, long turn, FinalRanges finished) {
        this.keys = keys;
        this.parallel = parallel;
        this.callLimit = callLimit;
        this.split = new ParallelSplit(keys, parallel, share);
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
        long turn = listener == null ? count : count / TURNS;
        long share = Math.ceilDiv(turn, team.size());
        long callLimit = Math.clamp(share / RANGES_PER_THREAD, LEAST_SPLIT, SimdKeys.CALL_LIMIT);
        FinalRanges finished = listener == null ? null : new FinalRanges(listener);
        new QuickSort(keys, team.parallel(), callLimit, share, turn, finished).sort(0, count);
        return bytes;
    }

    /// Sorts the elements `from..to`.
    void sort(long from, long to) {
        int depth = 2 * (Long.SIZE - Long.numberOfLeadingZeros((to - from) / callLimit));
        if (keys.type().isUnsigned()) {
            long middle = split.split(First.NOT_LESS, from, to, 0);
            both(to - from, () -> sort(from, middle, depth), () -> sort(middle, to, depth));
        } else if (!keys.type().isFloating()) {
            sort(from, to, depth);
        } else if (finished == null) {
            sort(from, to, depth);
            long negativeEnd = keys.negativeEnd(from, to);
            reverse(from, negativeEnd);
            keys.moveNegativeNans(from, negativeEnd, to);
        } else {
            sortBySign(from, split.split(First.LESS, from, to, 0), to, depth);
        }
    }

    /// Sorts floating-point numbers, those with a sign bit first, which end at `middle`.
    private void sortBySign(long from, long middle, long to, int depth) {
        FinalRanges asking = finished;
        finished = null;
        sort(from, middle, depth);
        reverse(from, middle);
        // NaNs with a sign bit go to the very end, and then all others move.
        if (from == middle || !keys.isNegativeNan(from)) {
            finished = asking;
            tell(from, middle);
        }
        sort(middle, to, depth);
        keys.moveNegativeNans(from, middle, to);
    }

    private void reverse(long from, long to) {
        parallel.forRanges(
                (to - from) / 2,
                REVERSED_AT_A_TIME,
                (start, end) -> keys.mirror(from + start, to - start, end - start));
    }

    private void sort(long from, long to, int depth) {
        sort(from, to, depth, null, null);
    }

    /// Sorts keys none of which is less than `least` or greater than `greatest`, where there are such bounds (not
    /// null).
    /// They were pivots, so a pivot that equals one of them tells that many keys do. These are moved to their end of
    /// the range, where they are done. So each key is the pivot of few splits, however often it occurs.
    ///
    /// @param depth after so many splits the rest is left to calls, which take n log n steps at worst
    private void sort(long from, long to, int depth, Long least, Long greatest) {
        long start = from;
        long end = to;
        for (int left = depth; end - start > callLimit && left > 0; left--) {
            long pivot = keys.pivot(start, end);
            if (least != null && pivot == least) {
                long first = split.split(First.NOT_GREATER, start, end, pivot);
                tell(start, first);
                start = first;
            } else if (greatest != null && pivot == greatest) {
                long last = split.split(First.LESS, start, end, pivot);
                tell(last, end);
                end = last;
            } else {
                sortBoth(start, end, left - 1, least, greatest, pivot);
                return;
            }
        }
        if (end - start > 1) {
            keys.sort(start, end);
        }
        tell(start, end);
    }

    private void sortBoth(long from, long to, int depth, Long least, Long greatest, long pivot) {
        boolean isFirst = keys.isPivotFirst(from, to);
        long middle = split.split(isFirst ? First.NOT_GREATER : First.LESS, from, to, pivot);
        both(
                to - from,
                () -> sort(from, middle, depth, least, isFirst ? pivot : null),
                () -> sort(middle, to, depth, isFirst ? null : pivot, greatest));
    }

    private void both(long count, Runnable first, Runnable second) {
        if (count > turn) {
            first.run();
            second.run();
        } else {
            parallel.both(first, second);
        }
    }

    private void tell(long from, long to) {
        if (finished != null) {
            finished.finished(from, to);
        }
    }
}
