package io.samplesort.cpu;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Finds the runs of equal prefixes among sorted ones and finishes them: by the rest of the sort key, and where that is
/// equal too, by index.
///
/// Threads share the places of the input and finish the runs that begin in theirs. A run that is long is left for the
/// end, when all threads sort it together.
final class TieSort {
    private final Parallel parallel;
    private final int grain;
    private final long[] prefixes;
    private final int[] indexes;
    private final int count;
    /// Null where elements with equal prefixes are equal.
    private final IndexMergeSort byRest;
    private final CpuSorter byIndex;
    private final Queue<Run> longRuns = new ConcurrentLinkedQueue<>();

    private record Run(int start, int end) {}

    /// @param grain    at most that many places are one thread's
    /// @param prefixes in ascending order
    /// @param indexes  of the elements that have these prefixes
    /// @param byRest   sorts places of `indexes` by the rest of the key; null where that has none
    /// @param byIndex  sorts ints
    TieSort(
            Parallel parallel,
            int grain,
            long[] prefixes,
            int[] indexes,
            int count,
            IndexMergeSort byRest,
            CpuSorter byIndex) {
        this.parallel = parallel;
        this.grain = grain;
        this.prefixes = prefixes;
        this.indexes = indexes;
        this.count = count;
        this.byRest = byRest;
        this.byIndex = byIndex;
    }

    void sort() {
        parallel.forRanges(count, grain, (from, to) -> sortRunsOf((int) from, (int) to));
        for (Run run : longRuns) {
            byIndex.sort(ints(run), null);
            if (byRest != null) {
                byRest.sort(run.start, run.end);
            }
        }
    }

    private void sortRunsOf(int from, int to) {
        int start = from > 0 && prefixes[from - 1] == prefixes[from] ? runEnd(from) : from;
        while (start < to) {
            int end = runEnd(start);
            if (end - start > grain) {
                longRuns.add(new Run(start, end));
            } else if (end - start > 1) {
                // The sort of the prefixes is not stable.
                Arrays.sort(indexes, start, end);
                if (byRest != null) {
                    byRest.sort(start, end);
                }
            }
            start = end;
        }
    }

    /// The end of the run of equal prefixes at `start`: in steps that double, since most runs are short and some may
    /// be all of the input.
    private int runEnd(int start) {
        long prefix = prefixes[start];
        int equal = start;
        long step = 1;
        while (equal + step < count && prefixes[(int) (equal + step)] == prefix) {
            equal += (int) step;
            step *= 2;
        }
        int different = (int) Math.min(count, equal + step);
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

    private MemorySegment ints(Run run) {
        return MemorySegment.ofArray(indexes)
                .asSlice(
                        run.start * ValueLayout.JAVA_INT.byteSize(),
                        (run.end - run.start) * ValueLayout.JAVA_INT.byteSize());
    }
}
