package io.samplesort.cpu.numbers;

import io.samplesort.cpu.leaf.SimdKeys;
import io.samplesort.cpu.threads.Crew;
import java.util.ArrayList;
import java.util.List;

/// Splits ranges of keys in two, in place, with all threads at once. A thread splits two parts of a range, one from
/// either half, as if they were one. Then the keys on the wrong side of the boundary are swapped. Their number is the
/// same on both sides, and small, since the boundary is not far from the middle.
///
/// All ranges of a sort that are about equally long are split together, since it takes threads some time to come and to
/// go.
final class ParallelSplit {
    private static final long SWAPPED_AT_A_TIME = 1 << 17;

    private final SimdKeys keys;
    private final Crew crew;

    ParallelSplit(SimdKeys keys, Crew crew) {
        this.keys = keys;
        this.crew = crew;
    }

    /// Splits all of `tasks`.
    ///
    /// @param share about how many keys one thread splits at a time
    void run(List<Task> tasks, long share) {
        List<Part> parts = new ArrayList<>();
        for (Task task : tasks) {
            task.divide(share);
            for (int i = 0; i < task.shares(); i++) {
                parts.add(new Part(task, i, 0));
            }
        }
        crew.forRanges(parts.size(), 1, (from, to) -> {
            Part part = parts.get((int) from);
            part.task.split(keys, (int) part.start);
        });
        List<Part> swaps = new ArrayList<>();
        for (Task task : tasks) {
            task.findMisplaced();
            for (long start = 0; start < task.left.count; start += SWAPPED_AT_A_TIME) {
                swaps.add(new Part(task, start, Math.min(start + SWAPPED_AT_A_TIME, task.left.count)));
            }
        }
        crew.forRanges(swaps.size(), 1, (from, to) -> swap(swaps.get((int) from)));
    }

    /// Swaps some of the misplaced keys of either side.
    private void swap(Part part) {
        Misplaced left = part.task.left;
        Misplaced right = part.task.right;
        for (long at = part.start; at < part.end; ) {
            int l = left.rangeOf(at);
            int r = right.rangeOf(at);
            long count = Math.min(part.end - at, Math.min(left.leftIn(l, at), right.leftIn(r, at)));
            keys.swap(left.place(l, at), right.place(r, at), count);
            at += count;
        }
    }

    /// The work of one thread: to split share `start` of a task, or to swap its misplaced keys `start..end`.
    private record Part(Task task, long start, long end) {}

    /// A range to be split.
    static final class Task {
        final long from;
        final long to;
        private final SimdKeys.First first;
        private final long pivot;

        /// Where its parts begin, and where the last one ends. There is one part, or two for each share.
        private long[] starts;
        /// Where each part is split.
        private long[] middles;
        private long boundary;
        private final Misplaced left = new Misplaced();
        private final Misplaced right = new Misplaced();

        Task(long from, long to, SimdKeys.First first, long pivot) {
            this.from = from;
            this.to = to;
            this.first = first;
            this.pivot = pivot;
        }

        /// Returns where the second part begins, after the split.
        long boundary() {
            return boundary;
        }

        long pivot() {
            return pivot;
        }

        boolean isPivotFirst() {
            return first == SimdKeys.First.NOT_GREATER || first == SimdKeys.First.NOT_LESS;
        }

        private void divide(long share) {
            int shares = (int) Math.max(1, Math.ceilDiv(to - from, share));
            int parts = shares == 1 ? 1 : 2 * shares;
            starts = new long[parts + 1];
            for (int i = 0; i < parts; i++) {
                starts[i] = from + (long) ((to - from) * ((double) i / parts));
            }
            starts[parts] = to;
            middles = new long[parts];
        }

        private int shares() {
            return (middles.length + 1) / 2;
        }

        private void split(SimdKeys keys, int share) {
            int other = middles.length - 1 - share;
            if (share == other) {
                middles[share] = keys.split(first, from, to, pivot);
            } else {
                long[] both = keys.splitBoth(
                        first, starts[share], starts[share + 1], starts[other], starts[other + 1], pivot);
                middles[share] = both[0];
                middles[other] = both[1];
            }
        }

        private void findMisplaced() {
            boundary = from;
            for (int i = 0; i < middles.length; i++) {
                boundary += middles[i] - starts[i];
            }
            for (int i = 0; i < middles.length; i++) {
                left.add(middles[i], Math.min(starts[i + 1], boundary));
                right.add(Math.max(starts[i], boundary), middles[i]);
            }
        }
    }

    /// The keys on the wrong side of the boundary, as a list of ranges.
    private static final class Misplaced {
        private final List<long[]> ranges = new ArrayList<>();
        private long count;

        void add(long from, long to) {
            if (from < to) {
                ranges.add(new long[] {from, count, count + to - from});
                count += to - from;
            }
        }

        /// Returns the range of the key that is at place `at` among all these keys.
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
