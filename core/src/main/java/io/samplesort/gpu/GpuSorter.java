package io.samplesort.gpu;

import io.samplesort.cuda.Background;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.chunks.DeviceColumns;
import io.samplesort.gpu.chunks.HostPlan;
import io.samplesort.gpu.chunks.HostSort;
import io.samplesort.gpu.code.KernelCubins;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelSource;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.IndexedColumns;
import io.samplesort.gpu.sort.Kernels;
import io.samplesort.gpu.sort.Layouts;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.gpu.sort.Phases;
import io.samplesort.gpu.sort.WorkspaceLayout;
import io.samplesort.gpu.transfer.HostTransfer;
import io.samplesort.types.CustomOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.KernelCompilationException;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// The GPU engine, host half: elements in device or host memory, moved or by index, sorted by [Phases].
///
/// Extra device memory, for inputs over the small-sort limit: in the fast layout (segments.cuh) room for the input and
/// for the slack of its buckets in each of two buffers, with the default tuning about six times the input for two
/// passes; in the exact layout, taken where there is not that much memory or the tuning says so, once the input. About
/// 80 bytes for each bucket of `bucketTarget` elements or fewer come to that, and for stable sorts of pairs four for
/// each tile and bucket of a pass. Next to none for smaller inputs. A sort by index takes the same for its sort keys
/// instead of the input, the sort keys themselves, and a copy of the largest column that is gathered. It comes from the
/// device's stream-ordered pool and goes back there after each sort.
public final class GpuSorter implements AutoCloseable {
    private final ElementType key;
    private final Order order;
    private final Tuning tuning;
    private final Context context;
    private final Kernels kernels;
    private final Duration compileTime;
    private final DeviceSort sort;
    private final Stream stream;
    private final PinnedMemory readBack;
    private final Owned owned = new Owned();
    private final boolean timesPhases;
    private HostTransfer hostTransfer;
    private HostSort hostSort;

    /// @param payloads    the types of the payloads, each in an array of its own
    /// @param isStable    whether equal elements keep their order
    /// @param tuningOn    the tuning in effect, made from the default for the GPU
    /// @param memoryLimit device memory that sorts may take, in bytes
    /// @param timesPhases whether reports of sorts tell the time of each phase; costs a few microseconds a sort
    /// @throws IllegalArgumentException                 if the tuning needs more shared memory than a block has
    /// @throws io.samplesort.types.GpuUnavailableException    if there is no usable GPU of this ordinal
    /// @throws io.samplesort.types.KernelCompilationException if an order of the user's does not compile
    public GpuSorter(
            int ordinal,
            ElementType key,
            List<ElementType> payloads,
            Order order,
            boolean isStable,
            UnaryOperator<Tuning> tuningOn,
            long memoryLimit,
            boolean timesPhases) {
        // The driver takes a tenth of a second to start, and as long to make a context, which is when we read.
        Cuda.start();
        this.key = key;
        this.order = order;
        KernelElement element = KernelElement.of(key, payloads, order, isStable);
        KernelSource.load();
        Cuda.require();
        int[] columnBytes = new int[1 + payloads.size()];
        columnBytes[0] = key.byteSize();
        for (int i = 0; i < payloads.size(); i++) {
            columnBytes[i + 1] = payloads.get(i).byteSize();
        }
        this.timesPhases = timesPhases;
        Background<KernelCubins> making =
                Background.start("kernels", () -> KernelCubins.forDevice(CudaDevice.get(ordinal), element, tuningOn));
        context = Context.retainPrimary(ordinal);
        try (Context.Scope scope = context.enter()) {
            try {
                KernelCubins cubins = cubins(making, order);
                tuning = cubins.tuning();
                compileTime = cubins.compileTime();
                kernels = owned.add(new Kernels(context, element, cubins));
                Phases phases = new Phases(context, kernels);
                Layouts layouts = new Layouts(context, element, tuning, memoryLimit);
                sort = new DeviceSort(
                        phases,
                        layouts,
                        columnBytes,
                        "gpu:" + ordinal + " " + context.device().name());
                stream = owned.add(Stream.create(context));
                readBack = owned.add(PinnedMemory.allocate(context, Long.BYTES));
            } catch (RuntimeException | Error e) {
                owned.closeAfter(e);
                throw e;
            }
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    private static KernelCubins cubins(Background<KernelCubins> making, Order order) {
        try {
            return making.result();
        } catch (KernelCompilationException e) {
            if (order instanceof CustomOrder custom) {
                throw new KernelCompilationException(
                        "the CUDA expression of the order does not compile: " + custom.expression(),
                        e.log(),
                        e.source());
            }
            throw e;
        }
    }

    /// Sorts elements in device memory and waits for the end.
    ///
    /// @param keys     device address of `count` keys
    /// @param payloads device addresses of `count` payloads each
    public SortReport sortOnDevice(long keys, long[] payloads, long count) {
        long start = System.nanoTime();
        try (Context.Scope scope = context.enter();
                PhaseTimer timer = PhaseTimer.create(context, stream, timesPhases)) {
            WorkspaceLayout layout = layout(count);
            sort.enqueue(stream, layout, columns(keys, payloads), timer, readBack.segment());
            stream.synchronize();
            return report(layout, layout.byteSize + sort.indexBytes(count), timer, start);
        }
    }

    /// Sorts a copy of elements in device memory, without payloads, and waits for the end.
    ///
    /// @param source device address of `count` elements, which stay as they are
    /// @param target device address of room for as many
    public SortReport sortedCopyOnDevice(long source, long target, long count) {
        long start = System.nanoTime();
        try (Context.Scope scope = context.enter();
                PhaseTimer timer = PhaseTimer.create(context, stream, timesPhases)) {
            long besideBytes = sort.element().sortsIndexes() ? IndexedColumns.byteSize(sort.element(), count, 0) : 0;
            WorkspaceLayout layout = sort.layouts().choose("sorting a copy of %d elements", count, besideBytes);
            sort.enqueueCopy(stream, layout, source, target, timer, readBack.segment());
            stream.synchronize();
            return report(layout, layout.byteSize + besideBytes, timer, start);
        }
    }

    /// Puts the sort of elements in device memory on somebody else's stream and returns at once. What the sort needs
    /// beside the input is allocated and freed in the order of that stream, so any number of sorts may be under way.
    public void sortAsync(long keys, long[] payloads, long count, long streamHandle) {
        try (Context.Scope scope = context.enter();
                Stream borrowed = Stream.borrow(context, streamHandle)) {
            sort.enqueue(borrowed, layout(count), columns(keys, payloads), PhaseTimer.none(), null);
        }
    }

    private WorkspaceLayout layout(long count) {
        return sort.layouts().choose("sorting %d elements", count, sort.indexBytes(count));
    }

    private static long[] columns(long keys, long[] payloads) {
        long[] columns = new long[1 + payloads.length];
        columns[0] = keys;
        System.arraycopy(payloads, 0, columns, 1, payloads.length);
        return columns;
    }

    /// Sorts elements in host memory, see [HostSort].
    ///
    /// @throws io.samplesort.types.InsufficientDeviceMemoryException before anything is changed
    /// @throws io.samplesort.types.SampleSortException if the GPU fails when part of the result has been written; the
    /// message
    ///     says what the memory holds then
    public SortReport sort(MemorySegment keys, List<MemorySegment> payloads) {
        List<MemorySegment> columns = new ArrayList<>(List.of(keys));
        columns.addAll(payloads);
        try (Context.Scope scope = context.enter()) {
            if (hostSort == null) {
                hostSort = owned.add(new HostSort(sort, order.toComparator(key), stream, hostTransfer()));
            }
            return hostSort.sort(columns, timesPhases);
        }
    }

    /// The largest number of elements, up to `count`, that a sort of host memory keeps on the device; at least one.
    public long largestOnDevice(long count) {
        try (Context.Scope scope = context.enter()) {
            return HostPlan.largestOnDevice(count, sort, sort.layouts().freeBytes());
        }
    }

    /// Whether this engine sorts indexes, so that it can tell the order of elements without moving them.
    public boolean sortsIndexes() {
        return sort.element().sortsIndexes();
    }

    /// Writes the indexes of elements in device memory in sorted order to device memory, and waits for the end.
    ///
    /// @param indexBytes bytes of an index, 4 or 8
    public SortReport argsortOnDevice(long elements, long permutation, int indexBytes, long count) {
        long start = System.nanoTime();
        try (Context.Scope scope = context.enter();
                PhaseTimer timer = PhaseTimer.create(context, stream, timesPhases)) {
            long keyBytes = IndexedColumns.byteSize(sort.element(), count, 0);
            WorkspaceLayout layout = sort.layouts().choose("sorting %d indexes", count, keyBytes);
            sort.enqueueArgsort(stream, layout, elements, permutation, indexBytes, timer, readBack.segment());
            stream.synchronize();
            return report(layout, layout.byteSize + keyBytes, timer, start);
        }
    }

    /// The same for host memory.
    ///
    /// @param permutation as many ints or longs as there are elements
    public SortReport argsort(MemorySegment elements, MemorySegment permutation) {
        long start = System.nanoTime();
        long count = elements.byteSize() / key.byteSize();
        int indexBytes = count == 0 ? Integer.BYTES : (int) (permutation.byteSize() / count);
        try (Context.Scope scope = context.enter();
                PhaseTimer timer = PhaseTimer.create(context, stream, timesPhases)) {
            long besideBytes =
                    elements.byteSize() + permutation.byteSize() + IndexedColumns.byteSize(sort.element(), count, 0);
            WorkspaceLayout layout = sort.layouts().choose("sorting %d indexes from host memory", count, besideBytes);
            HostTransfer transfer = hostTransfer();
            int[] columnBytes = {key.byteSize(), indexBytes};
            try (DeviceColumns columns = new DeviceColumns(context, stream, columnBytes, count)) {
                long input = columns.address(0, 0);
                long output = columns.address(1, 0);
                timer.phase("upload");
                transfer.upload(stream, elements, input);
                sort.enqueueArgsort(stream, layout, input, output, indexBytes, timer, readBack.segment());
                stream.synchronize();
                timer.phase("download");
                transfer.download(stream, output, permutation);
                timer.end();
            }
            stream.synchronize();
            return report(layout, layout.byteSize + besideBytes, timer, start);
        }
    }

    /// How many elements in device memory are in order, from the first one on: all of them where they are sorted.
    ///
    /// @param count at least 1
    public long orderedCount(long elements, long count) {
        try (Context.Scope scope = context.enter();
                DeviceAllocation wrong = DeviceAllocation.allocateAsync(context, stream, Long.BYTES)) {
            stream.fill(wrong.address(), (byte) 0, Long.BYTES);
            kernels.indexed().checkOrder(stream, elements, key.byteSize(), count, wrong.address());
            return count - read(wrong.address());
        }
    }

    /// Puts element `permutation[i]` of `from` at place i of `to`, all in device memory, and waits for it.
    ///
    /// @throws IllegalArgumentException if an index is none, or is there twice; nothing is changed then
    public void applyPermutation(long permutation, int indexBytes, long from, long to, int elementBytes, long count) {
        long metBytes = (count + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
        try (Context.Scope scope = context.enter();
                DeviceAllocation marks = DeviceAllocation.allocateAsync(context, stream, metBytes + Long.BYTES)) {
            stream.fill(marks.address(), (byte) 0, metBytes + Long.BYTES);
            kernels.indexed()
                    .checkPermutation(
                            stream, permutation, indexBytes, count, marks.address(), marks.address() + metBytes);
            long wrong = read(marks.address() + metBytes);
            if (wrong != 0) {
                throw new IllegalArgumentException("the permutation is none: the index at place " + (count - wrong)
                        + " is not from 0 to " + (count - 1) + ", or is there twice");
            }
            kernels.indexed().applyPermutation(stream, permutation, indexBytes, from, to, count, elementBytes);
            stream.synchronize();
        }
    }

    /// Waits for the stream and reads a number from device memory.
    private long read(long address) {
        stream.copyToHost(readBack.segment(), address, Long.BYTES);
        stream.synchronize();
        return readBack.segment().get(ValueLayout.JAVA_LONG, 0);
    }

    /// The number of the GPU this engine works on.
    public int ordinal() {
        return context.device().ordinal();
    }

    /// How long the compiler took for the kernels; zero where they came from the cache.
    public Duration compileTime() {
        return compileTime;
    }

    /// The tuning parameters in effect.
    public Tuning tuning() {
        return tuning;
    }

    private SortReport report(WorkspaceLayout layout, long extraBytes, PhaseTimer timer, long start) {
        long largestBucket = readBack.segment().get(ValueLayout.JAVA_LONG, 0);
        return sort.report(layout.plan.elementCount(), layout, 1, extraBytes, largestBucket, timer, start);
    }

    private HostTransfer hostTransfer() {
        if (hostTransfer == null) {
            hostTransfer = owned.add(new HostTransfer(context, tuning));
        }
        return hostTransfer;
    }

    @Override
    public void close() {
        // Closes what it can even where some of it fails, as everything does on a GPU that is lost.
        try (context;
                Context.Scope scope = context.enter()) {
            owned.close();
        }
    }
}
