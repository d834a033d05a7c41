package io.samplesort.gpu;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.CudaModule;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import io.samplesort.errors.CudaException;
import io.samplesort.errors.KernelCompilationException;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelSource;
import io.samplesort.gpu.cubins.KernelCubins;
import io.samplesort.gpu.cubins.ReadyMade;
import io.samplesort.gpu.host.HostSort;
import io.samplesort.gpu.host.HostTransfer;
import io.samplesort.gpu.inplace.InPlaceSort;
import io.samplesort.gpu.launch.Kernels;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.HostWait;
import io.samplesort.gpu.sort.SegmentTotals;
import io.samplesort.gpu.sort.SortLauncher;
import io.samplesort.gpu.sort.Strategies;
import io.samplesort.types.CustomOrder;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/// What an engine holds on its GPU as long as it is open: the context, the kernels and a stream.
final class GpuResources implements AutoCloseable {
    private final Context context;
    private final Duration compileTime;
    private final DeviceSort sort;
    private final Stream stream;
    private final PinnedMemory readBack;
    private final boolean timesPhases;
    private final Owned owned = new Owned();
    private PinnedMemory segmentCounts;
    private HostTransfer hostTransfer;
    private HostSort hostSort;
    private InPlaceSort inPlaceSort;
    private boolean isClosed;

    /// Opens the GPU, and waits until the kernels are there.
    ///
    /// @throws IllegalArgumentException   if the tuning needs more shared memory than a block has
    /// @throws io.samplesort.errors.GpuUnavailableException if there is no usable GPU of this ordinal
    /// @throws KernelCompilationException if the CUDA expression of a user's order does not compile
    GpuResources(ComingKernels coming) {
        KernelElement element = coming.element();
        // While the driver starts, this thread reads the kernels' sources.
        KernelSource.load();
        Cuda.requireDriver();
        timesPhases = coming.options().timesPhases();
        context = Context.retainPrimary(coming.ordinal());
        try (Context.Scope scope = context.enter()) {
            try {
                KernelCubins cubins = coming.cubins().result();
                await(cubins, coming.spec().order());
                Kernels loaded;
                try {
                    loaded = new Kernels(context, element, cubins);
                } catch (CudaException e) {
                    if (!cubins.isReadyMade() || !CudaModule.isRefused(e)) {
                        throw e;
                    }
                    // A driver that refuses ready-made code may still load the code of a compiler of its own version.
                    cubins = coming.find(ReadyMade.NONE);
                    await(cubins, coming.spec().order());
                    loaded = new Kernels(context, element, cubins);
                }
                owned.add(loaded);
                compileTime = cubins.compileTime();
                sort = new DeviceSort(
                        new SortLauncher(context, loaded),
                        new Strategies(
                                context,
                                element,
                                cubins.tuning(),
                                coming.options().memoryLimit()),
                        coming.spec().columnBytes(),
                        "gpu:" + coming.ordinal() + " " + context.device().name());
                Long given = coming.options().stream();
                stream = owned.add(given == null ? Stream.create(context) : Stream.borrow(context, given));
                readBack = owned.add(PinnedMemory.allocate(context, HostWait.BYTES));
            } catch (RuntimeException | Error e) {
                owned.closeAfter(e);
                throw e;
            }
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    private static void await(KernelCubins cubins, Order order) {
        try {
            cubins.await();
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

    Context context() {
        return context;
    }

    /// Returns how long the compiler took for the kernels; zero if they came from the cache.
    Duration compileTime() {
        return compileTime;
    }

    DeviceSort sort() {
        return sort;
    }

    Stream stream() {
        return stream;
    }

    boolean timesPhases() {
        return timesPhases;
    }

    /// Returns pinned memory for one long.
    MemorySegment readBack() {
        return readBack.segment().asSlice(0, Long.BYTES);
    }

    /// Returns what tells the host that a sort has ended, for callers that wait for it.
    HostWait hostWait() {
        return HostWait.forOrder(readBack.segment());
    }

    /// Waits for the stream and reads a long from device memory.
    long read(long address) {
        stream.copyToHost(readBack(), address, Long.BYTES);
        stream.synchronize();
        return readBack().get(ValueLayout.JAVA_LONG, 0);
    }

    /// Waits for the stream and reads an offset from device memory.
    ///
    /// @param offsets device address of offset 0
    /// @param bytes   bytes of an offset, 4 or 8
    long readOffset(long offsets, int bytes, long number) {
        stream.copyToHost(readBack().asSlice(0, bytes), offsets + number * bytes, bytes);
        stream.synchronize();
        return bytes == Long.BYTES
                ? readBack().get(ValueLayout.JAVA_LONG, 0)
                : readBack().get(ValueLayout.JAVA_INT, 0);
    }

    /// Returns pinned memory for the counts of segments, which is made at its first use: that takes longer than many
    /// sorts.
    MemorySegment segmentCounts() {
        if (segmentCounts == null) {
            segmentCounts = owned.add(PinnedMemory.allocate(context, SegmentTotals.MOST_BYTES));
        }
        return segmentCounts.segment();
    }

    /// Returns the way to host memory, which is made at its first use.
    HostTransfer hostTransfer() {
        if (hostTransfer == null) {
            hostTransfer = owned.add(new HostTransfer(context, sort.tuning()));
        }
        return hostTransfer;
    }

    /// Returns what sorts host memory, which is made at its first use.
    HostSort hostSort(GpuSortSpec spec) {
        if (hostSort == null) {
            hostSort = owned.add(new HostSort(sort, spec.order().toComparator(spec.key()), stream, hostTransfer()));
        }
        return hostSort;
    }

    /// Returns what sorts device memory in place, which is made at its first use.
    InPlaceSort inPlaceSort() {
        if (inPlaceSort == null) {
            inPlaceSort = owned.add(new InPlaceSort(sort, stream));
        }
        return inPlaceSort;
    }

    /// Hands over something that has to be closed before these resources are.
    <T extends AutoCloseable> T add(T child) {
        return owned.add(child);
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        // Every call fails on a GPU that is lost, so this goes on closing when one call fails.
        try (context;
                Context.Scope scope = context.enter()) {
            owned.close();
        }
    }
}
