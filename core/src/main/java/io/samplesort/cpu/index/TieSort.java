package io.samplesort.cpu.index;

import io.samplesort.cpu.Parallel;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Finds the runs of equal prefixes among sorted ones, and finishes the short runs: it sorts them by the rest of the
/// sort key and, where that is equal too, by index. Threads share the places and finish the runs that begin in theirs.
final class TieSort {
    private final Parallel parallel;
    private final int grain;
    private final long[] prefixes;
    private final int[] indexes;
    /// Null if elements with equal prefixes are equal.
    private final IndexMergeSort byRest;

    /// Places of equal prefixes.
    record Run(int from, int to) {}

    /// @param grain    one thread takes at most so many places, and longer runs are left alone
    /// @param prefixes in ascending order
    /// @param indexes  the indexes of the elements that have these prefixes
    /// @param byRest   sorts places of `indexes` by the rest of the key; null if the key has no rest
    TieSort(Parallel parallel, int grain, long[] prefixes, int[] indexes, IndexMergeSort byRest) {
        this.parallel = parallel;
        this.grain = grain;
        this.prefixes = prefixes;
        this.indexes = indexes;
        this.byRest = byRest;
    }

    /// Finishes the short runs of places `from..to` and returns the long ones, which all threads sort together.
    Collection<Run> sort(int from, int to) {
        Collection<Run> longRuns = new ConcurrentLinkedQueue<>();
        parallel.forRanges(to - from, grain, (first, last) -> {
            int start = from + (int) first;
            int end = from + (int) last;
            if (start > from && prefixes[start - 1] == prefixes[start]) {
                start = runEnd(start, to);
            }
            while (start < end) {
                int next = runEnd(start, to);
                if (next - start > grain) {
                    longRuns.add(new Run(start, next));
                } else if (next - start > 1) {
                    sortRun(start, next);
                }
                start = next;
            }
        });
        return longRuns;
    }

    private void sortRun(int from, int to) {
        // The sort of the prefixes is not stable.
        Arrays.sort(indexes, from, to);
        if (byRest != null) {
            byRest.sort(from, to);
        }
    }

    /// The end of the run of equal prefixes at `start`: in steps that double, since most runs are short and some may
    /// be all of the input.
    private int runEnd(int start, int limit) {
        long prefix = prefixes[start];
        int equal = start;
        long step = 1;
        while (equal + step < limit && prefixes[(int) (equal + step)] == prefix) {
            equal += (int) step;
            step *= 2;
        }
        int different = (int) Math.min(limit, equal + step);
        while (different - equal > 1) {
            int middle = (equal + different) >>> 1;
            if (prefixes[middle] == prefix) {
                equal = middle;
            } else {
                different = middle;
            }
        }
        return different;
    }
}
