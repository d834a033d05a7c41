package io.samplesort.gpu.sorted;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.PhaseTimer;
import java.util.List;

/// A merge of any number of sorted runs in device memory, two at a time: two neighbouring parts of the runs, of about
/// the same size, are each merged to the other one of two arrays, of which one is the target, and then to this one. So
/// a run takes part in about as many merges as its size demands, and the runs themselves are only read.
///
/// This needs neither sort keys nor a trusted order, and works for any number of elements. Merging all runs at once
/// (merge_runs.cuh) would need all of these.
public final class DeviceMerge implements AutoCloseable {
    private static final String WHAT = "merging %d elements";

    /// A sorted run: its columns and how many elements it has.
    public record Run(long[] columns, long count) {}

    private final List<Run> runs;
    private final int[] columnBytes;
    private final SortedTiles tiles;
    private final Stream stream;
    private final PhaseTimer timer;
    private final long[] targets;
    /// Where each run begins in the result, and where the last one ends.
    private final long[] begins;
    /// Device addresses of the other array; empty if it is not needed.
    private final long[] others;

    private final Owned owned = new Owned();
    private long extraBytes;
    private long mergedElements;
    private int mostRounds;

    /// @param runs    none of them empty
    /// @param targets device addresses of the result
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if there is not enough memory
    public DeviceMerge(
            DeviceSort sort, Stream stream, PhaseTimer timer, List<Run> runs, int[] columnBytes, long[] targets) {
        this.runs = List.copyOf(runs);
        this.columnBytes = columnBytes.clone();
        this.stream = stream;
        this.timer = timer;
        this.targets = targets.clone();
        begins = new long[runs.size() + 1];
        for (int r = 0; r < runs.size(); r++) {
            begins[r + 1] = begins[r] + runs.get(r).count;
        }
        others = new long[runs.size() > 2 ? columnBytes.length : 0];
        try {
            // The larger memory is asked for first.
            for (int c = 0; c < others.length; c++) {
                others[c] = allocate(sort, Math.multiplyExact(count(), (long) columnBytes[c]));
            }
            tiles = owned.add(new SortedTiles(WHAT, sort, stream, timer, count(), extraBytes));
            extraBytes += tiles.extraBytes();
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    private long allocate(DeviceSort sort, long bytes) {
        DeviceAllocation allocation = owned.add(SortedTiles.allocate(WHAT, sort, stream, count(), bytes, extraBytes));
        extraBytes += bytes;
        return allocation.address();
    }

    private long count() {
        return begins[runs.size()];
    }

    /// Puts the merge on the stream.
    public void enqueue() {
        if (runs.size() == 1) {
            timer.phase("copy");
            for (int c = 0; c < targets.length; c++) {
                stream.copyOnDevice(targets[c], runs.getFirst().columns[c], count() * columnBytes[c]);
            }
            mergedElements = count();
        } else if (runs.size() > 1) {
            merged(0, runs.size(), true, 1);
        }
        timer.end();
    }

    /// Merges the runs `from..to` to one of the two arrays, and returns the result. A single run stays where it is.
    private Run merged(int from, int to, boolean isInTarget, int round) {
        if (to - from == 1) {
            return runs.get(from);
        }
        int middle = middle(from, to);
        Run first = merged(from, middle, !isInTarget, round + 1);
        Run second = merged(middle, to, !isInTarget, round + 1);
        long[] columns = (isInTarget ? targets : others).clone();
        for (int c = 0; c < columns.length; c++) {
            columns[c] += begins[from] * columnBytes[c];
        }
        tiles.merge(new TileColumns(first.columns, second.columns, columns, columnBytes), first.count, second.count);
        mergedElements += first.count + second.count;
        mostRounds = Math.max(mostRounds, round);
        return new Run(columns, first.count + second.count);
    }

    /// Returns the run that begins closest to the middle of the elements of `from..to`, other than the first.
    private int middle(int from, int to) {
        long half = begins[from] + (begins[to] - begins[from]) / 2;
        int middle = from + 1;
        while (middle + 1 < to && begins[middle + 1] <= half) {
            middle++;
        }
        boolean isNextCloser = middle + 1 < to && begins[middle + 1] - half < half - begins[middle];
        return isNextCloser ? middle + 1 : middle;
    }

    /// Returns how often an element is moved at most.
    public int rounds() {
        return mostRounds;
    }

    /// Returns how many elements have been moved, each as often as it was.
    public long mergedElements() {
        return mergedElements;
    }

    /// Returns the device memory that this takes.
    public long extraBytes() {
        return extraBytes;
    }

    @Override
    public void close() {
        owned.close();
    }
}
