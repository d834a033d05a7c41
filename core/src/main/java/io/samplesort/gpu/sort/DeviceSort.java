package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.launch.Kernels;
import io.samplesort.gpu.plan.DeviceElements;
import io.samplesort.gpu.plan.GivenSegments;
import io.samplesort.gpu.plan.SortPlan;
import io.samplesort.gpu.plan.WorkspaceLayout;
import io.samplesort.types.SortReport;
import io.samplesort.types.SortReportBuilder;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.stream.IntStream;

/// Sorts columns in device memory, moved or by index. Sorts of device memory and each chunk of a sort of host memory
/// come down to this.
///
/// @param columnBytes bytes of an element in each column: first the keys, then the payloads
/// @param device      what reports call the GPU
public record DeviceSort(Phases phases, Layouts layouts, int[] columnBytes, String device) {
    public Context context() {
        return phases.context();
    }

    public Kernels kernels() {
        return phases.kernels();
    }

    public KernelElement element() {
        return layouts.element();
    }

    public Tuning tuning() {
        return layouts.tuning();
    }

    /// Returns the bytes of an element in all columns.
    public long rowBytes() {
        return IntStream.of(columnBytes).sum();
    }

    /// Returns the bytes of an element as the passes write it.
    public long movedRowBytes() {
        return IntStream.of(movedBytes()).sum();
    }

    /// Returns the bytes that sorting takes beside its layout: in a sort by index those of the sort keys.
    public long keyBytes(long count) {
        return element().sortsIndexes() ? IndexedColumns.keyBytes(element(), count) : 0;
    }

    /// Returns the bytes that sorting takes in the place of its layout, once that has done its work: in a sort by index
    /// room to gather a column.
    public long gatheredBytes(long count) {
        if (!element().sortsIndexes()) {
            return 0;
        }
        // No streams, which take a young process longer than the rest of a call.
        int largest = 0;
        for (int c = element().restoresElements() ? 1 : 0; c < columnBytes.length; c++) {
            largest = Math.max(largest, columnBytes[c]);
        }
        return Math.multiplyExact(count, (long) largest);
    }

    /// Returns the bytes that sorting takes beside its layout at most.
    public long indexBytes(long count) {
        return keyBytes(count) + gatheredBytes(count);
    }

    /// Puts a sort on a stream.
    ///
    /// @param columns       device addresses
    /// @param largestBucket pinned memory for the size of the largest bucket; null where nobody asks
    public void enqueue(
            Stream on, WorkspaceLayout layout, long[] columns, PhaseTimer timer, MemorySegment largestBucket) {
        long count = layout.plan.elementCount();
        if (!element().sortsIndexes()) {
            DeviceElements elements = elements(columns);
            phases.enqueue(on, layout, elements, elements, timer, largestBucket);
            return;
        }
        // The sort and the gather allocate equally much, one after the other, so the pool gives both the same memory.
        long roomBytes = Math.max(layout.byteSize, gatheredBytes(count));
        try (IndexedColumns indexed =
                new IndexedColumns(context(), on, kernels().indexed(), element(), count, roomBytes)) {
            DeviceElements keys = sortKeys(indexed, layout, columns[0], timer);
            phases.enqueue(on, layout, keys, indexed.keys(), timer, largestBucket, roomBytes);
            timer.phase("gather");
            indexed.putElementsInOrder(columns[0], columnBytes[0]);
            for (int c = 1; c < columns.length; c++) {
                indexed.gatherInPlace(columns[c], columnBytes[c]);
            }
            timer.end();
        }
    }

    /// Puts a sort from one place to another on a stream.
    ///
    /// @param sources device addresses of the columns, which stay as they are
    /// @param targets device addresses of the sorted columns
    public void enqueueCopy(
            Stream on,
            WorkspaceLayout layout,
            long[] sources,
            long[] targets,
            PhaseTimer timer,
            MemorySegment largestBucket) {
        if (element().sortsIndexes()) {
            enqueueCopyByIndex(on, layout, sources, targets, timer, largestBucket);
            return;
        }
        DeviceElements sorted = elements(targets);
        DeviceElements input = sorted;
        if (layout.leavesInput()) {
            input = elements(sources);
        } else {
            timer.phase("copy");
            for (int c = 0; c < sources.length; c++) {
                on.copyOnDevice(targets[c], sources[c], layout.plan.elementCount() * columnBytes[c]);
            }
        }
        phases.enqueue(on, layout, input, sorted, timer, largestBucket);
    }

    private void enqueueCopyByIndex(
            Stream on,
            WorkspaceLayout layout,
            long[] sources,
            long[] targets,
            PhaseTimer timer,
            MemorySegment largestBucket) {
        long count = layout.plan.elementCount();
        try (IndexedColumns indexed =
                new IndexedColumns(context(), on, kernels().indexed(), element(), count, 0)) {
            DeviceElements keys = sortKeys(indexed, layout, sources[0], timer);
            phases.enqueue(on, layout, keys, indexed.keys(), timer, largestBucket);
            timer.phase("gather");
            indexed.copyElementsInOrder(sources[0], targets[0], columnBytes[0]);
            for (int c = 1; c < sources.length; c++) {
                indexed.gather(sources[c], targets[c], columnBytes[c]);
            }
            timer.end();
        }
    }

    /// Puts a sort of indexes on a stream.
    ///
    /// @param permutation device address of the result
    /// @param indexBytes  bytes of an index, 4 or 8
    public void enqueueArgsort(
            Stream on,
            WorkspaceLayout layout,
            long elements,
            long permutation,
            int indexBytes,
            PhaseTimer timer,
            MemorySegment largestBucket) {
        long count = layout.plan.elementCount();
        try (IndexedColumns indexed =
                new IndexedColumns(context(), on, kernels().indexed(), element(), count, 0)) {
            DeviceElements input = sortKeys(indexed, layout, elements, timer);
            boolean isDirect = layout.leavesInput() && indexBytes == Integer.BYTES;
            DeviceElements output = isDirect ? new DeviceElements(indexed.keys().keys(), permutation) : indexed.keys();
            phases.enqueue(on, layout, input, output, timer, largestBucket);
            if (!isDirect) {
                timer.phase("write_permutation");
                indexed.writePermutation(permutation, indexBytes);
            }
            timer.end();
        }
    }

    /// Puts a sort by index on a stream that leaves the sort keys in order, and the elements as they are.
    ///
    /// @param sortKeys device address of room for the sort keys
    public void enqueueSortKeys(Stream on, WorkspaceLayout layout, long elements, long sortKeys, PhaseTimer timer) {
        DeviceElements output = new DeviceElements(sortKeys, 0);
        DeviceElements input = output;
        if (layout.leavesInput()) {
            input = asInput(elements, 0);
        } else {
            timer.phase("make_sort_keys");
            kernels().indexed().makeSortKeys(on, elements, columnBytes[0], sortKeys, layout.plan.elementCount());
        }
        phases.enqueue(on, layout, input, output, timer, null);
    }

    /// Puts a sort of sort keys that are there already on a stream. They are sorted where they are.
    ///
    /// @param sortKeys device address, of keys of which no two are equal
    public void enqueueSortKeys(Stream on, WorkspaceLayout layout, long sortKeys, MemorySegment largestBucket) {
        DeviceElements keys = new DeviceElements(sortKeys, 0);
        phases.enqueue(on, layout, keys, keys, PhaseTimer.none(), largestBucket);
    }

    /// Puts a copy of a column in the order of sorted keys on a stream.
    ///
    /// @param sortKeys    device address of as many of them as there are elements
    /// @param source      device address of the element with index 0
    /// @param isCompared  whether this is the column that the sort keys were made of
    public void enqueueGather(
            Stream on, long sortKeys, long count, long source, long target, int bytes, boolean isCompared) {
        if (isCompared && element().restoresElements()) {
            kernels().indexed().restoreElements(on, sortKeys, target, bytes, count);
        } else {
            kernels().indexed().gather(on, sortKeys, source, target, count, bytes);
        }
    }

    /// Returns the sort keys of elements. They are made now, unless a pass will look at the elements first and leave
    /// them alone: then the kernels that load the elements make them.
    private DeviceElements sortKeys(IndexedColumns indexed, WorkspaceLayout layout, long elements, PhaseTimer timer) {
        if (layout.leavesInput()) {
            return asInput(elements, 0);
        }
        timer.phase("make_sort_keys");
        return indexed.makeSortKeys(elements, columnBytes[0]);
    }

    /// Returns the bytes of an element in each array that passes write.
    public int[] movedBytes() {
        if (element().movesPairs()) {
            return new int[] {element().elementBytes()};
        }
        return element().payloadBytes() > 0
                ? new int[] {element().keyBytes(), element().payloadBytes()}
                : new int[] {element().keyBytes()};
    }

    /// Returns the layout of a sort that follows a first pass that was made elsewhere.
    ///
    /// @param segmentCount how many segments that pass has left
    public WorkspaceLayout layoutBehind(long count, int segmentCount) {
        return WorkspaceLayout.ofExchange(SortPlan.ofSegments(count, segmentCount, tuning()), element(), tuning());
    }

    /// Puts a sort on a stream that follows a first pass that was made elsewhere.
    ///
    /// @param segments      what the first pass has left
    /// @param pinned        memory for [GivenSegments#bytes], which has to stay as it is until the stream has come this
    ///     far
    /// @param received      device addresses of the arrays that the pass has written, from the first segment on. The
    ///     sort needs as much memory there as all segments take.
    /// @param targets       device addresses of the sorted columns
    /// @param leastBytes    how much memory to take at least
    /// @param largestBucket pinned memory for the size of the largest bucket; null where nobody asks
    public void enqueueBehind(
            Stream on,
            WorkspaceLayout layout,
            GivenSegments segments,
            MemorySegment pinned,
            long[] received,
            long[] targets,
            long leastBytes,
            MemorySegment largestBucket) {
        phases.enqueueBehind(
                on, layout, segments, pinned, elements(received), elements(targets), leastBytes, largestBucket);
    }

    /// Moves pages of an array.
    ///
    /// @param from      device addresses of the columns of the pages beside the array as the sources are numbered
    /// @param to        the same for the targets
    /// @param moves     device address of the `PageMove`
    /// @param moveCount device address of their number
    /// @param most      how many there may be
    /// @param isApart   whether these pages have nothing to do with the kernel before
    public void movePages(
            Stream on,
            PageArray array,
            long[] from,
            long[] to,
            long moves,
            long moveCount,
            long most,
            boolean isApart) {
        kernels()
                .pages()
                .movePages(
                        on,
                        array.elements(),
                        array.pages(0, from),
                        array.pages(0, to),
                        moves,
                        moveCount,
                        most,
                        1L << array.shape().logTiles(),
                        isApart);
    }

    /// Returns the device addresses of the elements from a place on.
    ///
    /// @param columns device addresses of the first element in each column
    public long[] from(long[] columns, long place) {
        long[] addresses = columns.clone();
        for (int c = 0; c < addresses.length; c++) {
            addresses[c] += place * columnBytes[c];
        }
        return addresses;
    }

    private static DeviceElements elements(long[] columns) {
        return new DeviceElements(columns[0], columns.length > 1 ? columns[1] : 0);
    }

    /// Returns elements in the user's form, as kernels take their input.
    public DeviceElements asInput(long keys, long payloads) {
        return new DeviceElements(keys, element().sortsIndexes() ? columnBytes[0] : payloads);
    }

    /// Returns how many bytes a sort reads and writes.
    ///
    /// @param sortsAnElement how often each element is sorted
    public long bytesMoved(long count, WorkspaceLayout layout, int sortsAnElement) {
        long elementBytes = (long) element().keyBytes() + element().payloadBytes();
        // Each pass reads and writes the elements, and so do the small sort and what places runs by ranks. Passes by
        // value leave no more to do than a copy behind a single one.
        int behind = layout.ranksRuns() ? 2 : layout.movesByValue() && layout.plan.passCount() > 1 ? 0 : 1;
        int rounds = layout.plan.passCount() + behind;
        return count * sortsAnElement * rounds * 2 * elementBytes;
    }

    /// Reports a sort that has ended.
    ///
    /// @param count          all elements
    /// @param layout         the layout of the sort, or of the largest of several
    /// @param sortsAnElement how often each element is sorted
    public SortReport report(
            long count,
            WorkspaceLayout layout,
            int sortsAnElement,
            long extraBytes,
            long largestBucket,
            PhaseTimer timer,
            long start) {
        long moved = bytesMoved(count, layout, sortsAnElement);
        return report(count, layout.plan.passCount(), moved, extraBytes, largestBucket, timer, start);
    }

    /// Reports a sort that has ended, of whatever layout.
    public SortReport report(
            long count,
            int passes,
            long bytesMoved,
            long extraBytes,
            long largestBucket,
            PhaseTimer timer,
            long start) {
        return new SortReportBuilder(device)
                .elementCount(count)
                .passes(passes)
                .phases(timer.phases())
                .total(Duration.ofNanos(System.nanoTime() - start))
                .bytesMoved(bytesMoved)
                .extraBytes(extraBytes)
                .largestBucket(largestBucket)
                .build();
    }
}
