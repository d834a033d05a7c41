package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.DividingLayout;
import io.samplesort.gpu.launch.Kernels;
import io.samplesort.gpu.launch.SortPlan;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.time.Duration;
import java.util.stream.IntStream;

/// Sorts columns in device memory, moved or by index. This does all sorts of device memory and of each chunk of a sort
/// of host memory.
///
/// @param columnBytes bytes of an element in each column: first the keys, then the payloads
/// @param device      the name of the GPU in reports
public record DeviceSort(SortLauncher launcher, Strategies strategies, int[] columnBytes, String device) {
    public Context context() {
        return launcher.context();
    }

    public Kernels kernels() {
        return launcher.kernels();
    }

    public KernelElement element() {
        return strategies.element();
    }

    public Tuning tuning() {
        return strategies.tuning();
    }

    /// Returns the bytes of an element in all columns.
    public long rowBytes() {
        return IntStream.of(columnBytes).sum();
    }

    /// Returns the bytes of an element as the passes write it.
    public long movedRowBytes() {
        return IntStream.of(movedBytes()).sum();
    }

    /// Returns the bytes that sorting takes in addition to the memory of its strategy: in a sort by index, those of the
    /// sort keys.
    public long keyBytes(long count) {
        return element().sortsIndexes() ? IndexedColumns.keyBytes(element(), count) : 0;
    }

    /// Returns the bytes that are taken after the strategy has given its memory back: in a sort by index, room to
    /// gather a column.
    public long gatheredBytes(long count) {
        if (!element().sortsIndexes()) {
            return 0;
        }
        // No Java streams: their first use in a process takes longer than the rest of a call.
        int largest = 0;
        for (int c = element().restoresElements() ? 1 : 0; c < columnBytes.length; c++) {
            largest = Math.max(largest, columnBytes[c]);
        }
        return Math.multiplyExact(count, (long) largest);
    }

    /// Returns the most bytes that sorting takes in addition to the memory of its strategy.
    public long indexBytes(long count) {
        return keyBytes(count) + gatheredBytes(count);
    }

    /// Puts a sort on a stream.
    ///
    /// @param columns device addresses
    public void enqueue(Stream on, SortStrategy strategy, long[] columns, PhaseTimer timer, HostWait host) {
        long count = strategy.elementCount();
        if (!element().sortsIndexes()) {
            DeviceElements elements = DeviceElements.of(columns);
            strategy.enqueue(new SortCall(launcher, on, elements, elements, timer, host, 0));
            return;
        }
        // The sort and the gather allocate the same number of bytes, one after the other, so the pool gives both the
        // same memory.
        long roomBytes = Math.max(strategy.byteSize(), gatheredBytes(count));
        try (IndexedColumns indexed =
                new IndexedColumns(context(), on, kernels().indexed(), element(), count, roomBytes)) {
            DeviceElements keys = sortKeys(indexed, strategy, columns[0], timer);
            strategy.enqueue(new SortCall(launcher, on, keys, indexed.keys(), timer, host, roomBytes));
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
            Stream on, SortStrategy strategy, long[] sources, long[] targets, PhaseTimer timer, HostWait host) {
        if (element().sortsIndexes()) {
            enqueueCopyByIndex(on, strategy, sources, targets, timer, host);
            return;
        }
        DeviceElements sorted = DeviceElements.of(targets);
        DeviceElements input = sorted;
        if (strategy.leavesInput()) {
            input = DeviceElements.of(sources);
        } else {
            timer.phase("copy");
            for (int c = 0; c < sources.length; c++) {
                on.copyOnDevice(targets[c], sources[c], strategy.elementCount() * columnBytes[c]);
            }
        }
        strategy.enqueue(new SortCall(launcher, on, input, sorted, timer, host, 0));
    }

    private void enqueueCopyByIndex(
            Stream on, SortStrategy strategy, long[] sources, long[] targets, PhaseTimer timer, HostWait host) {
        long count = strategy.elementCount();
        try (IndexedColumns indexed =
                new IndexedColumns(context(), on, kernels().indexed(), element(), count, 0)) {
            DeviceElements keys = sortKeys(indexed, strategy, sources[0], timer);
            strategy.enqueue(new SortCall(launcher, on, keys, indexed.keys(), timer, host, 0));
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
            SortStrategy strategy,
            long elements,
            long permutation,
            int indexBytes,
            PhaseTimer timer,
            HostWait host) {
        long count = strategy.elementCount();
        try (IndexedColumns indexed =
                new IndexedColumns(context(), on, kernels().indexed(), element(), count, 0)) {
            DeviceElements input = sortKeys(indexed, strategy, elements, timer);
            boolean isDirect = strategy.leavesInput() && indexBytes == Integer.BYTES;
            DeviceElements output = isDirect ? new DeviceElements(indexed.keys().keys(), permutation) : indexed.keys();
            strategy.enqueue(new SortCall(launcher, on, input, output, timer, host, 0));
            if (!isDirect) {
                timer.phase("write_permutation");
                indexed.writePermutation(permutation, indexBytes);
            }
            timer.end();
        }
    }

    /// Puts a sort by index on a stream. It leaves the sort keys in order and the elements unchanged.
    ///
    /// @param sortKeys device address of room for the sort keys
    public void enqueueSortKeys(Stream on, SortStrategy strategy, long elements, long sortKeys, PhaseTimer timer) {
        DeviceElements output = new DeviceElements(sortKeys, 0);
        DeviceElements input = output;
        if (strategy.leavesInput()) {
            input = asInput(elements, 0);
        } else {
            timer.phase("make_sort_keys");
            kernels().indexed().makeSortKeys(on, elements, columnBytes[0], sortKeys, strategy.elementCount());
        }
        strategy.enqueue(new SortCall(launcher, on, input, output, timer, HostWait.none(), 0));
    }

    /// Puts a sort of existing sort keys on a stream. They are sorted in place.
    ///
    /// @param sortKeys device address of the keys, no two of which are equal
    public void enqueueSortKeys(Stream on, SortStrategy strategy, long sortKeys, HostWait host) {
        DeviceElements keys = new DeviceElements(sortKeys, 0);
        strategy.enqueue(new SortCall(launcher, on, keys, keys, PhaseTimer.none(), host, 0));
    }

    /// Puts a copy of a column to a stream; the copy has the order of sorted keys.
    ///
    /// @param sortKeys    device address of a sort key for each element
    /// @param source      device address of the element with index 0
    /// @param isCompared  whether this is the column from which the sort keys were made
    public void enqueueGather(
            Stream on, long sortKeys, long count, long source, long target, int bytes, boolean isCompared) {
        if (isCompared && element().restoresElements()) {
            kernels().indexed().restoreElements(on, sortKeys, target, bytes, count);
        } else {
            kernels().indexed().gather(on, sortKeys, source, target, count, bytes);
        }
    }

    /// Returns the sort keys of elements. They are made now, unless the first pass only reads the elements: in that
    /// case the kernels that load the elements make them.
    private DeviceElements sortKeys(IndexedColumns indexed, SortStrategy strategy, long elements, PhaseTimer timer) {
        if (strategy.leavesInput()) {
            return asInput(elements, 0);
        }
        timer.phase("make_sort_keys");
        return indexed.makeSortKeys(elements, columnBytes[0]);
    }

    /// Returns the bytes of an element in each array that the passes write.
    public int[] movedBytes() {
        if (element().movesPairs()) {
            return new int[] {element().elementBytes()};
        }
        return element().payloadBytes() > 0
                ? new int[] {element().keyBytes(), element().payloadBytes()}
                : new int[] {element().keyBytes()};
    }

    /// Returns the sort that follows a first pass that was made elsewhere.
    ///
    /// @param segmentCount how many segments that pass has left
    public BehindSort behind(long count, int segmentCount) {
        SortPlan plan = SortPlan.ofSegments(count, segmentCount, tuning());
        return new BehindSort(launcher, DividingLayout.ofExchange(plan, element(), tuning()));
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

    /// Returns elements in the user's form, as kernels take their input.
    public DeviceElements asInput(long keys, long payloads) {
        return new DeviceElements(keys, element().sortsIndexes() ? columnBytes[0] : payloads);
    }

    /// Returns how many bytes a sort reads and writes.
    ///
    /// @param rounds how often it reads and writes each element
    public long bytesMoved(long count, int rounds) {
        return count * rounds * 2 * ((long) element().keyBytes() + element().payloadBytes());
    }

    /// Returns the report of a sort that has ended.
    ///
    /// @param count          all elements
    /// @param strategy       the strategy of the sort, or of the largest of several
    /// @param sortsAnElement how often each element is sorted
    public SortReport report(
            long count,
            SortStrategy strategy,
            int sortsAnElement,
            long extraBytes,
            long largestBucket,
            PhaseTimer timer,
            long start) {
        long moved = bytesMoved(count, sortsAnElement * strategy.rounds());
        return report(count, strategy.passes(), moved, extraBytes, largestBucket, timer, start);
    }

    /// Returns the report of a sort that has ended, of any strategy.
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
