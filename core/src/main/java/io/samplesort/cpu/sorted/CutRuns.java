package io.samplesort.cpu.sorted;

import io.samplesort.cpu.records.SortKey;
import io.samplesort.memory.RunCuts;
import java.util.Arrays;
import java.util.List;

/// Inputs as runs to be cut. It remembers the leading bits of one key of each run. For one thread.
final class CutRuns implements RunCuts.Runs {
    private final KeyOrder order;
    private final List<Input> inputs;
    /// Where each run ends for now. Cuts before that are found even if a run is not sorted.
    private final long[] ends;
    /// Null if the order is a comparator of the user's own.
    private final SortKey key;

    private final long[] lastIndexes;
    private final long[] lastPrefixes;

    CutRuns(KeyOrder order, List<Input> inputs, long[] ends) {
        this.order = order;
        this.inputs = inputs;
        this.ends = ends;
        this.key = order.key();
        this.lastIndexes = new long[ends.length];
        this.lastPrefixes = new long[ends.length];
        Arrays.fill(lastIndexes, -1);
    }

    static CutRuns of(KeyOrder order, List<Input> inputs) {
        return new CutRuns(
                order, inputs, inputs.stream().mapToLong(Input::count).toArray());
    }

    @Override
    public int count() {
        return ends.length;
    }

    @Override
    public long length(int run) {
        return ends[run];
    }

    @Override
    public int compare(int run, long index, int otherRun, long otherIndex) {
        if (key != null) {
            long prefix = prefix(run, index);
            long otherPrefix = prefix(otherRun, otherIndex);
            if (prefix != otherPrefix) {
                return Long.compareUnsigned(prefix, otherPrefix);
            }
            if (key.isWholeInPrefix()) {
                return 0;
            }
        }
        return order.compare(inputs.get(run).keys(), index, inputs.get(otherRun).keys(), otherIndex);
    }

    private long prefix(int run, long index) {
        if (lastIndexes[run] != index) {
            lastPrefixes[run] = key.prefix(inputs.get(run).keys(), index);
            lastIndexes[run] = index;
        }
        return lastPrefixes[run];
    }
}
