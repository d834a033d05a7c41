package io.samplesort.gpu;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.gpu.launch.RowModule;
import io.samplesort.gpu.rows.DeviceText;
import io.samplesort.gpu.rows.StringCopy;
import io.samplesort.gpu.rows.StringDistinct;
import io.samplesort.gpu.rows.StringKernels;
import io.samplesort.gpu.rows.StringSort;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/// The GPU engine for strings, host half: it sorts the indexes of strings in device or host memory by rounds of sorts
/// of words ([StringSort]).
///
/// In addition to the strings and the permutation, a sort takes about 45 bytes of device memory for each string, and
/// what the engine takes to sort the same number of elements of 12 bytes ([GpuSorter]).
public final class GpuStringSorter implements AutoCloseable {
    private final GpuResources gpu;
    private final StringKernels kernels;
    private final StringSort sort;
    private final StringChecks checks;
    private final MemorySegment readBack;
    private final Duration compileTime;

    /// Opens the engine on a GPU, and waits until its kernels are there.
    ///
    /// @throws IllegalArgumentException                       if the tuning needs more shared memory than a block has
    /// @throws io.samplesort.errors.GpuUnavailableException    if there is no usable GPU of this ordinal
    public GpuStringSorter(int ordinal, StringOrder order, GpuSortOptions options) {
        this(ComingKernels.ofStrings(ordinal, options, true), order);
    }

    /// Opens the engine, and waits until its kernels are there.
    ///
    /// @param coming the kernels for strings
    public GpuStringSorter(ComingKernels coming, StringOrder order) {
        gpu = new GpuResources(coming);
        try (Context.Scope scope = gpu.context().enter()) {
            RowModule module =
                    gpu.add(RowModule.load(gpu.context(), coming.rows().result()));
            kernels = new StringKernels(module, order);
            compileTime = gpu.compileTime().plus(module.compileTime());
            readBack = gpu.add(PinnedMemory.allocate(gpu.context(), StringSort.STATE_BYTES))
                    .segment();
            sort = new StringSort(gpu.sort(), kernels, gpu.stream(), readBack);
            checks = new StringChecks(gpu, kernels);
        } catch (RuntimeException | Error e) {
            try {
                gpu.close();
            } catch (RuntimeException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    /// Returns the number of the GPU that this engine works on.
    public int ordinal() {
        return gpu.context().device().ordinal();
    }

    /// Returns how long the compiler took for the kernels; zero if they came from the cache.
    public Duration compileTime() {
        return compileTime;
    }

    /// Writes the indexes of strings in device memory in sorted order to device memory, and waits for the end.
    ///
    /// @param indexBytes bytes of an index, 4 or 8
    /// @throws IllegalArgumentException if the offsets are wrong; in that case the permutation is unchanged
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException before anything is changed
    public SortReport argsortOnDevice(DeviceText text, long permutation, int indexBytes) {
        try (RunningSort running = begin("sorting %d strings", text.count(), StringSort.besideBytes(text.count()))) {
            if (text.count() == 0) {
                checks.checkOffsets(text);
            }
            return argsort(running, text, permutation, indexBytes);
        }
    }

    /// Does the same as part of a sort whose strategy has been chosen, with [StringSort#besideBytes] as additional
    /// memory.
    SortReport argsort(RunningSort running, DeviceText text, long permutation, int indexBytes) {
        running.forgetLargestBucket();
        sort.argsort(text, running.strategy(), permutation, indexBytes, running.timer());
        return running.finishStrings();
    }

    /// Writes the indexes of the strings of the ranks `from..to` to device memory, and waits for the end. It sorts
    /// all strings, and takes 4 or 8 bytes for each in addition to what an argsort takes.
    ///
    /// @param to         the rank after the last one
    /// @param indexes    device address of room for `to - from` indexes
    /// @param indexBytes bytes of an index, 4 or 8
    /// @throws IllegalArgumentException if the offsets are wrong; in that case nothing has been written
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException before anything is changed
    public SortReport argselectOnDevice(DeviceText text, long from, long to, long indexes, int indexBytes) {
        if (from == to) {
            checkOffsets(List.of(text));
            return new SortReportBuilder(gpu.sort().device()).build();
        }
        long bytes = StringSort.besideBytes(text.count()) + text.count() * indexBytes;
        try (RunningSort running = begin("selecting among %d strings", text.count(), bytes)) {
            return argselect(running, text, from, to, indexes, indexBytes);
        }
    }

    /// Does the same as part of a sort whose strategy has been chosen, with this as additional memory.
    SortReport argselect(RunningSort running, DeviceText text, long from, long to, long indexes, int indexBytes) {
        running.forgetLargestBucket();
        try (DeviceAllocation permutation =
                DeviceAllocation.allocateAsync(gpu.context(), gpu.stream(), text.count() * indexBytes)) {
            sort.argsort(text, running.strategy(), permutation.address(), indexBytes, running.timer());
            gpu.stream().copyOnDevice(indexes, permutation.address() + from * indexBytes, (to - from) * indexBytes);
            return running.finishStrings();
        }
    }

    /// Checks strings of which none is wanted, as sorts of them do, and waits for that.
    ///
    /// @throws IllegalArgumentException if an offset is wrong
    void checkOffsets(List<DeviceText> columns) {
        try (WaitedCall call = new WaitedCall(gpu)) {
            columns.forEach(checks::checkOffsets);
            call.finish();
        }
    }

    /// Returns what the engine holds, for sorts that become sorts of strings.
    GpuResources resources() {
        return gpu;
    }

    StringKernels kernels() {
        return kernels;
    }

    /// Writes a sorted copy of strings in device memory, and waits for the end.
    ///
    /// @param target room for the same number of strings and bytes
    public SortReport sortedCopyOnDevice(DeviceText source, DeviceText target) {
        long count = source.count();
        if (count == 0) {
            return copyNothing(source, target);
        }
        long copyBytes = StringCopy.byteSize(count, target.byteCount());
        try (SortedIndexes sorted = new SortedIndexes("sorting a copy of %d strings", source, copyBytes)) {
            checks.checkRoom(source, target);
            StringCopy.enqueue(
                    gpu.context(),
                    gpu.stream(),
                    kernels,
                    source,
                    sorted.permutation.address(),
                    Integer.BYTES,
                    target,
                    sorted.running.timer());
            return sorted.running.finishStrings();
        }
    }

    /// The order of strings as ints, from which results are made.
    private final class SortedIndexes implements AutoCloseable {
        private final Owned owned = new Owned();
        final RunningSort running;
        final DeviceAllocation permutation;

        /// @param bytesAfter device memory that is taken after the sort
        SortedIndexes(String what, DeviceText text, long bytesAfter) {
            long bytes = text.count() * Integer.BYTES;
            try {
                running = owned.add(
                        begin(what, text.count(), Math.max(StringSort.besideBytes(text.count()), bytesAfter) + bytes));
                permutation = owned.add(DeviceAllocation.allocateAsync(gpu.context(), gpu.stream(), bytes));
                sort.argsort(text, running.strategy(), permutation.address(), Integer.BYTES, running.timer());
            } catch (RuntimeException | Error e) {
                owned.closeAfter(e);
                throw e;
            }
        }

        @Override
        public void close() {
            owned.close();
        }
    }

    /// Writes the strings in the order of a permutation, and waits for the end.
    ///
    /// @param indexBytes bytes of an index, 4 or 8
    /// @param target     room for the same number of strings and bytes
    /// @throws IllegalArgumentException if the permutation or an offset is wrong, or there is too little room; in that
    ///     case nothing is changed
    public void applyPermutation(long permutation, int indexBytes, DeviceText source, DeviceText target) {
        try (WaitedCall call = new WaitedCall(gpu)) {
            enqueueCopy(DevicePermutation.checked(gpu, permutation, indexBytes, source.count()), source, target);
            call.finish();
        }
    }

    /// Writes elements of one size in the order of a permutation, and waits for the end.
    ///
    /// @throws IllegalArgumentException if the permutation is not valid; in that case nothing is changed
    public void applyPermutation(long permutation, int indexBytes, long from, long to, int elementBytes, long count) {
        DevicePermutation.applyChecked(gpu, permutation, indexBytes, from, to, elementBytes, count);
    }

    /// Puts a copy of strings in the order of a permutation on the engine's stream, once everything has been checked.
    /// The context must be current.
    ///
    /// @throws IllegalArgumentException if an offset is wrong, or there is too little room; in that case nothing is
    ///     changed
    void enqueueCopy(DevicePermutation order, DeviceText source, DeviceText target) {
        checks.checkOffsets(source);
        if (source.count() == 0) {
            gpu.stream().fill(target.offsets(), (byte) 0, target.offsetBytes());
            return;
        }
        checks.checkRoom(source, target);
        StringCopy.enqueue(
                gpu.context(),
                gpu.stream(),
                kernels,
                source,
                order.address(),
                order.indexBytes(),
                target,
                PhaseTimer.none());
    }

    /// Finds the different strings and how often each occurs, and waits for the end. Returns how many there are.
    ///
    /// @param indexes    device address of room for an index of each string
    /// @param counts     device address of room for the same number of counts
    /// @param indexBytes bytes of an index and of a count, 4 or 8
    /// @throws IllegalArgumentException if the offsets are wrong; in that case nothing has been written
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException before anything is changed
    public long distinctOnDevice(DeviceText text, long indexes, long counts, int indexBytes) {
        long count = text.count();
        if (count == 0) {
            checkOffsets(List.of(text));
            return 0;
        }
        try (SortedIndexes sorted = new SortedIndexes("sorting %d strings", text, StringDistinct.byteSize(count))) {
            return StringDistinct.run(
                    gpu.context(),
                    gpu.stream(),
                    kernels,
                    text,
                    sorted.permutation.address(),
                    indexes,
                    counts,
                    indexBytes,
                    readBack,
                    sorted.running.timer());
        }
    }

    /// Writes the single offset of an empty column of strings.
    private SortReport copyNothing(DeviceText source, DeviceText target) {
        try (WaitedCall call = new WaitedCall(gpu)) {
            checks.checkOffsets(source);
            gpu.stream().fill(target.offsets(), (byte) 0, target.offsetBytes());
            call.finish();
        }
        return new SortReportBuilder(gpu.sort().device()).build();
    }

    /// Writes the indexes of strings in host memory in sorted order to host memory. Strings that do not fit the device
    /// together are sorted in chunks, and merged on the host with room for one more permutation.
    ///
    /// @param permutation an int or a long for each string
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException before anything is changed
    public SortReport argsort(Strings strings, MemorySegment permutation, int indexBytes) {
        return new HostStringSort(gpu, kernels.order(), sort).argsort(strings, permutation, indexBytes);
    }

    /// Returns how many strings in device memory are in order, counted from the first one: all of them if they are
    /// sorted.
    ///
    /// @throws IllegalArgumentException if the offsets are wrong
    public long orderedCount(DeviceText text) {
        try (WaitedCall call = new WaitedCall(gpu)) {
            return checks.orderedCount(text);
        }
    }

    private RunningSort begin(String what, long count, long besideBytes) {
        return RunningSort.ofStrings(gpu, what, count, besideBytes);
    }

    @Override
    public void close() {
        gpu.close();
    }
}
