package io.samplesort.cpu.records;

import io.samplesort.cpu.threads.Parallel;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Finds the runs of equal prefixes among sorted prefixes, and finishes the short runs: it sorts them by the rest of
/// the sort key and, if that is equal too, by index. Threads share the places and finish the runs that begin in theirs.
final class TieSort {
    /// Longer runs are sorted as numbers instead of by comparing elements with each other.
    private static final int COMPARING_LIMIT = 32;

    private final Parallel parallel;
    private final int grain;
    private final long[] prefixes;
    private final int[] indexes;
    private final MemorySegment elements;
    /// Null if elements with equal prefixes are equal, as is `byRest`.
    private final SortKey rest;

    private final IndexMergeSort byRest;

    /// Places of equal prefixes.
    record Run(int from, int to) {}

    /// @param grain    one thread takes at most this many places, and longer runs are left to the caller
    /// @param prefixes in ascending order
    /// @param indexes  the indexes of the elements that have these prefixes
    /// @param rest     the rest of the key; null if the key has no rest
    /// @param byRest   sorts places of `indexes` by the rest of the key; null if the key has no rest
    TieSort(
            Parallel parallel,
            int grain,
            long[] prefixes,
            int[] indexes,
            MemorySegment elements,
            SortKey rest,
            IndexMergeSort byRest) {
        this.parallel = parallel;
        this.grain = grain;
        this.prefixes = prefixes;
        this.indexes = indexes;
        this.elements = elements;
        this.rest = rest;
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
        if (rest == null) {
            return;
        }
        if (to - from <= COMPARING_LIMIT) {
            byRest.sort(from, to);
        } else {
            sortPacked(from, to);
        }
    }

    /// Sorts a run by as much of the rest of the key as fits one long together with the place in the run. Then it
    /// compares the few elements that are still equal. This reads each element three times. A merge sort would read it
    /// once for each of log2(n) comparisons, and the elements of a run are far from each other in memory.
    private void sortPacked(int from, int to) {
        int count = to - from;
        int placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
        SortKey key = rest.narrowed(elements, i -> indexes[(int) i], from, to, Parallel.ALONE, count);
        long[] packed = new long[count];
        for (int place = 0; place < count; place++) {
            // The inverted sign bit turns the unsigned bits into signed ones.
            packed[place] = key.packed(elements, indexes[from + place], place, placeBits) ^ Long.MIN_VALUE;
        }
        Arrays.sort(packed);
        int[] unsorted = Arrays.copyOfRange(indexes, from, to);
        long mask = (1L << placeBits) - 1;
        for (int i = 0; i < count; i++) {
            indexes[from + i] = unsorted[(int) (packed[i] & mask)];
        }
        if (!key.isPackable(placeBits)) {
            int start = 0;
            for (int i = 1; i <= count; i++) {
                if (i == count || packed[i] >>> placeBits != packed[start] >>> placeBits) {
                    byRest.sort(from + start, from + i);
                    start = i;
                }
            }
        }
    }

    /// Returns the end of the run of equal prefixes at `start`. It is searched in steps that double, since most runs
    /// are short and some may be the whole input.
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
