package io.samplesort.gpu;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.gpu.launch.Workspace;
import io.samplesort.gpu.select.FirstOfSegments;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.HostWait;
import io.samplesort.gpu.sort.SegmentSort;
import io.samplesort.gpu.sort.SegmentTotals;
import io.samplesort.gpu.sort.SegmentTotals.SegmentOffsetsOnDevice;
import io.samplesort.types.SortReport;
import java.util.function.LongConsumer;

/// Sorts the segments of an array in device memory, each by itself, or finds the first or last elements of each. All
/// methods wait for the end. Before anything is changed, they refuse offsets that fall or are no places of the array
/// (IllegalArgumentException), and a lack of memory ([io.samplesort.errors.InsufficientDeviceMemoryException]).
public final class GpuSegmentSorter {
    private final GpuResources gpu;

    GpuSegmentSorter(GpuResources gpu) {
        this.gpu = gpu;
    }

    private DeviceSort engine() {
        return gpu.sort();
    }

    /// Sorts each segment in place.
    ///
    /// @param keys     device address of `count` keys
    /// @param payloads device addresses of `count` payloads each
    /// @param segments where segments begin, in device memory
    public SortReport sort(long keys, long[] payloads, long count, DeviceSegments segments) {
        long[] columns = new long[1 + payloads.length];
        columns[0] = keys;
        System.arraycopy(payloads, 0, columns, 1, payloads.length);
        try (RunningSort running = new RunningSort(gpu)) {
            SegmentTotals totals = counted(count, segments);
            long gatheredBytes = engine().gatheredBytes(count);
            choose(running, "sorting the segments of %d elements", totals, engine().keyBytes(count), gatheredBytes);
            engine().enqueue(gpu.stream(), running.strategy(), columns, running.timer(), running.hostWait());
            return running.finish();
        }
    }

    /// Writes the indexes of the elements of each segment in sorted order to device memory. They count in the whole
    /// array, and an index outside all segments stays where it is. The engine must sort indexes.
    ///
    /// @param indexBytes bytes of an index, 4 or 8
    public SortReport argsort(long elements, long permutation, int indexBytes, long count, DeviceSegments segments) {
        try (RunningSort running = new RunningSort(gpu)) {
            SegmentTotals totals = counted(count, segments);
            choose(running, "sorting the segments of %d indexes", totals, engine().keyBytes(count), 0);
            engine().enqueueArgsort(
                            gpu.stream(),
                            running.strategy(),
                            elements,
                            permutation,
                            indexBytes,
                            running.timer(),
                            running.hostWait());
            return running.finish();
        }
    }

    /// Writes the wanted elements of each segment, and where they begin. The result is that of a stable sort only if
    /// this engine sorts indexes.
    ///
    /// @return how many elements are wanted
    /// @throws IllegalArgumentException also if there is too little room for them
    public long select(long elements, long count, DeviceSegments segments, WantedOfSegments wanted) {
        return select(
                elements,
                count,
                segments,
                wanted,
                (keys, total) -> engine().enqueueGather(
                                gpu.stream(), keys, total, elements, wanted.target(), engine().columnBytes()[0], true));
    }

    /// Writes the indexes of the wanted elements, counted in the whole array and of as many bytes as the offsets, as
    /// [#select] writes the elements. The engine must sort indexes.
    public long argselect(long elements, long count, DeviceSegments segments, WantedOfSegments wanted) {
        return select(
                elements,
                count,
                segments,
                wanted,
                (keys, total) -> engine().kernels()
                        .indexed()
                        .writePermutation(gpu.stream(), keys, wanted.target(), total, segments.offsetBytes(), 0));
    }

    /// What is done with the sort keys of the wanted elements.
    private interface Output {
        void write(long keys, long total);
    }

    private long select(long elements, long count, DeviceSegments segments, WantedOfSegments wanted, Output output) {
        SegmentOffsetsOnDevice results =
                new SegmentOffsetsOnDevice(wanted.offsets(), segments.offsetBytes(), segments.count());
        try (RunningSort running = new RunningSort(gpu)) {
            SegmentTotals totals = counted(count, segments);
            try (FirstOfSegments first =
                    new FirstOfSegments(engine(), gpu.stream(), onDevice(segments), results, count, wanted.most())) {
                long total = first.count(gpu.segmentCounts());
                if (total > wanted.room()) {
                    throw new IllegalArgumentException(total
                            + " elements are wanted of all segments, and the target has room for " + wanted.room()
                            + ": give it room for " + total);
                }
                long keyBytes = engine().element().keyBytes();
                boolean byIndex = engine().element().sortsIndexes();
                boolean isForWarps = first.isForWarps(totals);
                long copyBytes = isForWarps ? 0 : Math.multiplyExact(count, keyBytes);
                long resultBytes = byIndex ? total * keyBytes : 0;
                String what = "selecting in the segments of %d elements";
                if (isForWarps) {
                    engine().strategies().check(what, count, resultBytes);
                } else {
                    choose(running, what, totals, copyBytes, resultBytes);
                }
                if (total == 0) {
                    first.place();
                } else if (isForWarps) {
                    running.timer().phase("select_of_segments");
                    write(wanted, total, output, target -> first.select(elements, wanted.isLast(), target));
                } else {
                    try (DeviceAllocation sorted = allocate(copyBytes)) {
                        sortCopy(running, elements, sorted.address());
                        running.timer().phase("take_first");
                        write(wanted, total, output, to -> first.take(sorted.address(), wanted.isLast(), to));
                    }
                }
                running.timer().end();
                running.finishSelection(count, copyBytes + resultBytes);
                return total;
            }
        }
    }

    /// Lets the elements be written to the target, or their sort keys to memory from which the output makes the
    /// results.
    private void write(WantedOfSegments wanted, long total, Output output, LongConsumer results) {
        if (!engine().element().sortsIndexes()) {
            results.accept(wanted.target());
            return;
        }
        try (DeviceAllocation keys = allocate(total * engine().element().keyBytes())) {
            results.accept(keys.address());
            output.write(keys.address(), total);
        }
    }

    private DeviceAllocation allocate(long bytes) {
        return DeviceAllocation.allocateAsync(gpu.context(), gpu.stream(), bytes);
    }

    /// Sorts the segments of a copy of the elements, or of their sort keys.
    private void sortCopy(RunningSort running, long elements, long sorted) {
        if (engine().element().sortsIndexes()) {
            engine().enqueueSortKeys(gpu.stream(), running.strategy(), elements, sorted, running.timer());
        } else {
            engine().enqueueCopy(
                            gpu.stream(),
                            running.strategy(),
                            new long[] {elements},
                            new long[] {sorted},
                            running.timer(),
                            HostWait.none());
        }
    }

    /// Counts the segments, and checks their offsets.
    private SegmentTotals counted(long count, DeviceSegments segments) {
        if (segments.count() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("there are " + segments.count() + " segments: a GPU sorts at most "
                    + Integer.MAX_VALUE + " of them in one call, so sort them in parts");
        }
        SegmentTotals totals = new SegmentTotals(count, onDevice(segments), engine().tuning());
        try (Workspace workspace = new Workspace(gpu.context(), gpu.stream(), totals.memory(), 0)) {
            totals.enqueueCount(gpu.stream(), engine().launcher(), workspace);
            totals.read(gpu.stream(), workspace, gpu.segmentCounts());
        }
        checkOffsets(count, segments, totals.wrongOffset());
        return totals;
    }

    private static SegmentOffsetsOnDevice onDevice(DeviceSegments segments) {
        return new SegmentOffsetsOnDevice(segments.offsets(), segments.offsetBytes(), segments.count());
    }

    private void choose(RunningSort running, String what, SegmentTotals totals, long besideBytes, long laterBytes) {
        running.forgetLargestBucket();
        running.use(what, new SegmentSort(totals, engine().strategies()), besideBytes, laterBytes);
    }

    private void checkOffsets(long count, DeviceSegments segments, long counted) {
        // The kernel looks at the offsets of each segment, and so at none if there is no segment.
        long wrong = segments.count() == 0 ? 0 : counted;
        if (wrong < 0) {
            return;
        }
        long offset = readOffset(segments, wrong);
        if (offset < 0 || offset > count) {
            throw new IllegalArgumentException("offset " + wrong + " is " + offset + ": offsets must be from 0 to "
                    + count + ", the number of elements");
        }
        if (wrong > 0) {
            throw new IllegalArgumentException("offset " + wrong + " is " + offset + " and the one before is "
                    + readOffset(segments, wrong - 1) + ": offsets must not fall");
        }
    }

    private long readOffset(DeviceSegments segments, long number) {
        return gpu.readOffset(segments.offsets(), segments.offsetBytes(), number);
    }
}
