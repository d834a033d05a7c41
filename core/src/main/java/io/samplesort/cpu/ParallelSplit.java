package io.samplesort.cpu;

import io.samplesort.cpu.leaf.SimdKeys;
import java.util.ArrayList;
import java.util.List;

/// Splits a range of keys in two by several threads, where the keys lie. Each thread splits a part of the range, and
/// then what lies on the wrong side of the boundary is swapped: as many keys on either side.
final class ParallelSplit {
    /// The most keys to be split by one call, since some collectors of garbage wait for its end.
    private static final long CALL_LIMIT = 1 << 24;

    /// A thread splits so many parts of a range, so that one that loses its core for a while does not hold up others.
    private static final int PARTS_PER_THREAD = 2;

    private static final long SWAPPED_AT_A_TIME = 1 << 17;

    private final SimdKeys keys;
    private final Parallel parallel;
    private final long share;

    /// @param share so many elements are split by one thread
    ParallelSplit(SimdKeys keys, Parallel parallel, long share) {
        this.keys = keys;
        this.parallel = parallel;
        this.share = share;
    }

    /// Moves some of the keys `from..to` before the others, and returns where these begin.
    long split(SimdKeys.First first, long from, long to, long pivot) {
        long count = to - from;
        long threads = Math.min(parallel.parallelism(), Math.ceilDiv(count, share));
        int parts = (int) Math.max(threads == 1 ? 1 : threads * PARTS_PER_THREAD, Math.ceilDiv(count, CALL_LIMIT));
        if (parts <= 1) {
            return keys.split(first, from, to, pivot);
        }
        long[] starts = new long[parts + 1];
        for (int i = 0; i <= parts; i++) {
            starts[i] = from + (long) (count * ((double) i / parts));
        }
        starts[parts] = to;
        long[] middles = new long[parts];
        parallel.forRanges(parts, 1, (part, end) -> {
            int i = (int) part;
            middles[i] = keys.split(first, starts[i], starts[i + 1], pivot);
        });
        long boundary = from;
        for (int i = 0; i < parts; i++) {
            boundary += middles[i] - starts[i];
        }
        Misplaced left = new Misplaced();
        Misplaced right = new Misplaced();
        for (int i = 0; i < parts; i++) {
            left.add(middles[i], Math.min(starts[i + 1], boundary));
            right.add(Math.max(starts[i], boundary), middles[i]);
        }
        parallel.forRanges(left.count, SWAPPED_AT_A_TIME, (start, end) -> swap(left, right, start, end));
        return boundary;
    }

    /// Swaps the misplaced keys `start..end` of either side.
    private void swap(Misplaced left, Misplaced right, long start, long end) {
        for (long at = start; at < end; ) {
            int l = left.rangeOf(at);
            int r = right.rangeOf(at);
            long count = Math.min(end - at, Math.min(left.leftIn(l, at), right.leftIn(r, at)));
            keys.swap(left.place(l, at), right.place(r, at), count);
            at += count;
        }
    }

    /// Keys on the wrong side of the boundary, in some ranges.
    private static final class Misplaced {
        private final List<long[]> ranges = new ArrayList<>();
        private long count;

        void add(long from, long to) {
            if (from < to) {
                ranges.add(new long[] {from, count, count + to - from});
                count += to - from;
            }
        }

        /// Returns the range of the key that is at place `at` among all of these.
        int rangeOf(long at) {
            int i = 0;
            while (ranges.get(i)[2] <= at) {
                i++;
            }
            return i;
        }

        long leftIn(int range, long at) {
            return ranges.get(range)[2] - at;
        }

        long place(int range, long at) {
            return ranges.get(range)[0] + at - ranges.get(range)[1];
        }
    }
}
