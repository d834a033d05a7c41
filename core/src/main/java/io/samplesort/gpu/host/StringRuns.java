package io.samplesort.gpu.host;

import io.samplesort.cuda.Background;
import io.samplesort.memory.RunCuts;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Sorted runs of strings in host memory, and their merge. Each run has consecutive strings of the input. Equal strings
/// come in the order of their runs, so the result is stable if the runs are.
public final class StringRuns implements RunCuts.Runs {
    /// Each thread merges several parts, as some take longer than others.
    private static final int PARTS_A_THREAD = 4;

    /// Cutting a part of fewer strings than this costs more than merging it.
    private static final long LEAST_PART = 1 << 10;

    private final Strings strings;
    private final StringOrder order;
    private final MemorySegment indexes;
    private final int indexBytes;
    /// Where each run begins, both among the strings and among the indexes, and where the last one ends.
    private final long[] begins;

    /// @param indexes    for each run the indexes of its strings in order, which count from 0 in each run
    /// @param indexBytes bytes of an index, 4 or 8
    /// @param begins     where each run begins, and where the last one ends
    public StringRuns(Strings strings, StringOrder order, MemorySegment indexes, int indexBytes, long[] begins) {
        this.strings = strings;
        this.order = order;
        this.indexes = indexes;
        this.indexBytes = indexBytes;
        this.begins = begins;
    }

    @Override
    public int count() {
        return begins.length - 1;
    }

    @Override
    public long length(int run) {
        return begins[run + 1] - begins[run];
    }

    @Override
    public int compare(int run, long index, int otherRun, long otherIndex) {
        return order.compare(strings, string(run, index), string(otherRun, otherIndex));
    }

    /// Returns which string comes at an index of a run.
    private long string(int run, long index) {
        long at = begins[run] + index;
        return begins[run]
                + (indexBytes == Long.BYTES
                        ? indexes.get(ValueLayout.JAVA_LONG_UNALIGNED, at * Long.BYTES)
                        : Integer.toUnsignedLong(indexes.get(ValueLayout.JAVA_INT_UNALIGNED, at * Integer.BYTES)));
    }

    /// Writes the indexes of all strings in order, on several threads, and waits for the end.
    ///
    /// @param permutation room for an index of each string, not overlapping the indexes of the runs
    public void merge(MemorySegment permutation, int threads) {
        long count = begins[count()];
        int parts = (int) Math.clamp(count / LEAST_PART, 1, (long) threads * PARTS_A_THREAD);
        List<Background<Void>> workers = new ArrayList<>();
        for (int t = 0; t < Math.min(threads, parts); t++) {
            int first = t;
            workers.add(Background.start("merge", () -> {
                for (int part = first; part < parts; part += threads) {
                    mergePart(permutation, count * part / parts, count * (part + 1) / parts);
                }
                return null;
            }));
        }
        Background.finish(workers);
    }

    private void mergePart(MemorySegment permutation, long from, long to) {
        long[] at = RunCuts.at(this, from, new long[count()]);
        long[] ends = RunCuts.at(this, to, at);
        RunHeads heads = new RunHeads(at.clone(), ends);
        for (long i = from; i < to; i++) {
            long string = heads.next();
            if (indexBytes == Long.BYTES) {
                permutation.set(ValueLayout.JAVA_LONG_UNALIGNED, i * Long.BYTES, string);
            } else {
                permutation.set(ValueLayout.JAVA_INT_UNALIGNED, i * Integer.BYTES, (int) string);
            }
        }
    }

    /// The first remaining string of each run, as a heap with the least one at the top.
    private final class RunHeads {
        private final long[] at;
        private final long[] ends;
        private final int[] runs;
        private final long[] heads;
        private int size;

        RunHeads(long[] at, long[] ends) {
            this.at = at;
            this.ends = ends;
            this.runs = new int[count()];
            this.heads = new long[count()];
            for (int run = 0; run < runs.length; run++) {
                if (at[run] < ends[run]) {
                    heads[run] = string(run, at[run]++);
                    runs[size++] = run;
                }
            }
            for (int place = size / 2; place >= 0; place--) {
                sink(place);
            }
        }

        /// Removes the least string and returns it.
        long next() {
            int run = runs[0];
            long string = heads[run];
            if (at[run] < ends[run]) {
                heads[run] = string(run, at[run]++);
            } else {
                runs[0] = runs[--size];
            }
            sink(0);
            return string;
        }

        private void sink(int place) {
            int at = place;
            while (2 * at + 1 < size) {
                int child = 2 * at + 1;
                if (child + 1 < size && isBefore(runs[child + 1], runs[child])) {
                    child++;
                }
                if (!isBefore(runs[child], runs[at])) {
                    return;
                }
                int moved = runs[at];
                runs[at] = runs[child];
                runs[child] = moved;
                at = child;
            }
        }

        private boolean isBefore(int run, int other) {
            int comparison = order.compare(strings, heads[run], heads[other]);
            return comparison != 0 ? comparison < 0 : run < other;
        }
    }
}
