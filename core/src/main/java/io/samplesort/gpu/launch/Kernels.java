package io.samplesort.gpu.launch;

import static io.samplesort.gpu.code.KernelConstants.DRAW_THREADS;
import static io.samplesort.gpu.code.KernelConstants.ORDER_THREADS;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.cubins.KernelCubins;
import io.samplesort.types.Tuning;

/// The compiled kernels of one element type, order and tuning. A kernel is looked up by its name ([KernelTable]).
/// Launches that several ways to sort share, or that take some arithmetic, have methods in the other classes of this
/// package.
public final class Kernels implements AutoCloseable {
    private final KernelElement element;
    private final KernelModules modules;
    private final KernelTable table;
    private final SharedMemory sharedMemory;
    private final DividingKernels dividingKernels;
    /// Null if elements are moved.
    private final IndexKernels indexKernels;
    /// Null if there are too many values to count.
    private final ValueKernels valueKernels;

    /// Loads the kernels.
    ///
    /// @param cubins made for this element
    public Kernels(Context context, KernelElement element, KernelCubins cubins) {
        this.element = element;
        Tuning tuning = cubins.tuning();
        sharedMemory = new SharedMemory(element, tuning);
        modules = new KernelModules(context, cubins, context.device().multiprocessorCount());
        try {
            table = KernelTable.of(modules, element, tuning);
            dividingKernels = new DividingKernels(table, element, tuning, sharedMemory);
            int available = context.device().maxSharedBytesPerBlock();
            valueKernels = element.isCounted()
                    ? new ValueKernels(table, element, sharedMemory, available, ValueKernels.SHARED_BELOW)
                    : null;
            indexKernels = element.sortsIndexes() ? new IndexKernels(table) : null;
        } catch (RuntimeException e) {
            modules.close();
            throw e;
        }
    }

    /// Returns the kernel of this name, which is also the name of its function and usually of its file.
    ///
    /// @throws io.samplesort.errors.KernelCompilationException if it is not compiled yet, and NVRTC refuses it
    public KernelLaunch of(String name) {
        return table.of(name);
    }

    /// Returns what the kernels move.
    public KernelElement element() {
        return element;
    }

    public int multiprocessorCount() {
        return modules.multiprocessorCount();
    }

    /// Returns the kernels that divide an input and sort its buckets.
    public DividingKernels dividing() {
        return dividingKernels;
    }

    /// Returns the kernels that count values; null if there are too many values to count.
    public ValueKernels values() {
        return valueKernels;
    }

    /// Returns the kernels that only sorts by index use; null for elements that are moved.
    public IndexKernels indexed() {
        return indexKernels;
    }

    /// Returns the kernels that cut sorted parts of several GPUs and, for elements that allow it, merge them.
    public PartKernels parts() {
        return new PartKernels(table, sharedMemory);
    }

    /// Copies a random sample of elements.
    ///
    /// @param sample device address of room for the sample
    public void drawSample(
            Stream stream, long elements, long elementBytes, long count, long sample, long sampleCount, long seed) {
        of("draw_sample")
                .values(elements, elementBytes, count, sample, sampleCount, seed)
                .launch(stream, Math.clamp(Math.ceilDiv(sampleCount, DRAW_THREADS), 1, multiprocessorCount()));
    }

    /// Finds out whether elements are in order, or in the opposite order, and writes which one to the first int of
    /// `search` (`InputOrder` of find_order.cuh).
    ///
    /// @param elements `count` elements, at least one
    /// @param asked    the only order that counts; 0 for either
    /// @param search   device address of room for [KernelStructs#ORDER_SEARCH_BYTES], which are 0
    public void checkOrder(Stream stream, DeviceElements elements, long count, int asked, long search) {
        of("check_order")
                .with(elements.fields())
                .values(count, asked, search)
                .launchFor(stream, Math.ceilDiv(count, ORDER_THREADS));
    }

    @Override
    public void close() {
        modules.close();
    }
}
