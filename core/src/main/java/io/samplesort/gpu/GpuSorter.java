package io.samplesort.gpu;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.cubins.KernelSupply;
import io.samplesort.gpu.host.HostPlan;
import io.samplesort.gpu.host.HostTransfer;
import io.samplesort.gpu.inplace.InPlaceSort;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.HostWait;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.reports.SortWatch;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The GPU engine, host half: it sorts elements in device or host memory, moved or by index, in one of several ways
/// ([io.samplesort.gpu.sort.SortStrategy]).
///
/// A sort of more elements than the small-sort limit takes device memory in addition to its input: 1.3 times the input,
/// or a sixty-fourth of the device's memory if that is more. Where less is free it takes less
/// ([io.samplesort.gpu.sort.Strategies]). Smaller inputs take almost no memory. A sort by index takes its sort keys,
/// and the same multiple of these, or a copy of the largest column that is gathered if that is more. All this memory
/// comes from the device's stream-ordered pool and goes back there after each sort.
public final class GpuSorter implements AutoCloseable {
    private final GpuSortSpec spec;
    private final GpuResources gpu;
    private final DeviceSort sort;

    /// Opens the engine on a GPU, and waits until its kernels are there.
    ///
    /// @throws IllegalArgumentException                       if the tuning needs more shared memory than a block has
    /// @throws io.samplesort.errors.GpuUnavailableException    if there is no usable GPU of this ordinal
    /// @throws io.samplesort.errors.KernelCompilationException if the CUDA expression of a user's order does not
    ///     compile
    public GpuSorter(int ordinal, GpuSortSpec spec, GpuSortOptions options) {
        this(ComingKernels.of(ordinal, spec, options, true));
    }

    /// Opens the engine, and waits until its kernels are there.
    public GpuSorter(ComingKernels kernels) {
        spec = kernels.spec();
        gpu = new GpuResources(kernels);
        sort = gpu.sort();
    }

    /// Starts the driver in the background, which takes a tenth of a second, while the caller does something else.
    public static void start() {
        KernelSupply.start();
    }

    /// Says why the first GPU cannot sort and what to install; empty if it can.
    public static Optional<String> unavailableReason() {
        return KernelSupply.unavailableReason();
    }

    /// Sorts elements in device memory and waits for the end: in place if the tuning says so, or if there is too little
    /// memory for any other way.
    ///
    /// @param keys     device address of `count` keys
    /// @param payloads device addresses of `count` payloads each
    /// @throws InsufficientDeviceMemoryException              before anything is changed
    /// @throws io.samplesort.errors.SampleSortException        if the GPU fails
    public SortReport sortOnDevice(long keys, long[] payloads, long count) {
        long[] columns = columns(keys, payloads);
        if (gpu.inPlaceSort().isWanted(count)) {
            SortReport report = sortInPlace(columns, count, true);
            if (report != null) {
                return report;
            }
        }
        try (RunningSort running =
                new RunningSort(gpu, "sorting %d elements", count, sort.keyBytes(count), sort.gatheredBytes(count))) {
            sort.enqueue(gpu.stream(), running.strategy(), columns, running.timer(), running.hostWait());
            return running.finish();
        } catch (InsufficientDeviceMemoryException e) {
            SortReport report = sortInPlace(columns, count, false);
            if (report == null) {
                throw e;
            }
            return report;
        }
    }

    /// Sorts in place. Returns null if that cannot be done; in that case nothing has been changed.
    ///
    /// @param isByChoice whether there may be memory for another way
    private SortReport sortInPlace(long[] columns, long count, boolean isByChoice) {
        long start = System.nanoTime();
        try (WaitedCall call = new WaitedCall(gpu);
                PhaseTimer timer = PhaseTimer.create(gpu.context(), gpu.stream(), gpu.timesPhases())) {
            InPlaceSort inPlace = gpu.inPlaceSort();
            SortReport report = isByChoice
                    ? inPlace.sort(columns, count, timer, start)
                    : inPlace.sortWithinFreeMemory(columns, count, timer, start);
            call.finish();
            return report;
        }
    }

    /// Sorts a copy of elements in device memory, without payloads, and waits for the end.
    ///
    /// @param source device address of `count` elements, which stay as they are
    /// @param target device address where the sorted copy goes
    public SortReport sortedCopyOnDevice(long source, long target, long count) {
        try (RunningSort running = new RunningSort(gpu, "sorting a copy of %d elements", count, sort.keyBytes(count))) {
            sort.enqueueCopy(
                    gpu.stream(),
                    running.strategy(),
                    new long[] {source},
                    new long[] {target},
                    running.timer(),
                    running.hostWait());
            return running.finish();
        }
    }

    /// Puts the sort of elements in device memory on the caller's stream and returns at once. The additional memory is
    /// allocated and freed in the order of that stream, so any number of sorts may be under way.
    public void sortAsync(long keys, long[] payloads, long count, long streamHandle) {
        try (Context.Scope scope = gpu.context().enter();
                Stream borrowed = Stream.borrow(gpu.context(), streamHandle)) {
            sort.enqueue(
                    borrowed,
                    sort.strategies()
                            .choose("sorting %d elements", count, sort.keyBytes(count), sort.gatheredBytes(count)),
                    columns(keys, payloads),
                    PhaseTimer.none(),
                    HostWait.none());
        }
    }

    private static long[] columns(long keys, long[] payloads) {
        long[] columns = new long[1 + payloads.length];
        columns[0] = keys;
        System.arraycopy(payloads, 0, columns, 1, payloads.length);
        return columns;
    }

    /// Sorts elements in host memory, see [HostSort].
    ///
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException before anything is changed
    /// @throws io.samplesort.errors.SampleSortException if the GPU fails when part of the result has been written; in
    ///     that case the message says what the memory holds
    public SortReport sort(MemorySegment keys, List<MemorySegment> payloads) {
        List<MemorySegment> columns = new ArrayList<>(List.of(keys));
        columns.addAll(payloads);
        try (Context.Scope scope = gpu.context().enter()) {
            return gpu.hostSort(spec).sort(columns, gpu.timesPhases());
        }
    }

    /// Returns the largest number of elements, from 1 to `count`, that a sort of host memory keeps on the device.
    public long largestOnDevice(long count) {
        try (Context.Scope scope = gpu.context().enter()) {
            return HostPlan.largestOnDevice(count, sort, sort.strategies().freeBytes());
        }
    }

    /// Returns whether this engine sorts indexes, so that it can write the order of elements without moving them.
    public boolean sortsIndexes() {
        return sort.element().sortsIndexes();
    }

    /// Returns what selects elements by their ranks. It uses what this engine owns, which must sort indexes.
    public GpuSelector selector() {
        return new GpuSelector(gpu);
    }

    /// Returns what sorts the segments of an array, each by itself. It uses what this engine owns.
    public GpuSegmentSorter segmentSorter() {
        return new GpuSegmentSorter(gpu);
    }

    /// Returns what works on sorted elements. It uses what this engine owns, which must sort indexes.
    public GpuSortedOperations sortedOperations() {
        return new GpuSortedOperations(gpu);
    }

    /// Returns the same for tests, which sort few queries as well.
    ///
    /// @param fewestSorted how many queries and elements there must be, at least, for the queries to be sorted
    GpuSortedOperations sortedOperations(long fewestSorted) {
        return new GpuSortedOperations(gpu, fewestSorted);
    }

    /// Writes the indexes of elements in device memory in sorted order to device memory, and waits for the end.
    ///
    /// @param indexBytes bytes of an index, 4 or 8
    public SortReport argsortOnDevice(long elements, long permutation, int indexBytes, long count) {
        try (RunningSort running = new RunningSort(gpu, "sorting %d indexes", count, sort.keyBytes(count))) {
            enqueueArgsort(running, elements, permutation, indexBytes);
            return running.finish();
        }
    }

    /// Writes the indexes of elements in host memory in sorted order to host memory.
    ///
    /// @param permutation an int or a long for each element
    public SortReport argsort(MemorySegment elements, MemorySegment permutation) {
        int elementBytes = spec.key().byteSize();
        long count = elements.byteSize() / elementBytes;
        int indexBytes = count == 0 ? Integer.BYTES : (int) (permutation.byteSize() / count);
        long besideBytes = elements.byteSize() + permutation.byteSize() + sort.keyBytes(count);
        Stream stream = gpu.stream();
        try (RunningSort running = new RunningSort(gpu, "sorting %d indexes from host memory", count, besideBytes)) {
            HostTransfer transfer = gpu.hostTransfer();
            PhaseTimer timer = running.timer();
            int[] columnBytes = {elementBytes, indexBytes};
            try (DeviceColumns columns = new DeviceColumns(gpu.context(), stream, columnBytes, count)) {
                long input = columns.address(0, 0);
                long output = columns.address(1, 0);
                timer.phase("upload");
                transfer.upload(stream, elements, input);
                SortWatch.current().mayStop();
                enqueueArgsort(running, input, output, indexBytes);
                stream.synchronize();
                SortWatch.current().mayStop();
                timer.phase("download");
                transfer.download(stream, output, permutation);
                timer.end();
            }
            return running.finish();
        }
    }

    private void enqueueArgsort(RunningSort running, long elements, long permutation, int indexBytes) {
        sort.enqueueArgsort(
                gpu.stream(),
                running.strategy(),
                elements,
                permutation,
                indexBytes,
                running.timer(),
                running.hostWait());
    }

    /// Returns how many elements in device memory are in order, counted from the first one: all of them if they are
    /// sorted.
    ///
    /// @param count at least 1
    public long orderedCount(long elements, long count) {
        return sortedOperations().orderedCount(elements, count);
    }

    /// Puts element `permutation[i]` of `from` at place i of `to`, all in device memory, and waits for it.
    ///
    /// @throws IllegalArgumentException if an index is out of range or appears twice; in that case nothing is changed
    public void applyPermutation(long permutation, int indexBytes, long from, long to, int elementBytes, long count) {
        DevicePermutation.applyChecked(gpu, permutation, indexBytes, from, to, elementBytes, count);
    }

    /// Returns the number of the GPU that this engine works on.
    public int ordinal() {
        return gpu.context().device().ordinal();
    }

    /// Returns how long the compiler took for the kernels; zero if they came from the cache.
    public Duration compileTime() {
        return gpu.compileTime();
    }

    /// Returns the tuning parameters in effect.
    public Tuning tuning() {
        return sort.tuning();
    }

    @Override
    public void close() {
        gpu.close();
    }
}
