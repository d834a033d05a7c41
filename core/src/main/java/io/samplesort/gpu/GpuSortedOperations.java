package io.samplesort.gpu;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.gpu.sorted.DeviceBounds;
import io.samplesort.gpu.sorted.DeviceMerge;
import io.samplesort.gpu.sorted.KeptElements;
import io.samplesort.memory.SetOperation;
import io.samplesort.types.SortReport;
import java.util.ArrayList;
import java.util.List;

/// What can be done with sorted elements in device memory, with the engine of a sorter by index. All methods take
/// device addresses, of which those of targets overlap nothing else, and wait for the end. Inputs are never changed.
/// Those that are not sorted give some result; a merge loses none of their elements.
///
/// Columns are those of the elements and of what belongs to them. If memory is lacking, that is found out before
/// anything is written ([io.samplesort.errors.InsufficientDeviceMemoryException]). If the GPU fails
/// ([io.samplesort.errors.SampleSortException]), targets hold anything.
public final class GpuSortedOperations {
    private final GpuResources gpu;
    private final long fewestSorted;

    GpuSortedOperations(GpuResources gpu) {
        this(gpu, DeviceBounds.FEWEST_SORTED);
    }

    /// @param fewestSorted how many queries and elements there must be, at least, for the queries to be sorted
    GpuSortedOperations(GpuResources gpu, long fewestSorted) {
        this.gpu = gpu;
        this.fewestSorted = fewestSorted;
    }

    private DeviceSort sort() {
        return gpu.sort();
    }

    private PhaseTimer timer() {
        return PhaseTimer.create(gpu.context(), gpu.stream(), gpu.timesPhases());
    }

    private KeptElements kept() {
        return new KeptElements(sort(), gpu.stream(), gpu.readBack());
    }

    /// Merges sorted inputs. Equal elements come in the order of their inputs, and within an input in their order.
    ///
    /// @param inputs      the columns of each input
    /// @param counts      the elements of each input
    /// @param columnBytes bytes of a value in each column
    /// @param targets     room for all elements, in each column
    public SortReport merge(long[][] inputs, long[] counts, int[] columnBytes, long[] targets) {
        long start = System.nanoTime();
        List<DeviceMerge.Run> runs = new ArrayList<>();
        long count = 0;
        for (int i = 0; i < inputs.length; i++) {
            if (counts[i] > 0) {
                runs.add(new DeviceMerge.Run(inputs[i], counts[i]));
                count += counts[i];
            }
        }
        try (WaitedCall call = new WaitedCall(gpu);
                PhaseTimer timer = timer();
                DeviceMerge merge = new DeviceMerge(sort(), gpu.stream(), timer, runs, columnBytes, targets)) {
            merge.enqueue();
            call.finish();
            long rowBytes = 0;
            for (int bytes : columnBytes) {
                rowBytes += bytes;
            }
            long moved = 2 * merge.mergedElements() * rowBytes;
            return sort().report(count, merge.rounds(), moved, merge.extraBytes(), 0, timer, start);
        }
    }

    /// Writes the first element of each run of equal neighbours, and returns how many there are.
    ///
    /// @param room how many elements the targets have room for; those behind them are not written
    public long unique(long[] columns, int[] columnBytes, long count, long[] targets, long room) {
        try (WaitedCall call = new WaitedCall(gpu)) {
            long total = kept().unique(columns, columnBytes, count, targets, room);
            call.finish();
            return total;
        }
    }

    /// Does the same with keys alone, and writes how many elements each run has.
    ///
    /// @param room       how many keys `target` has room for, and how many numbers `counts` has
    /// @param countBytes bytes of such a number, 4 or 8
    public long counts(long keys, long count, long target, long room, long counts, int countBytes) {
        try (WaitedCall call = new WaitedCall(gpu)) {
            long total = kept().counts(keys, count, target, room, counts, countBytes);
            call.finish();
            return total;
        }
    }

    /// Writes where each run of equal neighbours begins and, behind these offsets, the number of keys. Returns how many
    /// runs there are.
    ///
    /// @param offsetBytes bytes of an offset, 4 or 8
    /// @param room        how many offsets there is room for: one more than runs
    public long groups(long keys, long count, long offsets, int offsetBytes, long room) {
        try (WaitedCall call = new WaitedCall(gpu)) {
            long total = kept().groups(keys, count, offsets, offsetBytes, room);
            call.finish();
            return total;
        }
    }

    /// Writes the elements of a set operation, and returns how many there are.
    ///
    /// @param second  the columns of the second input; only a union needs more than that of the elements
    /// @param targets room for `room` elements in each column; those behind them are not written
    public long combine(
            SetOperation operation,
            long[] first,
            long firstCount,
            long[] second,
            long secondCount,
            int[] columnBytes,
            long[] targets,
            long room) {
        try (WaitedCall call = new WaitedCall(gpu)) {
            long total = kept().combine(operation, first, firstCount, second, secondCount, columnBytes, targets, room);
            call.finish();
            return total;
        }
    }

    /// Writes for each query how many keys come before it, or do not come after it.
    ///
    /// @param bounds     room for a number for each query
    /// @param boundBytes bytes of such a number, 4 or 8
    /// @param isUpper    whether keys count that are equal to the query
    public SortReport bounds(
            long keys, long count, long queries, long queryCount, long bounds, int boundBytes, boolean isUpper) {
        long start = System.nanoTime();
        try (WaitedCall call = new WaitedCall(gpu);
                PhaseTimer timer = timer()) {
            DeviceBounds search = new DeviceBounds(sort(), gpu.stream(), timer, fewestSorted);
            search.enqueue(gpu.readBack(), keys, count, queries, queryCount, bounds, boundBytes, isUpper);
            call.finish();
            long moved = queryCount * (sort().columnBytes()[0] + boundBytes);
            return sort().report(queryCount, 0, moved, search.extraBytes(), 0, timer, start);
        }
    }

    /// Returns the index of the first key that comes before its predecessor; -1 if there is none.
    public long firstOutOfOrder(long keys, long count) {
        long ordered = count == 0 ? 0 : orderedCount(keys, count);
        return ordered == count ? -1 : ordered;
    }

    /// Returns how many keys are in order, counted from the first one: all of them if they are sorted.
    ///
    /// @param count at least 1
    long orderedCount(long keys, long count) {
        Stream stream = gpu.stream();
        try (WaitedCall call = new WaitedCall(gpu);
                DeviceAllocation wrong = DeviceAllocation.allocateAsync(gpu.context(), stream, Long.BYTES)) {
            stream.fill(wrong.address(), (byte) 0, Long.BYTES);
            sort().kernels().indexed().checkOrder(stream, keys, sort().columnBytes()[0], count, wrong.address());
            return count - gpu.read(wrong.address());
        }
    }
}
